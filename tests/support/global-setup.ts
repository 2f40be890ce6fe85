import { rmSync } from "node:fs";
import { buildWorkers } from "../../scripts/build-workers.mjs";
import { stopPostgresServer } from "./postgres";
import { runDirectory } from "./run-directory";

/** Before all tests: bundle the workers and name the run's directory. After them: stop what was started. */
export async function setup(): Promise<() => void> {
  runDirectory();
  await buildWorkers();
  return () => {
    stopPostgresServer();
    rmSync(runDirectory(), { recursive: true, force: true });
  };
}

import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import { killAll } from "./child";
import { stopPostgres } from "./postgres-server";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const SIGNALLED = 128;

/**
 * Runs a benchmark in a temporary directory. Always ends its processes and removes its files, also after a failure or
 * a signal; a failure sets the exit code to 1.
 */
export async function inSession(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), "tollgate-bench-"));
  const cleanUp = async () => {
    await killAll();
    stopPostgres();
    rmSync(directory, { recursive: true, force: true });
  };
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      void cleanUp().finally(() => process.exit(SIGNALLED + constants.signals[signal]));
    });
  }
  try {
    await run(directory);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await cleanUp();
  }
}

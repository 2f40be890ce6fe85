import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { buildWorkers } from "../../scripts/build-workers.mjs";
import { buildFaultyServer } from "../faults/support/build-faulty";
import { buildForTests } from "./build-for-tests";
import { startRunPooler } from "./pooler";
import { dropTestTemplate, stopPostgresServer } from "./postgres";
import { runDirectory } from "./run-directory";

const NEEDS_SERVER = /[\\/]tests[\\/](api|sdk|corpus|e2e|faults)[\\/]/;

/**
 * Before all tests: builds what the run's files need and sets the run's directory. After them: stops the started servers.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  runDirectory();
  const files = project.vitest.state.getPaths();
  if (files.some((file) => NEEDS_SERVER.test(file))) await buildForTests();
  else await buildWorkers();
  if (files.some((file) => /[\\/]tests[\\/]faults[\\/]/.test(file))) await buildFaultyServer();
  const stopPooler = await startRunPooler();
  return async () => {
    await stopPooler();
    await dropTestTemplate();
    stopPostgresServer();
    rmSync(runDirectory(), { recursive: true, force: true });
  };
}

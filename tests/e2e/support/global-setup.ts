import { rmSync } from "node:fs";
import { buildForTests } from "@/tests/support/build-for-tests";
import { runDirectory } from "@/tests/support/run-directory";

/** Before all browser tests: a current build. After them: the run's directory is removed. */
export default async function setup(): Promise<() => void> {
  await buildForTests();
  return () => rmSync(runDirectory(), { recursive: true, force: true });
}

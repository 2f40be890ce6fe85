// Types, lint, unused code and the rules of the architecture: seconds, no database.
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { launch, prepare, root, tool } from "./prepare.mjs";

const NEXT = "next/dist/bin/next";

/** The checks by name. Each resolves to whether it passed. */
const checks = {
  types: async () =>
    (await nextTypes()) && launch(process.execPath, [tool("typescript/bin/tsc"), "--noEmit"]),
  lint: () =>
    launch(process.execPath, [tool("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."]),
  unused: () => launch(process.execPath, [tool("knip/bin/knip.js"), "--no-progress"]),
};

/** Runs them side by side. Resolves to whether each passed, by name. */
export function runChecks(chosen = checks) {
  const runs = Object.entries(chosen).map(async ([name, check]) => [name, await check()]);
  return Promise.all(runs);
}

/** Next generates the types of the routes; the repository does not contain them. */
function nextTypes() {
  return existsSync(path.join(root, "next-env.d.ts")) || launch(process.execPath, [tool(NEXT), "typegen"]);
}

function architecture() {
  return launch(process.execPath, [
    tool("vitest/vitest.mjs"),
    "run",
    "tests/architecture.test.ts",
    "tests/docs.test.ts",
    "tests/lockfile.test.ts",
  ]);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await prepare();
  const failed = (await runChecks({ ...checks, architecture })).filter(([, passed]) => !passed);
  if (failed.length > 0) process.stderr.write(`Failed: ${failed.map(([name]) => name).join(", ")}\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { killAll } from "./child";
import { describeMachine } from "./machine";
import { readOptions } from "./options";
import { setPinning } from "./pinning";
import { resultTable } from "./report/table";
import { saveResults } from "./results";
import { fullSuites, quickSuites } from "./suites/plan";
import { runSuite } from "./suites/suite";

const options = readOptions(process.argv.slice(2));
setPinning(options.pin);
const directory = mkdtempSync(path.join(tmpdir(), "tollgate-bench-"));
const began = new Date();
const machine = describeMachine();
try {
  const wanted = (options.quick && options.suites === null ? quickSuites : fullSuites).filter(
    ({ name }) => options.suites?.includes(name) ?? true,
  );
  const samples = [];
  for (const suite of wanted) samples.push(...(await runSuite(suite, options, directory)));
  const file = saveResults(options, { began, machine, options, samples });
  process.stdout.write(`\n${resultTable({ machine, options, samples })}\n\nRounds: ${file}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
} finally {
  killAll();
  rmSync(directory, { recursive: true, force: true });
}

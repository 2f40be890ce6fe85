import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { killAll } from "./child";
import { describeMachine } from "./machine";
import { type Options, readOptions } from "./options";
import { setPinning } from "./pinning";
import { stopPostgres } from "./postgres-server";
import { fullReport } from "./report/full";
import { saveResults } from "./results";
import { runFigures } from "./suites/figures";
import { fullSuites, quickSuites } from "./suites/plan";
import { runStreams } from "./suites/streams";
import { runSuite } from "./suites/suite";

const options = readOptions(process.argv.slice(2));
setPinning(options.pin);
const directory = mkdtempSync(path.join(tmpdir(), "tollgate-bench-"));
const began = new Date();
const machine = describeMachine(directory);
try {
  const wanted = (options.quick && options.suites === null ? quickSuites : fullSuites).filter(
    ({ name }) => options.suites?.includes(name) ?? true,
  );
  const samples = [];
  for (const suite of wanted) samples.push(...(await runSuite(suite, options, directory)));
  const streams = wants(options, "streams") ? await runStreams(options, directory) : [];
  const figures = wants(options, "figures") ? await runFigures(options, directory) : [];
  const results = { machine, options, samples, streams, figures };
  const file = saveResults(options, { began, ...results });
  process.stdout.write(`\n${fullReport(results, [])}\n\nRounds: ${file}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await killAll();
  stopPostgres();
  rmSync(directory, { recursive: true, force: true });
}

function wants({ quick, suites }: Options, suite: string): boolean {
  return suites === null ? !quick : suites.includes(suite);
}

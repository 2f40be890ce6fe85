import { describeMachine } from "./machine";
import { type Options, readOptions } from "./options";
import { setPinning } from "./pinning";
import { fullReport } from "./report/full";
import { saveResults } from "./results";
import { inSession } from "./session";
import { runFigures } from "./suites/figures";
import { fullSuites, quickSuites } from "./suites/plan";
import { runStreams } from "./suites/streams";
import { runSuite } from "./suites/suite";

const options = readOptions(process.argv.slice(2));
setPinning(options.pin);

await inSession(async (directory) => {
  const began = new Date();
  const machine = describeMachine(directory);
  const suites = (options.quick && options.suites === null ? quickSuites : fullSuites).filter(
    ({ name }) => options.suites?.includes(name) ?? true,
  );
  const samples = [];
  for (const suite of suites) samples.push(...(await runSuite(suite, options, directory)));
  const streams = wants(options, "streams") ? await runStreams(options, directory) : [];
  const figures = wants(options, "figures") ? await runFigures(options, directory) : [];
  const results = { machine, options, samples, streams, figures };
  const file = saveResults(options, { began, ...results });
  process.stdout.write(`\n${fullReport(results, [])}\n\nRounds: ${file}\n`);
});

function wants({ quick, suites }: Options, suite: string): boolean {
  return suites === null ? !quick : suites.includes(suite);
}

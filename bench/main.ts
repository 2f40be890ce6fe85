import { messageOf } from "../lib/kernel/thrown";
import { describeMachine } from "./machine";
import { type Options, readOptions } from "./options";
import { setPinning } from "./pinning";
import { fullReport } from "./report/full";
import { dropUnsteady, type Results, saveResults } from "./results";
import { inSession } from "./session";
import { runCounts } from "./suites/counts";
import { runBeside, runFigures, runHistories, runOverload, runSoak, runSockets } from "./suites/figures";
import { fullSuites, quickSuites } from "./suites/plan";
import { runProfiles } from "./suites/profile";
import { sessionSuite, streamSuite } from "./suites/stream-plan";
import { runStreams } from "./suites/streams";
import { runSuite } from "./suites/suite";

const options = readOptions(process.argv.slice(2));
setPinning(options.pin);

/** What a run has failed of until it has ended. */
const UNFINISHED = "it did not finish";

await inSession(async (directory) => {
  const began = new Date();
  const results: Results = {
    machine: describeMachine(directory),
    options,
    samples: [],
    streams: [],
    dropped: { samples: [], streams: [] },
    figures: [],
    counts: [],
    profiles: [],
    failure: UNFINISHED,
  };
  try {
    await runAll(results, directory);
    results.failure = null;
  } catch (error) {
    results.failure = messageOf(error);
    throw error;
  } finally {
    dropUnsteady(results);
    const file = saveResults(options, { began, ...results });
    process.stdout.write(`\n${fullReport(results, [])}\n\nRounds: ${file}\n`);
  }
});

/** Stores results as they arrive, so that a failure loses none. */
async function runAll(results: Results, directory: string): Promise<void> {
  const suites = (options.quick ? quickSuites : fullSuites).filter(
    ({ name }) => options.suites?.includes(name) ?? true,
  );
  for (const suite of suites)
    await runSuite(suite, options, directory, (sample) => results.samples.push(sample));
  for (const suite of [streamSuite, sessionSuite])
    if (wants(options, suite.name)) results.streams.push(...(await runStreams(suite, options, directory)));
  if (wants(options, "beside")) await runBeside(options, directory, results.figures);
  if (wants(options, "figures")) await runFigures(options, directory, results.figures);
  if (wants(options, "overload")) await runOverload(options, directory, results.figures);
  if (options.suites?.includes("histories")) await runHistories(directory, results.figures);
  if (options.suites?.includes("sockets")) await runSockets(directory, results.figures);
  if (wants(options, "counts")) await runCounts(directory, results.counts);
  if (wants(options, "profile")) await runProfiles(options, directory, results.profiles);
  if (options.soakMinutes > 0) await runSoak(options, directory, results.figures);
}

function wants({ quick, suites }: Options, suite: string): boolean {
  return suites === null ? !quick : suites.includes(suite);
}

import { type ArmName, armNames, Fleet } from "../fleet";
import type { Sample } from "../measure";
import type { Options } from "../options";
import type { Payload } from "../payloads";
import { runRounds } from "../rounds";

/** Arms that are compared in the same cells. */
export interface Suite {
  name: string;
  arms: readonly ArmName[];
  /** Further arms that are measured in fewer rounds, and not at one connection. */
  seldom: readonly ArmName[];
  cells: readonly (readonly [payload: Payload, connections: number])[];
}

/** Runs a suite on new processes and databases. Throws: for the first failed request or inexact ledger. */
export async function runSuite(
  suite: Suite,
  options: Options,
  directory: string,
  keep: (sample: Sample) => void,
): Promise<void> {
  const payloads = [...new Set(suite.cells.map(([payload]) => payload))];
  const fleet = await Fleet.start(directory, payloads, options.base);
  try {
    const arms = await fleet.arms(chosenArms(options, suite.arms));
    const seldom = options.arms === null ? await fleet.arms(suite.seldom) : [];
    const cells = suite.cells.map(([payload, connections]) => ({ suite: suite.name, payload, connections }));
    const effort = {
      rounds: options.rounds,
      secondsPerArm: options.seconds,
    };
    await runRounds(fleet.rig, { always: arms, seldom }, cells, effort, keep);
  } finally {
    await fleet.stop();
  }
}

/** The arms of a suite: those of the command line, else the planned ones; and those of the second checkout. */
export function chosenArms({ arms, base }: Options, planned: readonly ArmName[]): ArmName[] {
  const chosen = arms === null ? planned : armNames(arms);
  const compared: readonly ArmName[] = base === null ? [] : ["base", "base-converted"];
  return [...new Set([...chosen, ...compared])];
}

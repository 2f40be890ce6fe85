import type { Arm } from "./arms/arm";
import { type CalibratedRig, type Cell, load, measure, type Rig, type Sample } from "./measure";
import { shuffled } from "./statistics";

/** How long and how often. */
export interface Effort {
  rounds: number;
  secondsPerArm: number;
}

/** The arms of a suite. */
export interface Arms {
  /** In every cell of every round. */
  always: readonly Arm[];
  /** In the first rounds only, and not at one connection. */
  seldom: readonly Arm[];
}

const SELDOM_ROUNDS = 3;
const WARM_REQUESTS = 20_000;
const WARM_TURN_MS = 2_000;
/** Before the first window of an arm, and before each later one. */
const WARM_TURNS = { first: 5, later: 1 } as const;

/**
 * Measures all arms in every cell, in several rounds; within a cell the arms follow each other directly in a new
 * random order, so that slow drifts of the machine affect all of them alike. `keep` gets each sample at once.
 */
export async function runRounds(
  rig: CalibratedRig,
  arms: Arms,
  cells: readonly Cell[],
  effort: Effort,
  keep: (sample: Sample) => void,
): Promise<void> {
  const served = new Map<Arm, number>();
  for (let round = 1; round <= effort.rounds; round++) {
    for (const cell of cells) {
      const further = round <= SELDOM_ROUNDS && cell.connections > 1 ? arms.seldom : [];
      for (const arm of shuffled([...arms.always, ...further], Math.random)) {
        const warmed = await warmUp(rig, arm, cell, served.get(arm));
        const sample = await measure(rig, arm, cell, round, effort.secondsPerArm * 1_000);
        served.set(arm, warmed + sample.requests);
        keep(sample);
        progress(sample);
      }
    }
  }
}

/**
 * Loads an arm until it has served enough for the JIT compiler and the connection pools. `served`: since its start,
 * undefined before its first window. Returns the same number afterwards.
 */
export async function warmUp(rig: Rig, arm: Arm, cell: Cell, served?: number): Promise<number> {
  const turns = served === undefined ? WARM_TURNS.first : WARM_TURNS.later;
  let requests = served ?? 0;
  for (let turn = 0; turn < turns && requests < WARM_REQUESTS; turn++)
    requests += (await load(rig, arm, cell, WARM_TURN_MS)).requests;
  return requests;
}

function progress(sample: Sample): void {
  const perSecond = Math.round((sample.requests / sample.activeMs) * 1_000);
  const cpu = sample.cpuMs === null ? "" : `, ${(sample.cpuMs / sample.requests).toFixed(3)} ms CPU`;
  process.stdout.write(
    `  ${sample.suite} round ${sample.round} ${sample.payload} at ${sample.connections}: ${sample.arm} ${perSecond}/s${cpu}\n`,
  );
}

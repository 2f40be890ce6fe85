import type { Arm } from "./arms/arm";
import { type Cell, measure, type Rig, type Sample } from "./measure";
import { shuffled } from "./statistics";

/** How long and how often. */
export interface Effort {
  rounds: number;
  secondsPerArm: number;
  warmUpSeconds: number;
}

/**
 * Measures all arms in every cell, in several rounds; within a cell the arms follow each other directly in a new
 * random order, so that slow drifts of the machine affect all of them alike. `keep` gets each sample at once.
 */
export async function runRounds(
  rig: Rig,
  arms: readonly Arm[],
  cells: readonly Cell[],
  effort: Effort,
  keep: (sample: Sample) => void,
): Promise<void> {
  await warmUp(rig, arms, cells, effort.warmUpSeconds);
  for (let round = 1; round <= effort.rounds; round++) {
    for (const cell of cells) {
      for (const arm of shuffled(arms, Math.random)) {
        const sample = await measure(rig, arm, cell, round, effort.secondsPerArm * 1_000);
        keep(sample);
        progress(sample);
      }
    }
  }
}

const WARM_REQUESTS = 20_000;
const WARM_TURNS = 3;

/** Warms up the JIT compiler and the connection pools before the measurement. */
async function warmUp(
  rig: Rig,
  arms: readonly Arm[],
  cells: readonly Cell[],
  seconds: number,
): Promise<void> {
  const [first] = cells;
  if (first === undefined) return;
  const cell = { ...first, connections: Math.max(...cells.map(({ connections }) => connections)) };
  for (const arm of arms) {
    let requests = 0;
    for (let turn = 0; turn < WARM_TURNS && requests < WARM_REQUESTS; turn++)
      requests += (await measure(rig, arm, cell, 0, seconds * 1_000)).requests;
  }
}

function progress(sample: Sample): void {
  const perSecond = Math.round((sample.requests / sample.activeMs) * 1_000);
  const cpu = sample.cpuMs === null ? "" : `, ${(sample.cpuMs / sample.requests).toFixed(3)} ms CPU`;
  process.stdout.write(
    `  ${sample.suite} round ${sample.round} ${sample.payload} at ${sample.connections}: ${sample.arm} ${perSecond}/s${cpu}\n`,
  );
}

import type { Arm } from "../arms/arm";
import type { Speed } from "../calibration/speed";
import { Fleet } from "../fleet";
import { readStreams, type StreamResult } from "../load/streams";
import type { CalibratedRig } from "../measure";
import type { Options } from "../options";
import { small } from "../payloads";
import { cpuMs, residentBytes } from "../process-usage";
import { warmUp } from "../rounds";
import { shuffled } from "../statistics";
import type { StreamCell, StreamSuite } from "./stream-plan";
import { chosenArms } from "./suite";

/** One arm with so many streams in one round. */
export interface StreamSample extends StreamResult {
  payload: string;
  streams: number;
  arm: string;
  round: number;
  /** Processor time of the gateway. */
  cpuMs: number | null;
  residentBytes: number | null;
  speed: Speed;
}

/** Turns that warm up a reader which opens all at once: there is no time for it while it measures. */
const WARM_UP = 20;
const WARM_UP_CONNECTIONS = 128;
/** A round takes as long as four of the requests. */
const MAX_ROUNDS = 5;

/** Runs a suite of streams on new processes and databases. Throws: for the first failed stream or inexact ledger. */
export async function runStreams(
  suite: StreamSuite,
  options: Options,
  directory: string,
): Promise<StreamSample[]> {
  const payloads = [...new Set(suite.cells.map(({ payload }) => payload))];
  const fleet = await Fleet.start(directory, [small, ...payloads], options.base);
  try {
    const arms = await fleet.arms(chosenArms(options, suite.arms));
    // Streams are too few to warm up what opens them.
    for (const arm of arms)
      await warmUp(fleet.rig, arm, { suite: suite.name, payload: small, connections: WARM_UP_CONNECTIONS });
    const samples: StreamSample[] = [];
    const rounds = Math.min(options.rounds, MAX_ROUNDS);
    for (let round = 0; round <= rounds; round++) {
      for (const cell of options.quick ? suite.quickCells : suite.cells) {
        for (const arm of shuffled(arms, Math.random)) {
          const sample = await measureStreams(fleet.rig, arm, cell);
          if (round > 0) samples.push({ ...sample, round });
        }
      }
      process.stdout.write(`  ${suite.name} round ${round} of ${rounds}\n`);
    }
    return samples;
  } finally {
    await fleet.stop();
  }
}

async function measureStreams(rig: CalibratedRig, arm: Arm, cell: StreamCell): Promise<StreamSample> {
  const { payload, requests = [payload], streams, turns, atOnce } = cell;
  await rig.mock.reset();
  const speedBefore = await rig.speed();
  const { chunks = 1, every = 0 } = payload.scenario;
  const before = arm.pid === null ? null : cpuMs(arm.pid);
  const result = await readStreams({
    targets: requests.map((request) => arm.target(request)),
    streams,
    turns,
    spreadMs: atOnce ? 0 : Math.min(1_000, chunks * every),
    warmUp: atOnce ? WARM_UP : 0,
  });
  const counts = await rig.mock.counts();
  const problems = [
    ...(result.failed > 0 ? [`${result.failed} streams failed: ${result.failure}`] : []),
    ...(result.chunks === streams * turns * requests.length * chunks
      ? []
      : [`${result.chunks} deltas have arrived`]),
    ...(await arm.verify(counts)),
  ];
  if (problems.length > 0)
    throw new Error(`streams ${payload.name} x ${streams} ${arm.name}: ${problems.join("; ")}`);
  return {
    payload: payload.name,
    streams,
    arm: arm.name,
    round: 0,
    ...result,
    cpuMs: arm.pid === null || before === null ? null : cpuMs(arm.pid) - before,
    residentBytes: arm.pid === null ? null : residentBytes(arm.pid),
    speed: { before: speedBefore, after: await rig.speed() },
  };
}

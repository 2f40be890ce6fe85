import type { Arm } from "../arms/arm";
import type { Speed } from "../calibration/speed";
import { type ArmName, Fleet } from "../fleet";
import { readStreams, type StreamResult } from "../load/streams";
import type { CalibratedRig } from "../measure";
import type { Options } from "../options";
import { type Payload, small } from "../payloads";
import { cpuMs, residentBytes } from "../process-usage";
import { warmUp } from "../rounds";
import { shuffled } from "../statistics";
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

const TEXT_PER_CHUNK = 34;
/** Streams that warm up a reader which opens all at once: there is no time for it while it measures. */
const WARM_UP = 20;
const WARM_UP_CONNECTIONS = 128;

/** Deltas of some 150 bytes on the wire. */
const steady: Payload = shape("64x20", "64 chunks, one every 20 ms", { chunks: 64, every: 20 });
const fast: Payload = shape("500x5", "500 chunks, one every 5 ms", { chunks: 500, every: 5 });

/** The shapes of streams, by name for reports. */
const streamShapes: readonly Payload[] = [steady, fast];

const ARMS: readonly ArmName[] = ["direct", "raw", "tollgate", "converted", "responses"];
/** A round takes as long as four of the requests. */
const MAX_ROUNDS = 5;

/** Streams under which an arm is measured. */
interface StreamCell {
  payload: Payload;
  streams: number;
  turns: number;
  /** All are opened in the same moment, else over the time of one stream. */
  atOnce: boolean;
}

const CELLS: readonly StreamCell[] = [
  { payload: steady, streams: 1, turns: 3, atOnce: false },
  { payload: steady, streams: 100, turns: 2, atOnce: false },
  { payload: fast, streams: 100, turns: 1, atOnce: false },
  { payload: steady, streams: 500, turns: 1, atOnce: true },
];
const QUICK_CELLS = CELLS.filter(({ streams, payload }) => streams > 1 && payload === steady);

/** Streams: latency added to the first delta and to each delta, and CPU per delta. */
export async function runStreams(options: Options, directory: string): Promise<StreamSample[]> {
  const fleet = await Fleet.start(directory, [small, ...streamShapes], options.base);
  try {
    const arms = await fleet.arms(chosenArms(options, ARMS));
    // Streams are too few to warm up what opens them.
    for (const arm of arms)
      await warmUp(fleet.rig, arm, { suite: "streams", payload: small, connections: WARM_UP_CONNECTIONS });
    const samples: StreamSample[] = [];
    const rounds = Math.min(options.rounds, MAX_ROUNDS);
    for (let round = 0; round <= rounds; round++) {
      for (const cell of options.quick ? QUICK_CELLS : CELLS) {
        for (const arm of shuffled(arms, Math.random)) {
          const sample = await measureStreams(fleet.rig, arm, cell);
          if (round > 0) samples.push({ ...sample, round });
        }
      }
      process.stdout.write(`  streams round ${round} of ${rounds}\n`);
    }
    return samples;
  } finally {
    await fleet.stop();
  }
}

async function measureStreams(
  rig: CalibratedRig,
  arm: Arm,
  { payload, streams, turns, atOnce }: StreamCell,
): Promise<StreamSample> {
  await rig.mock.reset();
  const speedBefore = await rig.speed();
  const { chunks = 1, every = 0 } = payload.scenario;
  const before = arm.pid === null ? null : cpuMs(arm.pid);
  const target = arm.target(payload);
  const spreadMs = atOnce ? 0 : Math.min(1_000, chunks * every);
  const result = await readStreams({ target, streams, turns, spreadMs, warmUp: atOnce ? WARM_UP : 0 });
  const counts = await rig.mock.counts();
  const problems = [
    ...(result.failed > 0 ? [`${result.failed} streams failed: ${result.failure}`] : []),
    ...(result.chunks === streams * turns * chunks ? [] : [`${result.chunks} deltas have arrived`]),
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

function shape(name: string, label: string, knobs: { chunks: number; every: number }): Payload {
  return {
    name,
    label,
    scenario: { ...knobs, out: knobs.chunks * TEXT_PER_CHUNK, prompt: 70, completion: knobs.chunks },
    body: {
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 4_000,
      messages: [{ role: "user", content: "Tell me a long story about a fox." }],
    },
  };
}

import { agentSession } from "../agent/conversation";
import type { ArmName } from "../fleet";
import type { Payload } from "../payloads";

/** Streams under which an arm is measured. */
export interface StreamCell {
  payload: Payload;
  /** What a reader asks for one after the other, all of the payload's name; absent: the payload. */
  requests?: readonly Payload[];
  streams: number;
  turns: number;
  /** All are opened in the same moment, else over the time of one stream. */
  atOnce: boolean;
}

/** Arms that are compared under the same streams. */
export interface StreamSuite {
  name: string;
  arms: readonly ArmName[];
  cells: readonly StreamCell[];
  quickCells: readonly StreamCell[];
}

const TEXT_PER_CHUNK = 34;

/** Deltas of some 150 bytes on the wire. */
const steady = shape("64x20", "64 chunks, one every 20 ms", { chunks: 64, every: 20 });
const fast = shape("500x5", "500 chunks, one every 5 ms", { chunks: 500, every: 5 });

const steadyMany: StreamCell = { payload: steady, streams: 100, turns: 2, atOnce: false };
const steadyAtOnce: StreamCell = { payload: steady, streams: 500, turns: 1, atOnce: true };

/** Latency added to the first delta and to each delta, and the cost of a delta. */
export const streamSuite: StreamSuite = {
  name: "streams",
  arms: ["direct", "raw", "tollgate", "converted", "responses"],
  cells: [
    { payload: steady, streams: 1, turns: 3, atOnce: false },
    steadyMany,
    { payload: fast, streams: 100, turns: 1, atOnce: false },
    steadyAtOnce,
  ],
  quickCells: [steadyMany, steadyAtOnce],
};

/** The payload's name in the sessions of agents. */
export const SESSION = "session";
const SESSION_TURNS = 30;
const STEP_BYTES = 4_000;
const SESSION_CHUNKS = 24;

const session: Payload = {
  name: SESSION,
  label: `an agent's session of ${SESSION_TURNS} turns`,
  scenario: {
    chunks: SESSION_CHUNKS,
    every: 1,
    out: SESSION_CHUNKS * TEXT_PER_CHUNK,
    prompt: 10_000,
    completion: SESSION_CHUNKS,
    tool: 1,
  },
  body: { stream: true, stream_options: { include_usage: true } },
};

const sessionCell: StreamCell = {
  payload: session,
  requests: agentSession(SESSION_TURNS, STEP_BYTES).map((turn) => {
    const body = { ...session.body, ...turn };
    return { ...session, body };
  }),
  streams: 8,
  turns: 2,
  atOnce: false,
};

/** Whole sessions of agents, whose history grows from turn to turn. */
export const sessionSuite: StreamSuite = {
  name: "sessions",
  arms: ["raw", "tollgate", "converted"],
  cells: [sessionCell],
  quickCells: [sessionCell],
};

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

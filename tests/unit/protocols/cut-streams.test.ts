import { describe, expect, test } from "vitest";
import { type GenerationEvent, isMeaningful } from "@/lib/protocols/generation/events";
import { Meter } from "@/lib/protocols/generation/meter";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { SseDecoder, type SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { recordings, whyMissing } from "@/tests/corpus/recordings";
import { isComplete } from "@/tests/support/complete";
import { streamProblems } from "@/tests/support/stream-grammar";
import { goodStreams } from "./fixtures";
import { framesFrom, framesThrough, type Path, type Produced } from "./pipeline";

// What a stream makes of a cut depends on the frames that its bytes complete. Every byte is cut where bytes become frames;
// every number of frames that is found so goes through every pair of protocols.

interface Stream {
  name: string;
  upstream: Protocol;
  bytes: Uint8Array;
}

/** Frames of longer streams, and the longest frames, are cut at some of their bytes and at each of their last ones. */
const EVERY_BYTE_UP_TO = isComplete ? Number.POSITIVE_INFINITY : 16_384;
const CUTS_OF_A_FRAME = 16;
const CUTS_OF_A_LONG_FRAME = 512;
const LAST_BYTES = 16;
/** Longer streams are cut behind so many of their frames, unless all tests run. */
const CUTS_OF_A_STREAM = isComplete ? Number.POSITIVE_INFINITY : 60;

const encoder = new TextEncoder();
const streams: Stream[] = [
  ...goodStreams.map(({ name, upstream, sse }) => ({ name, upstream, bytes: encoder.encode(sse) })),
  ...recordings.flatMap(({ id, protocol, response: { sse } }) =>
    sse === undefined ? [] : [{ name: id, upstream: protocol, bytes: encoder.encode(sse) }],
  ),
];

describe(`a stream that is cut at any byte${whyMissing}`, () => {
  // The name of an event may follow its data; the data has it too.
  test("has the frames that were whole, and no part of another", { timeout: 240_000 }, () => {
    const wrong = faultsOfBytes((piece, at, [whole]) => {
      const [data, ...others] = dataOf(piece.subarray(0, at));
      return others.length === 0 && (data === undefined || data === whole);
    });
    expect(wrong).toEqual([]);
  });

  test("and then goes on has all its frames", { timeout: 240_000 }, () => {
    const wrong = faultsOfBytes((piece, at, [whole]) => {
      const [data, ...others] = dataOf(piece.subarray(0, at), piece.subarray(at));
      return others.length === 0 && data === whole;
    });
    expect(wrong).toEqual([]);
  });

  describe.each(protocolIds)("of a %s node", (upstream) => {
    const mine = streams.filter((stream) => stream.upstream === upstream);
    test.each(protocolIds)(
      "is for a %s client a sound stream that tells the failure, and is counted by what came",
      { timeout: 240_000 },
      (client) => {
        const wrong: Record<string, string[]> = {};
        for (const { name, bytes } of mine) {
          const found = faultsOfCuts({ upstream, client }, framesFrom([bytes]));
          if (found.size > 0) wrong[name] = [...found].slice(0, 5);
        }
        expect(wrong).toEqual({});
      },
    );
  });
});

/** The cuts of all streams for which something does not hold of the frame in which they are. */
function faultsOfBytes(holds: (piece: Uint8Array, at: number, whole: string[]) => boolean): string[] {
  const wrong: string[] = [];
  for (const { name, bytes } of streams) {
    const most = bytes.length <= EVERY_BYTE_UP_TO ? CUTS_OF_A_LONG_FRAME : CUTS_OF_A_FRAME;
    const all = dataOf(bytes);
    let done = 0;
    for (const { from, to } of pieces(bytes)) {
      const piece = bytes.subarray(from, to);
      const whole = dataOf(piece);
      for (const at of offsets(piece.length, most))
        if (!holds(piece, at, whole)) wrong.push(`${name} at ${from + at}`);
      if (whole.length > 1 || whole[0] !== all[done]) wrong.push(`${name} from ${from}`);
      done += whole.length;
    }
    if (done !== all.length) wrong.push(`${name}: ${done} of ${all.length} frames`);
  }
  return wrong;
}

/** What is wrong behind any number of frames that the whole stream does not get wrong either. */
function faultsOfCuts(way: Path, frames: SseFrame[]): Set<string> {
  const whole = framesThrough(way, frames);
  const accepted = new Set(problemsOf(way, whole).map(kindOf));
  const found = new Set<string>();
  let before = new Meter();
  for (const cut of cutsOf(frames.length)) {
    const produced = framesThrough(way, frames.slice(0, cut));
    const meter = metered(produced.events);
    for (const problem of [...problemsOf(way, produced), ...countProblems(meter, before, produced)])
      if (!accepted.has(kindOf(problem))) found.add(`${cut} of ${frames.length}: ${problem}`);
    before = meter;
  }
  return found;
}

/** A problem without its numbers. */
function kindOf(problem: string): string {
  return problem.replaceAll(/\d+|undefined/g, "#");
}

/** Nothing of an answer reaches the client before its first meaningful event: until then it is a refusal, not a stream. */
function problemsOf(way: Path, { wire, events, failure }: Produced): string[] {
  const last = events.at(-1)?.type;
  const grammar = { includeUsage: true, forwarded: way.upstream === way.client };
  return [
    ...(events.some(isMeaningful) ? streamProblems(way.client, wire, grammar) : []),
    ...(last === "end" || last === "error" ? [] : [`the last event is ${last}`]),
    ...((failure !== null) === (last === "error") ? [] : ["the failure is not the last event"]),
  ];
}

/** Nothing is counted that has not come; only an answer that has ended counts as one. */
function countProblems(meter: Meter, before: Meter, { events, failure }: Produced): string[] {
  const { usage } = meter.final({ input: 7, output: 1 });
  const characters = meter.emitted.ascii + meter.emitted.other;
  return [
    ...(characters === charactersOf(events) ? [] : ["counted is not what came"]),
    ...(characters >= before.emitted.ascii + before.emitted.other ? [] : ["less is counted than before"]),
    ...(meter.ended === (failure === null) ? [] : ["ended and failed"]),
    ...(usage.output > 0 || !meter.produced ? [] : ["an output of 0 for what came"]),
  ];
}

function metered(events: readonly GenerationEvent[]): Meter {
  const meter = new Meter();
  for (const event of events) meter.push(event);
  return meter;
}

function charactersOf(events: readonly GenerationEvent[]): number {
  const byProgram = new Set<number>();
  let sum = 0;
  for (const event of events) {
    if (event.type === "tool_open" && event.byProgram) byProgram.add(event.slot);
    else if (event.type === "tool_open") sum += event.name.length;
    else if (event.type === "text" || event.type === "reasoning" || event.type === "refusal")
      sum += event.text.length;
    else if (event.type === "tool_args" && !byProgram.has(event.slot)) sum += event.text.length;
  }
  return sum;
}

function dataOf(...pieces: Uint8Array[]): string[] {
  return framesFrom(pieces).map(({ data }) => data);
}

/** The bytes of every frame, with the empty line that ends it. */
function pieces(bytes: Uint8Array): { from: number; to: number }[] {
  const decoder = new SseDecoder();
  const ends: number[] = [];
  for (let at = 0; at < bytes.length; at += 1)
    if (decoder.push(Buffer.from(bytes.subarray(at, at + 1))).length > 0) ends.push(at + 1);
  if (ends.at(-1) !== bytes.length) ends.push(bytes.length);
  return ends.map((to, at) => ({ from: ends[at - 1] ?? 0, to }));
}

function offsets(length: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(length / most));
  const all = Array.from({ length: Math.ceil(length / step) }, (_, at) => at * step);
  const last = Array.from({ length: Math.min(LAST_BYTES, length) }, (_, at) => length - at);
  return step === 1 ? [...all, length] : [...all, ...last];
}

/** Numbers of frames to cut behind; the first and the last ones are always among them. */
function cutsOf(count: number): number[] {
  const step = Math.max(1, count / CUTS_OF_A_STREAM);
  const cuts = Array.from({ length: Math.ceil(count / step) }, (_, at) => Math.floor(at * step));
  return [...new Set([...cuts, Math.max(0, count - 2), count - 1, count])].sort((a, b) => a - b);
}

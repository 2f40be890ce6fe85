import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { Encoder, ReasoningSeal } from "@/lib/protocols/adapters/encoder";
import type { Passthrough } from "@/lib/protocols/adapters/passthrough";
import type { GenerationEvent, UpstreamFailure } from "@/lib/protocols/generation/events";
import type { Protocol } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";
import { SseDecoder, type SseFrame } from "@/lib/protocols/sse/sse-decoder";
import type { RecordedProtocol } from "@/tests/corpus/corpus";

export {
  block,
  chatSse,
  delta,
  finish,
  messageEnd,
  messageStart,
  messagesSse,
  textBlock,
  tool,
  usageChunk,
} from "./wire";

/** One way through the gateway. */
export interface Path {
  upstream: Protocol;
  client: Protocol;
}

/** The ways between chat and messages. */
export const paths: readonly { upstream: RecordedProtocol; client: RecordedProtocol }[] = [
  { upstream: "chat", client: "chat" },
  { upstream: "chat", client: "messages" },
  { upstream: "messages", client: "chat" },
  { upstream: "messages", client: "messages" },
];

/** What came out. Shape: `wire` ends in the failure frame when there was a failure. */
export interface Produced {
  wire: string;
  events: GenerationEvent[];
  failure: UpstreamFailure | null;
  warnings: string[];
}

/** What a test may want of an answer; the client's wishes go into its request. */
export interface Wanted {
  includeUsage?: boolean;
  legacyFunctions?: boolean;
  hideReasoning?: boolean;
  stopSequences?: string[];
  singleToolCall?: boolean;
  toolNames?: ReadonlyMap<string, string>;
  choices?: number;
  finishOptional?: boolean;
}

/** Options of an answer for a client, as the gateway makes them. */
export function optionsFor(path: Path, wanted: Wanted = {}) {
  const { includeUsage = true, legacyFunctions, stopSequences, ...rest } = wanted;
  const client = protocols[path.client];
  const request: JsonObject = {
    stream_options: { include_usage: includeUsage },
    ...(legacyFunctions ? { functions: [{ name: "f" }] } : {}),
    ...(stopSequences ? { stop: stopSequences, stop_sequences: stopSequences } : {}),
  };
  return {
    id: client.answerId("own"),
    alias: "the-alias",
    created: 1_700_000_000,
    request,
    hideReasoning: false,
    singleToolCall: false,
    toolNames: new Map<string, string>(),
    inputEstimate: 7,
    seal: path.upstream === path.client ? null : testSeal,
    jsonToolArguments: client.jsonToolArguments,
    ...rest,
  };
}

const testSeal: ReasoningSeal = {
  sign: (text) => `gw1.${text.length}`,
  tag: (opaque) => `gw1.tag.${opaque}`,
  envelope: ({ text, signature, opaque }) => `gw1.envelope.${JSON.stringify([text, signature, opaque])}`,
};

/** The frames of a stream whose bytes arrive cut into the given pieces. */
export function framesFrom(pieces: Iterable<Uint8Array>): SseFrame[] {
  const decoder = new SseDecoder();
  const frames: SseFrame[] = [];
  for (const piece of pieces) frames.push(...decoder.push(Buffer.from(piece)));
  return [...frames, ...decoder.end()];
}

/** All bytes at once. */
export function bytesOf(text: string): Uint8Array[] {
  return [new TextEncoder().encode(text)];
}

/** Runs an upstream's stream through the gateway's stages to a streaming client. */
export function streamThrough(path: Path, sse: string | Iterable<Uint8Array>, wanted: Wanted = {}): Produced {
  return framesThrough(path, framesFrom(typeof sse === "string" ? bytesOf(sse) : sse), wanted);
}

/** The same for the frames of the stream. */
export function framesThrough(path: Path, frames: SseFrame[], wanted: Wanted = {}): Produced {
  const options = optionsFor(path, wanted);
  return path.upstream === path.client ? forwarded(path, frames, options) : encoded(path, frames, options);
}

type Options = ReturnType<typeof optionsFor>;

function encoded(path: Path, frames: SseFrame[], options: Options): Produced {
  const decoder = protocols[path.upstream].decoder(options);
  const encoder = protocols[path.client].encoder(options);
  const events = eventsOf(frames, decoder);
  const wire = events.map((event) => encoder.push(event)).join("");
  return finished(path, wire, events, encoder);
}

function forwarded(path: Path, frames: SseFrame[], options: Options): Produced {
  const passthrough = protocols[path.client].direct.passthrough(options);
  const events: GenerationEvent[] = [];
  let wire = "";
  for (const frame of frames) {
    const step = passthrough.push(frame);
    wire += step.wire;
    events.push(...step.events);
  }
  events.push(...passthrough.finish().events);
  return finished(path, wire, events, passthrough);
}

function eventsOf(
  frames: SseFrame[],
  decoder: { push(frame: SseFrame): GenerationEvent[]; end(): GenerationEvent[] },
) {
  return [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
}

function finished(
  path: Path,
  wire: string,
  events: GenerationEvent[],
  stage: Encoder | Passthrough,
): Produced {
  const failed = events.find((event) => event.type === "error");
  const told = events.flatMap((event) => (event.type === "warning" ? [event.code] : []));
  const failure = failed?.type === "error" ? failed.failure : null;
  const frame = {
    code: "UPSTREAM_ERROR" as const,
    message: failure?.message ?? "",
    requestId: "req_1",
  };
  const broken = () => stage.fail?.(frame) ?? protocols[path.client].errors.frame(frame);
  const tail = failure ? broken() : stage.end();
  return { wire: wire + tail, events, failure, warnings: [...told, ...stage.losses] };
}

/** The unstreamed body of the same stream, or null when it failed. */
export function foldThrough(path: Path, sse: string, wanted: Wanted = {}): JsonObject | null {
  const options = optionsFor(path, wanted);
  const events = eventsOf(framesFrom(bytesOf(sse)), protocols[path.upstream].decoder(options));
  return events.some((event) => event.type === "error")
    ? null
    : protocols[path.client].fold(events, options).body;
}

/** Runs an upstream's whole answer to an unstreamed client. */
export function wholeThrough(path: Path, body: unknown, wanted: Wanted = {}) {
  const options = optionsFor(path, wanted);
  const [upstream, client] = [protocols[path.upstream], protocols[path.client]];
  if (path.upstream === path.client && isObject(body)) {
    const { wire, events } = client.direct.passWhole(JSON.stringify(body), structuredClone(body), options);
    const passed: JsonObject = JSON.parse(wire());
    return { body: passed, events, failure: failureIn(events), losses: [] };
  }
  const events = upstream.decodeWhole(structuredClone(body), options);
  const failure = failureIn(events);
  const folded = failure ? { body: {}, losses: [] } : client.fold(events, options);
  return { ...folded, events, failure };
}

function failureIn(events: GenerationEvent[]): UpstreamFailure | null {
  const failed = events.find((event) => event.type === "error");
  return failed?.type === "error" ? failed.failure : null;
}

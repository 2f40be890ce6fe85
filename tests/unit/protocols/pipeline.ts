import { isObject, type JsonObject } from "@/lib/kernel/json";
import { createDecoder, decodeWhole } from "@/lib/protocols/decoder";
import { createEncoder, type EncodeOptions, foldWhole } from "@/lib/protocols/encoder";
import { failureFrame } from "@/lib/protocols/failures/failure";
import { createForwarder, forwardWhole } from "@/lib/protocols/forwarder";
import type { GenerationEvent, UpstreamFailure } from "@/lib/protocols/generation/events";
import type { Protocol } from "@/lib/protocols/protocol";
import { SseDecoder, type SseFrame } from "@/lib/protocols/sse/sse-decoder";

/** One way through the gateway. */
export interface Path {
  upstream: Protocol;
  client: Protocol;
}

export const paths: readonly Path[] = [
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

/** Options of an answer for a client, as the gateway makes them. */
export function optionsFor(path: Path, overrides: Partial<EncodeOptions> = {}) {
  const crossesToMessages = path.upstream === "chat" && path.client === "messages";
  return {
    id: path.client === "chat" ? "chatcmpl-own" : "msg_own",
    alias: "the-alias",
    created: 1_700_000_000,
    includeUsage: true,
    legacyFunctions: false,
    excludeReasoning: false,
    singleToolCall: false,
    toolNames: new Map<string, string>(),
    stopSequences: [],
    inputEstimate: 7,
    signReasoning: crossesToMessages ? (text: string) => `gw1.${text.length}` : null,
    tagOpaque: crossesToMessages ? (data: string) => `gw1.tag.${data}` : null,
    clientProtocol: path.client,
    ...overrides,
  };
}

/** The frames of a stream whose bytes arrive cut into the given pieces. */
export function framesFrom(pieces: Iterable<Uint8Array>): SseFrame[] {
  const decoder = new SseDecoder();
  const frames: SseFrame[] = [];
  for (const piece of pieces) frames.push(...decoder.push(piece));
  return [...frames, ...decoder.end()];
}

/** All bytes at once. */
export function bytesOf(text: string): Uint8Array[] {
  return [new TextEncoder().encode(text)];
}

/** Runs an upstream's stream through the gateway's stages to a streaming client. */
export function streamThrough(
  path: Path,
  sse: string | Iterable<Uint8Array>,
  overrides: Partial<EncodeOptions> = {},
): Produced {
  const options = optionsFor(path, overrides);
  const frames = framesFrom(typeof sse === "string" ? bytesOf(sse) : sse);
  return path.upstream === path.client ? forwarded(path, frames, options) : encoded(path, frames, options);
}

type Options = ReturnType<typeof optionsFor>;

function encoded(path: Path, frames: SseFrame[], options: Options): Produced {
  const decoder = createDecoder(path.upstream, options);
  const encoder = createEncoder(path.client, options);
  const events = eventsOf(frames, decoder);
  const wire = events.map((event) => encoder.push(event)).join("");
  return finished(path, wire, events, () => encoder.end(), encoder.warnings);
}

function forwarded(path: Path, frames: SseFrame[], options: Options): Produced {
  const forwarder = createForwarder(path.client, options);
  const events: GenerationEvent[] = [];
  let wire = "";
  for (const frame of frames) {
    const step = forwarder.push(frame);
    wire += step.wire;
    events.push(...step.events);
  }
  const last = forwarder.end();
  events.push(...last.events);
  return finished(path, wire, events, () => last.wire, []);
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
  end: () => string,
  warnings: readonly string[],
): Produced {
  const failed = events.find((event) => event.type === "error");
  const told = events.flatMap((event) => (event.type === "warning" ? [event.code] : []));
  const failure = failed?.type === "error" ? failed.failure : null;
  const frame = {
    code: "UPSTREAM_ERROR",
    message: failure?.message ?? "",
    type: "api_error",
    requestId: "req_1",
  };
  const tail = failure ? failureFrame(path.client, frame) : end();
  return { wire: wire + tail, events, failure, warnings: [...told, ...warnings] };
}

/** The unstreamed body of the same stream, or null when it failed. */
export function foldThrough(
  path: Path,
  sse: string,
  overrides: Partial<EncodeOptions> = {},
): JsonObject | null {
  const options = optionsFor(path, overrides);
  const events = eventsOf(framesFrom(bytesOf(sse)), createDecoder(path.upstream, options));
  return events.some((event) => event.type === "error") ? null : foldWhole(path.client, events, options);
}

/** Runs an upstream's whole answer to an unstreamed client. */
export function wholeThrough(path: Path, body: unknown, overrides: Partial<EncodeOptions> = {}) {
  const options = optionsFor(path, overrides);
  if (path.upstream === path.client && isObject(body)) {
    const json = JSON.stringify(body);
    const { wire, events } = forwardWhole(path.client, json, structuredClone(body), options);
    const passed: JsonObject = JSON.parse(wire());
    return { body: passed, events, failure: failureIn(events) };
  }
  const events = decodeWhole(path.upstream, structuredClone(body), options);
  const failure = failureIn(events);
  return { body: failure ? {} : foldWhole(path.client, events, options), events, failure };
}

function failureIn(events: GenerationEvent[]): UpstreamFailure | null {
  const failed = events.find((event) => event.type === "error");
  return failed?.type === "error" ? failed.failure : null;
}

/** Chat chunks as the bytes of a stream; `done` false leaves `[DONE]` out. */
export function chatSse(chunks: unknown[], done = true): string {
  const texts = chunks.map((chunk) => JSON.stringify(chunk));
  if (done) texts.push("[DONE]");
  return texts.map((text) => `data: ${text}\n\n`).join("");
}

/** One chat chunk with a delta of choice 0. */
export function delta(part: JsonObject, rest: JsonObject = {}): JsonObject {
  return {
    id: "chatcmpl-up",
    object: "chat.completion.chunk",
    created: 1,
    model: "up-model",
    choices: [{ index: 0, delta: part, finish_reason: null, ...rest }],
  };
}

/** A chat chunk that ends the answer. */
export function finish(reason: unknown): JsonObject {
  return delta({}, { finish_reason: reason });
}

/** A chat chunk that only tells usage. */
export function usageChunk(usage: JsonObject): JsonObject {
  return {
    id: "chatcmpl-up",
    object: "chat.completion.chunk",
    created: 1,
    model: "up-model",
    choices: [],
    usage,
  };
}

/** A chat chunk with one tool delta. */
export function tool(entry: JsonObject): JsonObject {
  return delta({ tool_calls: [entry] });
}

/** Messages payloads as the bytes of a stream. */
export function messagesSse(payloads: JsonObject[]): string {
  return payloads.map((payload) => `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`).join("");
}

/** `message_start` of an upstream. */
export function messageStart(
  usage: JsonObject = { input_tokens: 10, output_tokens: 1 },
  rest: JsonObject = {},
): JsonObject {
  const fixed = { id: "msg_up", type: "message", role: "assistant", model: "up-model" };
  return {
    type: "message_start",
    message: { ...fixed, content: [], stop_reason: null, stop_sequence: null, usage, ...rest },
  };
}

/** A block of a messages stream with its deltas. */
export function block(index: number, start: JsonObject, ...deltas: JsonObject[]): JsonObject[] {
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((part) => ({ type: "content_block_delta", index, delta: part })),
    { type: "content_block_stop", index },
  ];
}

/** The two payloads that end a messages stream. */
export function messageEnd(
  stopReason: unknown,
  usage: JsonObject = { output_tokens: 5 },
  rest: JsonObject = {},
): JsonObject[] {
  return [
    { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null, ...rest }, usage },
    { type: "message_stop" },
  ];
}

export const textBlock = (index: number, ...texts: string[]) =>
  block(index, { type: "text", text: "" }, ...texts.map((text) => ({ type: "text_delta", text })));

import type { JsonObject } from "@/lib/kernel/json-object";

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

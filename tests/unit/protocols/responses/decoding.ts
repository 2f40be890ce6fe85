import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { ResponsesDecoder } from "@/lib/protocols/responses/node/decode";
import { SseDecoder, type SseFrame } from "@/lib/protocols/sse/sse-decoder";

/** Options of a decoder. */
export const options = { id: "resp_own" };

/** The frames of a stream whose bytes arrive in these pieces. */
export function framesOf(...pieces: Uint8Array[]): SseFrame[] {
  const decoder = new SseDecoder();
  return [...pieces.flatMap((piece) => decoder.push(Buffer.from(piece))), ...decoder.end()];
}

/** What a node said by frames. */
export function decoded(frames: readonly SseFrame[], jsonToolArguments = false): GenerationEvent[] {
  const decoder = new ResponsesDecoder({ ...options, jsonToolArguments });
  return [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
}

/** What a node said by events. */
export function streamed(...payloads: object[]): GenerationEvent[] {
  return decoded(payloads.map((payload) => ({ event: null, data: JSON.stringify(payload) })));
}

/** All text of one kind. */
export function joined(events: readonly GenerationEvent[], type: "text" | "reasoning" | "refusal"): string {
  return events.map((event) => (event.type === type ? event.text : "")).join("");
}

/** All calls with their whole input. */
export function callsOf(events: readonly GenerationEvent[]) {
  const calls = new Map<number, { id: string; name: string; kind: string; input: string }>();
  for (const event of events) {
    if (event.type === "tool_open") calls.set(event.slot, { ...event, input: "" });
    const call = event.type === "tool_args" ? calls.get(event.slot) : undefined;
    if (call !== undefined && event.type === "tool_args") call.input += event.text;
  }
  return [...calls.values()];
}

/** Why the answer ended; null: it did not. */
export function finishOf(events: readonly GenerationEvent[]): string | null {
  const finish = events.find(({ type }) => type === "finish");
  return finish?.type === "finish" ? finish.reason : null;
}

/** The beginning of a stream. */
export const created = {
  type: "response.created",
  response: { id: "resp_1", model: "m", status: "in_progress" },
};
/** The end of a stream without items. */
export const completed = {
  type: "response.completed",
  response: { id: "resp_1", status: "completed", output: [] },
};
/** A message without parts. */
export const message = { type: "message", id: "msg_1", role: "assistant", content: [] };
/** A call without arguments. */
export const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "f", arguments: "" };

import type { JsonObject } from "@/lib/kernel/json-object";

/** Reasoning as the vendor seals it. */
export const SEALED = "gAAAAA-sealed-by-the-vendor";

/** The items of every answer. */
export const reasoning = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "Think." }],
  encrypted_content: SEALED,
};
export const message = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Hello", annotations: [] }],
};
/** An item that nobody knows. */
export const future = { type: "hologram", id: "h_1", beams: [1, { a: 2 }] };
/** The counts of every answer. */
export const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };

/** A whole answer of a Responses node. */
export function responseOf(model: string, fields: JsonObject = {}): JsonObject {
  const fixed = {
    id: "resp_node",
    object: "response",
    created_at: 1,
    status: "completed",
    model,
    store: false,
  };
  return { ...fixed, output: [reasoning, future, message], usage, ...fields };
}

/** The same answer as a stream. */
export function streamOf(model: string): string {
  return sse(eventsOf(model));
}

function eventsOf(model: string): JsonObject[] {
  const done = [reasoning, future, message].map((item, output_index) => ({
    type: "response.output_item.done",
    output_index,
    item,
  }));
  const begun = responseOf(model, { status: "in_progress", output: [], usage: null });
  return [
    { type: "response.created", response: begun },
    ...done,
    { type: "response.hologram.shown", output_index: 1, beams: [3] },
    { type: "response.completed", response: responseOf(model) },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}

function sse(events: readonly JsonObject[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

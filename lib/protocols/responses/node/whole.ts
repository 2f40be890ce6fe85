import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import type { DecoderOptions } from "@/lib/protocols/adapters/decoder";
import { failureOf, wholeErrors } from "@/lib/protocols/failures/failure-body";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { ResponsesDecoder } from "./decode";

/** The events of a whole response. Throws: nothing. Source: docs/responses.md#s3-2. */
export function responseEvents(body: unknown, options: DecoderOptions): GenerationEvent[] {
  const decoder = new ResponsesDecoder(options);
  const payloads = problemOf(body) ?? [{ type: terminalType(body), response: body }];
  return [...payloads.flatMap((payload) => decoder.accept(payload)), ...decoder.end()];
}

/** A whole response as the frames of its stream. Source: docs/responses.md#s3-2. */
export function responseFrames(body: unknown): SseFrame[] {
  const problem = problemOf(body);
  if (problem !== null) return framesOf(problem, 0);
  const response = isObject(body) ? body : {};
  const { usage: _usage, ...open } = response;
  const begun = { ...open, status: "in_progress", incomplete_details: null, output: [] };
  const items = Array.isArray(response.output) ? response.output.filter(isObject) : [];
  return framesOf(
    [
      { type: "response.created", response: begun },
      { type: "response.in_progress", response: begun },
      ...items.flatMap(itemPayloads),
      { type: terminalType(response), response },
    ],
    0,
  );
}

/** Payloads as frames, numbered from `first` on. */
export function framesOf(payloads: readonly JsonObject[], first: number): SseFrame[] {
  return payloads.map(({ type, ...rest }, at) => ({
    event: String(type),
    data: printJson({ type, sequence_number: first + at, ...rest }),
  }));
}

function terminalType(body: unknown): string {
  return isObject(body) && body.status === "incomplete" ? "response.incomplete" : "response.completed";
}

/** An error payload for a body that is no answer; null for an answer. */
function problemOf(body: unknown): JsonObject[] | null {
  if (!isObject(body)) return [errorPayload(wholeErrors.notAnObject)];
  if (failureOf(body) !== null) return [{ ...body, type: "error" }];
  if (!Array.isArray(body.output)) return [errorPayload(wholeErrors.noOutput)];
  const { status } = body;
  return status === "queued" || status === "in_progress" ? [errorPayload(wholeErrors.unfinished)] : null;
}

function errorPayload(message: string): JsonObject {
  return { type: "error", error: { message } };
}

/** One complete item as the payloads of its stream; unknown items are complete at the start. */
function itemPayloads(item: JsonObject, output_index: number): JsonObject[] {
  const place = { item_id: item.id ?? "", output_index };
  const stream = (empty: JsonObject, payloads: JsonObject[]): JsonObject[] => {
    const started = item.status === undefined ? empty : { ...empty, status: "in_progress" };
    return [
      { type: "response.output_item.added", output_index, item: { ...item, ...started } },
      ...payloads,
      { type: "response.output_item.done", output_index, item },
    ];
  };
  switch (item.type) {
    case "message":
      return stream({ content: [] }, partPayloads(item.content, "content_index", place));
    case "function_call":
      return stream({ arguments: "" }, inputPayloads("function_call_arguments", "arguments", item, place));
    case "custom_tool_call":
      return stream({ input: "" }, inputPayloads("custom_tool_call_input", "input", item, place));
    case "reasoning":
      return stream({ summary: [], ...(Array.isArray(item.content) ? { content: [] } : {}) }, [
        ...partPayloads(item.summary, "summary_index", place),
        ...partPayloads(item.content, "content_index", place),
      ]);
    default:
      return stream({}, []);
  }
}

/** The names of the events of streamed parts, and the field of their text. */
export const partStreams: Readonly<Record<string, { part: string; text: string; field: string }>> = {
  output_text: { part: "content_part", text: "output_text", field: "text" },
  refusal: { part: "content_part", text: "refusal", field: "refusal" },
  reasoning_text: { part: "content_part", text: "reasoning_text", field: "text" },
  summary_text: { part: "reasoning_summary_part", text: "reasoning_summary_text", field: "text" },
};

function partPayloads(parts: unknown, index: string, place: JsonObject): JsonObject[] {
  if (!Array.isArray(parts)) return [];
  return parts.filter(isObject).flatMap((part, at) => {
    const words = rowOf(partStreams, String(part.type));
    if (words === undefined) return [];
    const where = { ...place, [index]: at };
    const text = part[words.field];
    const { annotations } = part;
    const empty = Array.isArray(annotations) ? { [words.field]: "", annotations: [] } : { [words.field]: "" };
    const logprobs = Array.isArray(part.logprobs) ? { logprobs: part.logprobs } : {};
    const added = Array.isArray(annotations) ? annotations : [];
    return [
      { type: `response.${words.part}.added`, ...where, part: { ...part, ...empty } },
      { type: `response.${words.text}.delta`, ...where, delta: text, ...logprobs },
      ...added.map((annotation: unknown, annotation_index) => ({
        type: "response.output_text.annotation.added",
        ...where,
        annotation_index,
        annotation,
      })),
      { type: `response.${words.text}.done`, ...where, [words.field]: text },
      { type: `response.${words.part}.done`, ...where, part },
    ];
  });
}

function inputPayloads(name: string, field: string, item: JsonObject, place: JsonObject): JsonObject[] {
  return [
    { type: `response.${name}.delta`, ...place, delta: item[field] },
    { type: `response.${name}.done`, ...place, [field]: item[field] },
  ];
}

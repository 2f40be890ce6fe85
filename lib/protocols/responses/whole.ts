import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/read-json";
import type { DecoderOptions, LimitEnding } from "@/lib/protocols/adapters/decoder";
import { failureOf, wholeErrors } from "@/lib/protocols/failures/failure-body";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { ResponsesDecoder } from "./decode";
import { writeResponsesUsage } from "./resource";

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
function framesOf(payloads: readonly JsonObject[], first: number): SseFrame[] {
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

/** One complete item as the payloads that stream it; items that are not known start complete. */
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

/** How the parts of items stream in: the names of their events, and the field of their text. */
const partStreams: Readonly<Record<string, { part: string; text: string; field: string }>> = {
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

const frameType = /"type"\s*:\s*"([^"]+)"/;

/**
 * Ends a stream that is cut at its output limit: the open item is closed with what it holds. Only the frames of the open
 * item and the ends of the others are kept. Source: docs/reliability.md#s4-4.
 */
export class ResponsesLimitEnding implements LimitEnding {
  #created = "";
  #last = "";
  readonly #done: string[] = [];
  #open: string[] = [];

  watch({ event, data }: SseFrame): void {
    const type = event ?? frameType.exec(data)?.[1] ?? "";
    this.#last = data;
    if (type === "response.created") this.#created = data;
    else if (type === "response.output_item.done") {
      this.#done.push(data);
      this.#open = [];
    } else if (type === "response.output_item.added") this.#open = [data];
    else if (this.#open.length > 0) this.#open.push(data);
  }

  frames(output: number): SseFrame[] {
    const items = this.#done.map((data) => payloadOf(data).item);
    const closing = this.#open.length === 0 ? [] : closeItem(this.#open.map(payloadOf));
    const last = closing.at(-1);
    if (last !== undefined) items.push(last.item);
    const { response } = payloadOf(this.#created);
    const ended = {
      ...(isObject(response) ? response : {}),
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: items,
      usage: writeResponsesUsage({ output }),
    };
    const { sequence_number: sent } = payloadOf(this.#last);
    const payloads = [...closing, { type: "response.incomplete", response: ended }];
    return framesOf(payloads, typeof sent === "number" ? sent + 1 : 0);
  }
}

function payloadOf(data: string): JsonObject {
  const payload = parseJson(data);
  return isObject(payload) ? payload : {};
}

/** The payloads that close an item, the end of the item last. */
function closeItem(payloads: readonly JsonObject[]): JsonObject[] {
  const [{ item: added, output_index } = {}, ...rest] = payloads;
  const item: JsonObject = isObject(added) ? { ...added } : {};
  const place = { item_id: item.id ?? "", output_index };
  const closing: JsonObject[] = [];
  const part = openPart(rest);
  if (part === null) closing.push(...closeInput(item, rest, place));
  for (const field of ["content", "summary"]) if (Array.isArray(item[field])) item[field] = [];
  for (const { type, part: ended } of rest) {
    if (type === "response.content_part.done") item.content = [...listOf(item.content), ended];
    if (type === "response.reasoning_summary_part.done") item.summary = [...listOf(item.summary), ended];
  }
  if (part !== null) closing.push(...closePart(part, rest, item, place));
  if (item.status !== undefined) item.status = "incomplete";
  return [...closing, { type: "response.output_item.done", output_index, item }];
}

/** The payload that opened the part which is still open. */
function openPart(payloads: readonly JsonObject[]): JsonObject | null {
  const last = payloads.findLast(({ type }) => /_part\.(?:added|done)$/.test(String(type)));
  return last !== undefined && String(last.type).endsWith(".added") ? last : null;
}

function closePart(
  opened: JsonObject,
  payloads: readonly JsonObject[],
  item: JsonObject,
  place: JsonObject,
): JsonObject[] {
  const part: JsonObject = isObject(opened.part) ? { ...opened.part } : {};
  const words = rowOf(partStreams, String(part.type));
  if (words === undefined) return [];
  const index = words.part === "content_part" ? "content_index" : "summary_index";
  const where = { ...place, [index]: opened[index] };
  const mine = payloads.slice(payloads.indexOf(opened));
  part[words.field] = deltasOf(mine, `response.${words.text}.delta`);
  const list = index === "content_index" ? "content" : "summary";
  item[list] = [...listOf(item[list]), part];
  return [
    { type: `response.${words.text}.done`, ...where, [words.field]: part[words.field] },
    { type: `response.${words.part}.done`, ...where, part },
  ];
}

const inputs: Readonly<Record<string, { name: string; field: string }>> = {
  function_call: { name: "function_call_arguments", field: "arguments" },
  custom_tool_call: { name: "custom_tool_call_input", field: "input" },
};

/** Changes `item`. */
function closeInput(item: JsonObject, payloads: readonly JsonObject[], place: JsonObject): JsonObject[] {
  const words = rowOf(inputs, String(item.type));
  if (words === undefined) return [];
  const { name, field } = words;
  item[field] = deltasOf(payloads, `response.${name}.delta`);
  if (payloads.some(({ type }) => type === `response.${name}.done`)) return [];
  return [{ type: `response.${name}.done`, ...place, [field]: item[field] }];
}

function deltasOf(payloads: readonly JsonObject[], type: string): string {
  return payloads.map((payload) => (payload.type === type ? String(payload.delta) : "")).join("");
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

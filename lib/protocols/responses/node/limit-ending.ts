import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { LimitEnding } from "@/lib/protocols/adapters/decoder";
import { writeResponsesUsage } from "@/lib/protocols/responses/usage";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { framesOf, partStreams } from "./whole";

const frameType = /"type"\s*:\s*"([^"]+)"/;

/**
 * Ends a stream that is cut at its output limit: closes the open item with its content so far. Stores only the frames
 * of the open item and the ends of the others. Source: docs/reliability.md#s4-4.
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

/** The payload that opened the part which is still open; null: none is open. */
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

/** The payloads that close the input of a call. Changes `item`. */
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

import { printJson } from "@/lib/kernel/exact-json";
import { hasOnlyFields, isObject, type JsonObject } from "@/lib/kernel/json-object";
import { withModelName } from "@/lib/kernel/model-name";
import type { PassedWhole, PassthroughOptions } from "@/lib/protocols/adapters/passthrough";
import { failureOf, wholeErrors } from "@/lib/protocols/failures/failure-body";
import type { GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import { type Trimming, trimDelta } from "./choice-normalizer";
import { ChunkNormalizer } from "./chunk-normalizer";
import { ChatDecoder } from "./decode";
import { searchesOfUsage } from "./searches";
import { readChatUsage, writeChatUsage } from "./usage";

/**
 * A whole chat answer as the chunks of a stream: one chunk with the whole messages as deltas. At most as many choices
 * as were asked for are taken; their order is their index. A body that is no chat answer becomes an error chunk.
 * Source: docs/protocols.md#s12-1, #s13-3.
 */
export function chatChunks(body: unknown, asked = 1): JsonObject[] {
  if (!isObject(body)) return [{ error: { message: wholeErrors.notAnObject } }];
  if (failureOf(body) !== null) return [body];
  const choices = Array.isArray(body.choices) ? body.choices.filter(isObject) : [];
  if (choices.length === 0) return [{ error: { message: wholeErrors.noChoices } }];
  return [{ ...body, object: "chat.completion.chunk", choices: choices.slice(0, asked).map(asDelta) }];
}

function asDelta(choice: JsonObject, place: number): JsonObject {
  const delta: JsonObject = isObject(choice.message) ? { ...choice.message } : {};
  if (Array.isArray(delta.tool_calls)) delta.tool_calls = numbered(delta.tool_calls.filter(isObject));
  const chunk: JsonObject = {};
  for (const key in choice) if (key !== "message") chunk[key] = choice[key];
  chunk.index = place;
  chunk.delta = delta;
  return chunk;
}

/** Whole calls are identified by their position in the list, not by their ids and indexes. */
function numbered(calls: JsonObject[]): JsonObject[] {
  const seen = new Set<unknown>();
  return calls.map((call, index) => {
    const copy: JsonObject = { ...call, index };
    if (isObject(call.function)) copy.function = { arguments: "", ...call.function };
    if (seen.has(call.id)) delete copy.id;
    seen.add(call.id);
    return copy;
  });
}

const plainBody: ReadonlySet<string> = new Set([
  "id",
  "object",
  "created",
  "model",
  "choices",
  "usage",
  "system_fingerprint",
  "service_tier",
]);
const plainChoice: ReadonlySet<string> = new Set(["index", "message", "logprobs", "finish_reason"]);
const plainMessage: ReadonlySet<string> = new Set(["role", "content", "refusal"]);

/**
 * The events of a whole answer in the form that needs no repair: one choice with text, and valid counts. Null for every
 * other form, which `ChatDecoder` reads; the events are the same.
 */
export function plainChatEvents(body: unknown, asked = 1): GenerationEvent[] | null {
  if (asked !== 1 || !isObject(body) || !hasOnlyFields(body, plainBody) || body.object === "error")
    return null;
  const { id, model, choices, usage } = body;
  if (typeof id !== "string" || id === "" || typeof model !== "string" || !isObject(usage)) return null;
  const choice: unknown = Array.isArray(choices) && choices.length === 1 ? choices[0] : null;
  if (!isObject(choice) || !hasOnlyFields(choice, plainChoice) || choice.index !== 0) return null;
  if (isObject(choice.logprobs)) return null;
  const { message, finish_reason: native } = choice;
  if (native !== "stop" && native !== "length") return null;
  if (!isObject(message) || !hasOnlyFields(message, plainMessage)) return null;
  const { role, content, refusal } = message;
  if (role !== "assistant" || typeof content !== "string" || content === "") return null;
  const read = refusal === null || refusal === undefined ? readChatUsage(usage) : null;
  if (read === null || read.warnings.length > 0 || (searchesOfUsage(usage) ?? 0) > 0) return null;
  return [
    { type: "start", id, model },
    { type: "text", text: content },
    { type: "usage", usage: read.usage },
    { type: "finish", reason: native === "stop" ? "end" : "length", native },
    { type: "end" },
  ];
}

/**
 * Passes a whole chat answer on: its own bytes with the client's model name where nothing else has to change.
 * Throws: nothing; a body that is no answer gives an `error` event. Source: docs/protocols.md#s6-1.
 */
export function passWholeChat(json: string, body: JsonObject, options: PassthroughOptions): PassedWhole {
  const { id, alias, choices } = options;
  const plain = plainChatEvents(body, choices);
  if (plain !== null) return { events: plain, wire: (usage) => wireOf(json, body, alias, true, usage) };
  const normalizer = new ChunkNormalizer(id, choices);
  normalizer.normaliseBody(body);
  const decoder = new ChatDecoder({ id, choices });
  const chunks = chatChunks(body, choices);
  const events = [...chunks.flatMap((chunk) => decoder.accept(chunk)), ...decoder.done()];
  const trimmed = trimBody(body, options);
  return {
    events,
    wire: (usage) => wireOf(json, body, alias, !normalizer.edited && !trimmed, usage),
  };
}

/** The node's own bytes where only the model's name has to change. */
function wireOf(
  json: string,
  body: JsonObject,
  alias: string,
  isSame: boolean,
  usage?: PartialUsage,
): string {
  const same = isSame && !usage ? withModelName(json, body.model, alias) : null;
  if (same !== null) return same;
  body.model = alias;
  if (usage) body.usage = { ...(isObject(body.usage) ? body.usage : {}), ...writeChatUsage(usage) };
  return printJson(body);
}

/** Takes out of a whole answer what this client must not get; returns whether there was anything. */
function trimBody(body: JsonObject, trimming: Trimming): boolean {
  let edited = false;
  for (const choice of Array.isArray(body.choices) ? body.choices : []) {
    if (isObject(choice) && isObject(choice.message) && trimDelta(choice.message, trimming).edited)
      edited = true;
  }
  return edited;
}

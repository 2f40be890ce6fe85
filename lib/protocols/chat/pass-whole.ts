import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { PassedWhole, PassthroughOptions } from "@/lib/protocols/adapter";
import { toolCallId } from "@/lib/protocols/generation/tool-id";
import { withModelName } from "@/lib/protocols/model-name";
import { ChoiceNormalizer } from "./choice-normalizer";
import { isNoise } from "./chunk-normalizer";
import { flattenContent } from "./content";
import { ChatDecoder } from "./decode";
import { Edits } from "./edits";
import { callIdPrefix } from "./tool-call";
import { type Trimming, trimDelta } from "./trim";
import { writeChatUsage } from "./usage";
import { chatChunks } from "./whole";

/**
 * Passes a whole chat answer on: its own bytes with the client's model name where nothing else has to change.
 * Throws: nothing; a body that is no answer gives an `error` event. Source: docs/protocols.md#s6-1.
 */
export function passWholeChat(json: string, body: JsonObject, options: PassthroughOptions): PassedWhole {
  const { id, alias, choices } = options;
  const repaired = repairBody(body, id, choices ?? 1);
  const decoder = new ChatDecoder({ id, choices });
  const chunks = chatChunks(body, choices);
  const events = [...chunks.flatMap((chunk) => decoder.accept(chunk)), ...decoder.done()];
  const trimmed = trimBody(body, options);
  return {
    events,
    wire(usage) {
      const same = repaired || trimmed || usage ? null : withModelName(json, body.model, alias);
      if (same !== null) return same;
      body.model = alias;
      if (usage) body.usage = { ...(isObject(body.usage) ? body.usage : {}), ...writeChatUsage(usage) };
      return JSON.stringify(body);
    },
  };
}

/**
 * Repairs a whole chat answer in place for a chat client: vendor noise, array content, calls without id or type,
 * finish reasons that say nothing or the wrong thing. Returns whether anything changed. Source: docs/protocols.md#s6-1,
 * #s9-2, #s10.
 */
function repairBody(body: JsonObject, ownId: string, asked: number): boolean {
  const edits = new Edits();
  liftUsage(body, edits);
  for (const key of Object.keys(body)) if (isNoise(key)) edits.drop(body, key);
  if (typeof body.id !== "string" || body.id === "") edits.set(body, "id", ownId);
  const choices = Array.isArray(body.choices) ? body.choices : [];
  const kept = choices.filter(isObject).slice(0, asked);
  if (kept.length === 0) return edits.made;
  if (kept.length < choices.length) edits.set(body, "choices", kept);
  const numbered = new Set(kept.map(({ index }) => index));
  const ordered = numbered.size === kept.length && kept.every((_, place) => numbered.has(place));
  for (const [place, choice] of kept.entries()) {
    if (!ordered) edits.set(choice, "index", place);
    repairChoice(choice, place === 0 ? String(body.id) : `${body.id}.${place}`, edits);
  }
  return edits.made;
}

/** Takes out of a repaired body what this client must not get; returns whether there was anything. */
function trimBody(body: JsonObject, trimming: Trimming): boolean {
  let edited = false;
  for (const choice of Array.isArray(body.choices) ? body.choices : []) {
    if (isObject(choice) && isObject(choice.message) && trimDelta(choice.message, trimming).edited)
      edited = true;
  }
  return edited;
}

function repairChoice(choice: JsonObject, responseId: string, edits: Edits): void {
  edits.drop(choice, "content_filter_results");
  const message = isObject(choice.message) ? choice.message : {};
  edits.set(choice, "message", message);
  edits.set(message, "role", "assistant");
  if (flattenContent(message)) edits.made = true;
  if (message.content === undefined) edits.set(message, "content", null);
  if (message.refusal === "") edits.set(message, "refusal", null);
  repairCalls(message, responseId, edits);
  const call = message.function_call;
  if (call !== undefined && !(isObject(call) && (call.name || call.arguments)))
    edits.drop(message, "function_call");
  edits.set(choice, "finish_reason", finishReason(choice, message));
}

function repairCalls(message: JsonObject, seed: string, edits: Edits): void {
  if (!("tool_calls" in message)) return;
  const given = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const calls = given.filter(isObject);
  if (calls.length === 0) {
    edits.drop(message, "tool_calls");
    return;
  }
  if (calls.length !== given.length) edits.set(message, "tool_calls", calls);
  for (const [slot, call] of calls.entries()) {
    if (typeof call.id !== "string" || call.id === "")
      edits.set(call, "id", toolCallId(callIdPrefix, "", seed, slot));
    if (!isObject(call.function)) continue;
    edits.set(call, "type", "function");
    const json = call.function.arguments;
    if (json === undefined || json === null || json === "") edits.set(call.function, "arguments", "{}");
    else if (typeof json !== "string") edits.set(call.function, "arguments", JSON.stringify(json));
  }
}

/** The same rules as for a stream, applied to the whole message as one delta. */
function finishReason(choice: JsonObject, message: JsonObject): unknown {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  if (choice.finish_reason === "stop" && calls.length === 0 && message.function_call === undefined)
    return "stop";
  const repair = new ChoiceNormalizer(() => "");
  repair.repair({
    finish_reason: choice.finish_reason,
    delta: { function_call: message.function_call ?? null },
  });
  repair.noteCalls(calls.length);
  return (repair.ending() ?? repair.impliedEnding()).word;
}

function liftUsage(body: JsonObject, edits: Edits): void {
  if (isObject(body.usage) || !isObject(body.x_groq) || !isObject(body.x_groq.usage)) return;
  edits.set(body, "usage", body.x_groq.usage);
}

import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { ForwardOptions } from "@/lib/protocols/forwarder";
import { toolCallId } from "@/lib/protocols/generation/tool-id";
import { ChoiceRepair } from "./choice-normalizer";
import { isNoise } from "./chunk-normalizer";
import { flattenContent } from "./content";
import { Edits } from "./edits";
import { trimDelta } from "./trim";

/**
 * Repairs a whole chat answer in place for a chat client: vendor noise, array content, calls without id or type,
 * finish reasons that say nothing or the wrong thing. Returns whether anything changed. Source: docs/protocols.md#s6-1,
 * #s9-2, #s10.
 */
export function forwardChatBody(body: JsonObject, options: ForwardOptions): boolean {
  const edits = new Edits();
  liftUsage(body, edits);
  for (const key of Object.keys(body)) if (isNoise(key)) edits.drop(body, key);
  if (typeof body.id !== "string" || body.id === "") edits.set(body, "id", options.id);
  const choices = Array.isArray(body.choices) ? body.choices : [];
  const kept = choices.filter(isObject).slice(0, options.choices ?? 1);
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
export function trimChatBody(body: JsonObject, options: ForwardOptions): boolean {
  let edited = false;
  for (const choice of Array.isArray(body.choices) ? body.choices : []) {
    if (isObject(choice) && isObject(choice.message) && trimDelta(choice.message, options).edited)
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
      edits.set(call, "id", toolCallId("chat", "", seed, slot));
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
  const repair = new ChoiceRepair(() => "");
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

import type { ForwardOptions } from "../forwarder";
import { isObject, type JsonObject } from "../protocol";
import { toolCallId } from "../tool-id";
import { ChoiceRepair } from "./choice";
import { flattenContent } from "./content";
import { isNoise } from "./normalise";
import { trimDelta } from "./trim";

/**
 * Repairs a whole chat answer in place for a chat client: vendor noise, array content, calls without id or type,
 * finish reasons that say nothing or the wrong thing. Source: protocol 6.1, 9.2, 10.
 */
export function forwardChatBody(body: JsonObject, options: ForwardOptions): void {
  liftUsage(body);
  for (const key of Object.keys(body)) if (isNoise(key)) delete body[key];
  if (typeof body.id !== "string" || body.id === "") body.id = options.id;
  const choice = Array.isArray(body.choices) ? body.choices.find(isObject) : undefined;
  if (choice === undefined) return;
  body.choices = [choice];
  repairChoice(choice, String(body.id));
}

/** Takes out of a repaired body what this client must not get. */
export function trimChatBody(body: JsonObject, options: ForwardOptions): void {
  const choice = Array.isArray(body.choices) ? body.choices[0] : undefined;
  if (isObject(choice) && isObject(choice.message)) trimDelta(choice.message, options);
}

function repairChoice(choice: JsonObject, responseId: string): void {
  choice.index = 0;
  delete choice.content_filter_results;
  const message = isObject(choice.message) ? choice.message : {};
  choice.message = message;
  message.role = "assistant";
  flattenContent(message);
  if (message.content === undefined) message.content = null;
  if (message.refusal === "") message.refusal = null;
  repairCalls(message, responseId);
  const call = message.function_call;
  if (call !== undefined && !(isObject(call) && (call.name || call.arguments))) delete message.function_call;
  choice.finish_reason = finishReason(choice, message);
}

function repairCalls(message: JsonObject, seed: string): void {
  if (!("tool_calls" in message)) return;
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
  if (calls.length === 0) {
    delete message.tool_calls;
    return;
  }
  message.tool_calls = calls;
  for (const [slot, call] of calls.entries()) {
    if (typeof call.id !== "string" || call.id === "") call.id = toolCallId("chat", "", seed, slot);
    if (!isObject(call.function)) continue;
    call.type = "function";
    const json = call.function.arguments;
    if (json === undefined || json === null || json === "") call.function.arguments = "{}";
    else if (typeof json !== "string") call.function.arguments = JSON.stringify(json);
  }
}

/** The same rules as for a stream, applied to the whole message as one delta. */
function finishReason(choice: JsonObject, message: JsonObject): unknown {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const repair = new ChoiceRepair(() => "");
  repair.repair({
    finish_reason: choice.finish_reason,
    delta: { function_call: message.function_call ?? null },
  });
  repair.noteCalls(calls.length);
  return (repair.ending() ?? repair.impliedEnding()).word;
}

function liftUsage(body: JsonObject): void {
  if (isObject(body.usage) || !isObject(body.x_groq) || !isObject(body.x_groq.usage)) return;
  body.usage = body.x_groq.usage;
}

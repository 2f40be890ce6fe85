import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { Rendered, Target } from "@/lib/protocols/adapters/rendered";
import { signFirstCall } from "@/lib/protocols/chat/carried-members";
import { stopList } from "@/lib/protocols/chat/client/parse";
import { excludesReasoning } from "@/lib/protocols/chat/client/parse-reasoning";
import type { ChatMessage, ChatRequest } from "@/lib/protocols/chat/client/schema";
import { callIdPrefix } from "@/lib/protocols/chat/tool-call-assembler";
import { Losses } from "@/lib/protocols/generation/losses";
import { clampTemperature, endedHere, outputLimit, portableId } from "@/lib/protocols/passes/rendering";
import type { Profile } from "@/lib/protocols/profiles/profile";
import { moveSystemMessages } from "./move-system";
import { keepChatTools } from "./patch-tools";

const sameNames: ReadonlyMap<string, string> = new Map();
const noTools: ReadonlySet<string> = new Set();

/**
 * A chat request for a chat node: the client's own body with the changes that this node needs.
 * Source: docs/protocols.md#s6-1.
 */
export function patchChat(received: JsonObject, target: Target): Rendered {
  const request = received as ChatRequest; // the body has passed the schema
  const losses = new Losses();
  const stream = request.stream === true;
  const body: JsonObject = { ...request, model: target.upstreamModel };
  const choices = request.n ?? 1;
  const maxTokens = choices * setOutputLimit(body, request, target, losses);
  setUsageChunk(body, stream, target);
  dropFallbackModels(body, target, losses);
  const offeredCalls = keepChatTools(body, request, target, losses);
  setEffort(body, request, target, losses);
  dropSampling(body, target, losses);
  const stops = takeStops(body, request, target);
  const singleToolCall = dropParallelFlag(body, request, target, losses);
  repairMessages(body, request.messages, target, losses);
  const rendered: Rendered = {
    body,
    headers: forwardedHeaders(target),
    losses: losses.list(),
    stream,
    clientStream: stream,
    choices,
    maxTokens,
    limitChosen: (request.max_completion_tokens ?? request.max_tokens) == null,
    toolNames: sameNames,
    wrappedTools: noTools,
    hideReasoning: excludesReasoning(request),
    singleToolCall,
    ...endedHere(stops),
  };
  if (offeredCalls !== undefined) rendered.offeredCalls = offeredCalls;
  return rendered;
}

/** Returns the limit of each choice. */
function setOutputLimit(body: JsonObject, request: ChatRequest, target: Target, losses: Losses): number {
  const choices = request.n ?? 1;
  const wanted = request.max_completion_tokens ?? request.max_tokens;
  const limit = outputLimit(wanted, target, losses, { choices, longAnswers: false });
  const field = target.profile.maxTokensField;
  delete body[field === "max_tokens" ? "max_completion_tokens" : "max_tokens"];
  body[field] = limit;
  return limit;
}

function setUsageChunk(body: JsonObject, stream: boolean, target: Target): void {
  if (!stream) return;
  if (target.profile.streamOptions) {
    body.stream_options = { ...asObject(body.stream_options), include_usage: true };
  } else {
    delete body.stream_options;
  }
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

// Price and permission are checked for the alias only: a request must not contain a list of other models.
function dropFallbackModels(body: JsonObject, target: Target, losses: Losses): void {
  if (target.profile.modelFallbacks) return;
  for (const field of ["models", "route", "fallbacks"]) {
    if (body[field] === undefined) continue;
    delete body[field];
    losses.dropped(field);
  }
}

function setEffort(body: JsonObject, request: ChatRequest, target: Target, losses: Losses): void {
  const hasTools = (request.tools?.length ?? 0) > 0;
  if (target.profile.toolsWithEffort || !hasTools || request.reasoning_effort === "none") return;
  body.reasoning_effort = "none";
  losses.add("changed:reasoning_effort");
}

function dropSampling(body: JsonObject, target: Target, losses: Losses): void {
  clampTemperature(body, target.profile, losses);
  const { sampling, samplingAtEffortNone } = target.profile;
  if (sampling === "full" || (samplingAtEffortNone && body.reasoning_effort === "none")) return;
  for (const field of ["temperature", "top_p"]) {
    if (body[field] == null) continue;
    if (body[field] !== 1) losses.dropped(field);
    delete body[field];
  }
}

/** Removes the stop sequences if the node does not support them, and returns them. */
function takeStops(body: JsonObject, request: ChatRequest, { profile }: Target): readonly string[] {
  if (profile.stopAllowed || body.stop === undefined) return [];
  delete body.stop;
  return stopList(request.stop);
}

function dropParallelFlag(body: JsonObject, request: ChatRequest, target: Target, losses: Losses): boolean {
  if (target.profile.parallelFlag || request.parallel_tool_calls == null) return false;
  delete body.parallel_tool_calls;
  if (request.parallel_tool_calls) return false;
  losses.add("changed:parallel_tool_calls");
  return true;
}

function repairMessages(body: JsonObject, messages: ChatMessage[], target: Target, losses: Losses): void {
  const { reasoningEcho, midSystem } = target.profile;
  const repaired = moveSystemMessages(messages, midSystem).map((message) =>
    repairMessage(echoReasoning(message, reasoningEcho, losses), target),
  );
  const isSame =
    repaired.length === messages.length && repaired.every((message, index) => message === messages[index]);
  if (!isSame) body.messages = repaired;
}

function repairMessage(message: ChatMessage, { profile }: Target): ChatMessage {
  if (message.role === "developer" && !profile.developerRole) return { ...message, role: "system" };
  let repaired = withoutEmptyCallList(repairIds(message, profile));
  if (profile.emptyReasoning && isCallWithoutReasoning(message))
    repaired = { ...repaired, reasoning_content: "" };
  return profile.signedCalls ? withSignedCall(repaired) : repaired;
}

/** The vendor refuses an empty list of calls. Source: docs/protocols.md#s6-1. */
function withoutEmptyCallList(message: ChatMessage): ChatMessage {
  if (message.tool_calls?.length !== 0) return message;
  const { tool_calls: _none, ...kept } = message;
  return kept;
}

/** Gives a stand-in to a message whose calls have no signature. Source: docs/protocols.md#s8-5. */
function withSignedCall(message: ChatMessage): ChatMessage {
  const calls = (message.tool_calls ?? []).map((call) => ({ ...call }));
  return signFirstCall(calls) ? { ...message, tool_calls: calls } : message;
}

/** True for a message with calls and without reasoning. Source: docs/protocols.md#s8-4. */
function isCallWithoutReasoning({ tool_calls, reasoning_content }: ChatMessage): boolean {
  return (tool_calls?.length ?? 0) > 0 && (reasoning_content ?? null) === null;
}

function repairIds(message: ChatMessage, profile: Profile): ChatMessage {
  const max = profile.toolIdMax;
  if (max === null) return message;
  const fits = (id: string | null | undefined) => id == null || id.length <= max;
  if (message.role === "tool" && !fits(message.tool_call_id)) {
    return { ...message, tool_call_id: portableId(message.tool_call_id ?? "", callIdPrefix) };
  }
  if (message.tool_calls?.some((call) => !fits(call.id)) !== true) return message;
  return {
    ...message,
    tool_calls: message.tool_calls.map((call) =>
      fits(call.id) ? call : { ...call, id: portableId(call.id ?? "", callIdPrefix) },
    ),
  };
}

function forwardedHeaders({ headers }: Target): Record<string, string> {
  const beta = headers["openai-beta"];
  return beta === undefined ? {} : { "openai-beta": beta };
}

const fields = ["reasoning_content", "reasoning", "reasoning_details"] as const;

/**
 * An assistant message with its reasoning in the one field that the chat node reads, or without any. Reasoning without
 * a place there is reported as dropped. Returns the same message when nothing changes.
 * Source: docs/contract.md#b13, docs/protocols.md#s8-1, #s8-4.
 */
function echoReasoning(message: ChatMessage, wanted: Profile["reasoningEcho"], losses: Losses): ChatMessage {
  if (message.role !== "assistant") return message;
  const others = fields.filter((field) => field !== wanted && message[field] !== undefined);
  if (others.length === 0) return message;
  const echoed = wanted === "none" ? undefined : valueFor(wanted, message);
  const sent: ChatMessage = { ...message };
  for (const field of others) {
    delete sent[field];
    if (saysMore(message[field], echoed)) losses.dropped(field);
  }
  if (wanted !== "none" && echoed !== undefined) sent[wanted] = echoed;
  return sent;
}

/** The value of the wanted field: the client's own, else the text of another field. */
function valueFor(wanted: "reasoning_content" | "reasoning_details", message: ChatMessage): unknown {
  const own = message[wanted];
  if (!isEmpty(own)) return own;
  const text = fields.map((field) => textOf(message[field])).find((found) => found !== "");
  if (text === undefined) return own;
  return wanted === "reasoning_content" ? text : [{ type: "reasoning.text", text, index: 0 }];
}

/** True when a value contains something that the echoed value does not. */
function saysMore(value: unknown, echoed: unknown): boolean {
  if (isEmpty(value)) return false;
  return isSealed(value) || textOf(value) === "" || textOf(value) !== textOf(echoed);
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return detailsOf(value)
    .map((detail) => (detail.type === "reasoning.summary" ? detail.summary : detail.text))
    .filter((text) => typeof text === "string")
    .join("");
}

/** Signatures and encrypted entries exist in `reasoning_details` only. */
function isSealed(value: unknown): boolean {
  return detailsOf(value).some(({ signature, data }) => !isEmpty(signature) || !isEmpty(data));
}

function detailsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

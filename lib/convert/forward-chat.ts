import { clampTemperature } from "@/lib/convert/chat-temperature";
import type { Conversion, PreparedRequest } from "@/lib/convert/conversion";
import { outputLimit } from "@/lib/convert/output-limit";
import { echoReasoning } from "@/lib/convert/reasoning-echo";
import { excludesReasoning } from "@/lib/convert/reasoning-request";
import { stopList } from "@/lib/convert/stop-list";
import type { JsonObject } from "@/lib/kernel/json";
import type { ChatMessage, ChatRequest } from "@/lib/protocols/chat/schema";
import { portableId } from "@/lib/protocols/passes/tool-ids";

/**
 * A chat request for a chat node: the client's own body with the few edits that this node needs.
 * Source: docs/protocols.md#s6-1.
 */
export function forwardChat(request: ChatRequest, conversion: Conversion): PreparedRequest {
  const stream = request.stream === true;
  const body: JsonObject = { ...request, model: conversion.context.upstreamModel };
  const choices = request.n ?? 1;
  const maxTokens = choices * setOutputLimit(body, request, conversion);
  setUsageChunk(body, stream, conversion);
  dropFallbackModels(body, conversion);
  setEffort(body, request, conversion);
  dropSampling(body, conversion);
  const singleToolCall = dropParallelFlag(body, request, conversion);
  repairMessages(body, request.messages, conversion);
  return {
    body,
    headers: forwardedHeaders(conversion),
    warnings: conversion.warnings.list(),
    stream,
    upstreamStream: stream,
    includeUsage: request.stream_options?.include_usage === true,
    legacyFunctions: false,
    excludeReasoning: excludesReasoning(request),
    singleToolCall,
    toolNames: conversion.names.aliases,
    choices,
    maxTokens,
    limitChosen: (request.max_completion_tokens ?? request.max_tokens) == null,
    stopSequences: stopList(request.stop),
  };
}

/** Returns the limit of each choice. */
function setOutputLimit(body: JsonObject, request: ChatRequest, conversion: Conversion): number {
  const choices = request.n ?? 1;
  const limit = outputLimit(request.max_completion_tokens ?? request.max_tokens, conversion, choices);
  const field = conversion.profile.maxTokensField;
  delete body[field === "max_tokens" ? "max_completion_tokens" : "max_tokens"];
  body[field] = limit;
  return limit;
}

function setUsageChunk(body: JsonObject, stream: boolean, conversion: Conversion): void {
  if (!stream) return;
  if (conversion.profile.streamOptions) {
    body.stream_options = { ...asObject(body.stream_options), include_usage: true };
  } else {
    delete body.stream_options;
  }
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

// Prices and rights belong to the alias: a request must not bring its own list of models.
function dropFallbackModels(body: JsonObject, conversion: Conversion): void {
  if (conversion.profile.modelFallbacks) return;
  for (const field of ["models", "route", "fallbacks"]) {
    if (body[field] === undefined) continue;
    delete body[field];
    conversion.warnings.dropped(field);
  }
}

function setEffort(body: JsonObject, request: ChatRequest, conversion: Conversion): void {
  const hasTools = (request.tools?.length ?? 0) > 0;
  if (conversion.profile.toolsWithEffort || !hasTools || request.reasoning_effort === "none") return;
  body.reasoning_effort = "none";
  conversion.warnings.add("changed:reasoning_effort");
}

function dropSampling(body: JsonObject, conversion: Conversion): void {
  clampTemperature(body, conversion);
  const { sampling, samplingAtEffortNone } = conversion.profile;
  if (sampling === "full" || (samplingAtEffortNone && body.reasoning_effort === "none")) return;
  for (const field of ["temperature", "top_p"]) {
    if (body[field] == null) continue;
    if (body[field] !== 1) conversion.warnings.dropped(field);
    delete body[field];
  }
}

function dropParallelFlag(body: JsonObject, request: ChatRequest, conversion: Conversion): boolean {
  if (conversion.profile.parallelFlag || request.parallel_tool_calls == null) return false;
  delete body.parallel_tool_calls;
  if (request.parallel_tool_calls) return false;
  conversion.warnings.add("changed:parallel_tool_calls");
  return true;
}

function repairMessages(body: JsonObject, messages: ChatMessage[], conversion: Conversion): void {
  const repaired = messages.map((message) => repairMessage(echoReasoning(message, conversion), conversion));
  if (repaired.some((message, index) => message !== messages[index])) body.messages = repaired;
}

function repairMessage(message: ChatMessage, conversion: Conversion): ChatMessage {
  if (message.role === "developer" && !conversion.profile.developerRole)
    return { ...message, role: "system" };
  const max = conversion.profile.toolIdMax;
  if (max === null) return message;
  const fits = (id: string | null | undefined) => id == null || id.length <= max;
  if (message.role === "tool" && !fits(message.tool_call_id)) {
    return { ...message, tool_call_id: portableId(message.tool_call_id ?? "", "chat") };
  }
  if (message.tool_calls?.some((call) => !fits(call.id)) !== true) return message;
  return {
    ...message,
    tool_calls: message.tool_calls.map((call) =>
      fits(call.id) ? call : { ...call, id: portableId(call.id ?? "", "chat") },
    ),
  };
}

function forwardedHeaders(conversion: Conversion): Record<string, string> {
  const beta = conversion.context.headers?.["openai-beta"];
  return beta === undefined ? {} : { "openai-beta": beta };
}

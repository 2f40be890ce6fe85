import type { Conversion, PreparedRequest } from "@/lib/convert/conversion";
import { outputLimit } from "@/lib/convert/output-limit";
import { excludesReasoning } from "@/lib/convert/reasoning-request";
import { stopList } from "@/lib/convert/stop-list";
import { closeEnds } from "@/lib/convert/to-messages/ends";
import { convertHistory, type History } from "@/lib/convert/to-messages/history";
import { convertOutputFormat, type OutputFormat } from "@/lib/convert/to-messages/output-format";
import { convertSampling } from "@/lib/convert/to-messages/sampling";
import { planThinking, type ThinkingPlan } from "@/lib/convert/to-messages/thinking";
import { isForced, selectTools, type ToolSelection } from "@/lib/convert/to-messages/tool-choice";
import { convertTools, toolsOfHistory } from "@/lib/convert/to-messages/tools";
import { refuseUnsupported, warnOfDrops } from "@/lib/convert/to-messages/unsupported";
import { anonymous } from "@/lib/kernel/hash";
import type { JsonObject } from "@/lib/kernel/json";
import type { ChatRequest } from "@/lib/protocols/chat/schema";
import { firstVersion, strictVersion } from "@/lib/protocols/generation/version";
import { limitCacheControl, markPrefix, orderCacheTtl } from "@/lib/protocols/messages/cache-control";

/** A chat request for a messages node. Throws: INVALID_REQUEST naming the field. Source: docs/protocols.md#s4. */
export function chatToMessages(request: ChatRequest, conversion: Conversion): PreparedRequest {
  refuseUnsupported(request, conversion);
  warnOfDrops(request, conversion);
  const maxTokens = outputLimit(request.max_completion_tokens ?? request.max_tokens, conversion);
  const declared = convertTools(request, conversion);
  const history = convertHistory(request.messages, conversion);
  const planned = planThinking(request, history.turns, maxTokens, conversion);
  const chosen = chooseTools(request, declared, history, conversion);
  const { plan, selection } = reconcile(planned, chosen, conversion);
  const body = assemble(request, { maxTokens, history, plan, selection }, conversion);
  return {
    body,
    headers: { "anthropic-version": conversion.profile.sampling === "full" ? firstVersion : strictVersion },
    warnings: conversion.warnings.list(),
    stream: request.stream === true,
    upstreamStream: true,
    includeUsage: request.stream_options?.include_usage === true,
    legacyFunctions: request.functions != null && request.functions.length > 0,
    excludeReasoning: excludesReasoning(request),
    singleToolCall: false,
    toolNames: conversion.names.aliases,
    choices: 1,
    maxTokens,
    limitChosen: (request.max_completion_tokens ?? request.max_tokens) == null,
    stopSequences: stopList(request.stop),
  };
}

interface Parts {
  maxTokens: number;
  history: History;
  plan: ThinkingPlan;
  selection: ToolSelection;
}

function assemble(request: ChatRequest, parts: Parts, conversion: Conversion): JsonObject {
  const { context, profile, warnings } = conversion;
  const output = convertOutputFormat(request, conversion);
  const turns = closeEnds(parts.history.turns, parts.plan.mode === "off", conversion);
  const system = withInstruction(parts.history.system, output.instruction);
  const stop = usableStops(request, conversion);
  const body: JsonObject = { model: context.upstreamModel, max_tokens: parts.maxTokens };
  if (system.length > 0) body.system = system;
  body.messages = turns;
  if (parts.selection.tools.length > 0) body.tools = parts.selection.tools;
  if (parts.selection.choice !== null) body.tool_choice = parts.selection.choice;
  if (parts.plan.thinking !== null) body.thinking = parts.plan.thinking;
  Object.assign(body, outputConfig(parts.plan, output), convertSampling(request, parts.plan, conversion));
  if (stop.length > 0) body.stop_sequences = stop;
  Object.assign(body, userMetadata(request, conversion), serviceTier(request, conversion));
  body.stream = true;
  if (profile.autoCache) markPrefix(body);
  orderCacheTtl(body, warnings);
  return limitCacheControl(body, warnings);
}

function chooseTools(
  request: ChatRequest,
  declared: JsonObject[],
  history: History,
  conversion: Conversion,
): ToolSelection {
  if (declared.length > 0 || !conversion.profile.toolsForHistory)
    return selectTools(request, declared, conversion);
  const tools = toolsOfHistory(history.turns);
  if (tools.length === 0) return { tools, choice: null };
  conversion.warnings.add("added:tools");
  return { tools, choice: { type: "none" } };
}

// A forced call and a thinking budget exclude each other; what the client said more loosely gives way.
function reconcile(plan: ThinkingPlan, selection: ToolSelection, conversion: Conversion) {
  if (!isForced(selection.choice)) return { plan, selection };
  if (conversion.profile.forcedTool) {
    if (plan.mode !== "enabled") return { plan, selection };
    if (!plan.explicit) {
      conversion.warnings.dropped(plan.field);
      const without: ThinkingPlan = { ...plan, mode: "off", thinking: null, effort: null };
      return { plan: without, selection };
    }
  }
  conversion.warnings.add("changed:tool_choice");
  const { name: _name, ...choice } = { ...selection.choice, type: "auto" } as JsonObject; // an object with one more field
  return { plan, selection: { ...selection, choice } };
}

function withInstruction(system: JsonObject[], instruction: string | null): JsonObject[] {
  return instruction === null ? system : [...system, { type: "text", text: instruction }];
}

function outputConfig(plan: ThinkingPlan, output: OutputFormat): JsonObject {
  const config: JsonObject = {};
  if (plan.effort !== null) config.effort = plan.effort;
  if (output.format !== null) config.format = output.format;
  return Object.keys(config).length > 0 ? { output_config: config } : {};
}

function usableStops(request: ChatRequest, conversion: Conversion): string[] {
  const stops = stopList(request.stop);
  const usable = stops.filter((stop) => stop.trim() !== "");
  if (usable.length < stops.length) conversion.warnings.dropped("stop");
  return usable;
}

function userMetadata(request: ChatRequest, conversion: Conversion): JsonObject {
  const user = request.safety_identifier ?? request.user;
  if (user == null || user === "") return {};
  return { metadata: { user_id: anonymous(conversion.context.provenanceKey, user) } };
}

const tiers: Record<string, string> = { auto: "auto", default: "standard_only", priority: "auto" };

function serviceTier(request: ChatRequest, conversion: Conversion): JsonObject {
  if (request.service_tier == null) return {};
  const tier = conversion.profile.serviceTier ? tiers[request.service_tier] : undefined;
  if (tier !== undefined) return { service_tier: tier };
  conversion.warnings.dropped("service_tier");
  return {};
}

import { pseudonymize } from "@/lib/kernel/hash";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Rendered, Target } from "@/lib/protocols/adapters/rendered";
import { callIdPrefix } from "@/lib/protocols/chat/tool-call-assembler";
import { refusal } from "@/lib/protocols/generation/problems";
import {
  type Effort,
  effortOfWish,
  type GenerationRequest,
  type ReasoningWish,
  type SchemaFormat,
} from "@/lib/protocols/generation/request";
import {
  asksForStream,
  endedHere,
  fieldOf,
  nearestEffort,
  noteDroppedFields,
  type OutputForm,
  openRendering,
  outputLimit,
  type Rendering,
  refuseFields,
  schemaInstruction,
} from "@/lib/protocols/passes/rendering";
import { isFullyRequired } from "@/lib/protocols/passes/schema-clean";
import { chatConcepts } from "./concepts";
import { renderHistory } from "./render-history";
import { renderToolChoice } from "./render-tool-choice";
import { renderTools } from "./render-tools";

/** The body of a chat node. Throws: INVALID_REQUEST naming the client's field. Source: docs/protocols.md#s5. */
export function renderChat(request: GenerationRequest, target: Target): Rendered {
  const rendering = openRendering(request, target, callIdPrefix);
  const { profile, losses, names } = rendering;
  refuseFields(rendering, chatConcepts, "serverState");
  if (request.otherModalities) throw refusal(rendering.words.outputModalities());
  if (request.blockingModeration) throw refusal(rendering.words.moderation());
  noteDroppedFields(rendering, chatConcepts);
  const maxTokens = outputLimit(request.outputLimit, target, losses, request);
  const { tools, webSearchOptions } = renderTools(rendering);
  const choice = renderToolChoice(tools, rendering);
  const reasoning = reasoningFields(tools.length > 0, rendering);
  const output = outputForm(rendering);
  const messages = renderHistory(rendering);
  addInstruction(messages, output.instruction, profile.systemRole);
  const body: JsonObject = { model: target.upstreamModel, messages, [profile.maxTokensField]: maxTokens };
  if (tools.length > 0) body.tools = tools;
  Object.assign(body, choice.fields, reasoning);
  addSampling(body, rendering);
  const stops = addStops(body, rendering);
  if (output.format !== null) body.response_format = output.format;
  addVerbosity(body, rendering);
  if (webSearchOptions !== null) body.web_search_options = webSearchOptions;
  addChoices(body, rendering);
  addCaller(body, rendering);
  addServiceTier(body, rendering);
  const stream = asksForStream(request, maxTokens * request.choices);
  if (stream) body.stream = true;
  if (stream && profile.streamOptions) body.stream_options = { include_usage: true };
  return {
    body,
    headers: {},
    losses: losses.list(),
    stream,
    clientStream: request.stream,
    choices: request.choices,
    maxTokens: maxTokens * request.choices,
    limitChosen: request.outputLimit === null,
    toolNames: names.aliases,
    wrappedTools: rendering.wrappedTools,
    hideReasoning: request.reasoning.hidden,
    singleToolCall: choice.singleToolCall,
    ...endedHere(stops),
    ...(output.instruction !== null && { jsonInWords: true as const }),
  };
}

function addChoices(body: JsonObject, { request }: Rendering): void {
  const { choices, logProbabilities } = request;
  if (choices !== 1) body.n = choices;
  if (logProbabilities === null) return;
  body.logprobs = true;
  if (logProbabilities.top !== null) body.top_logprobs = logProbabilities.top;
}

/** The fields of the client's reasoning wishes on a chat node. Source: docs/protocols.md#s5-6, #d11. */
function reasoningFields(hasTools: boolean, rendering: Rendering): JsonObject {
  const { wish } = rendering.request.reasoning;
  const effort = wish === null ? null : effortOfWish(wish);
  switch (rendering.profile.reasoningSwitch) {
    case "reasoning_effort":
      return effortField(wish, effort, hasTools, rendering);
    case "thinking":
      return effort === null ? {} : { thinking: { type: effort === "none" ? "disabled" : "enabled" } };
    case "enable_thinking":
      return effort === null ? {} : { enable_thinking: effort !== "none" };
  }
}

function effortField(
  wish: ReasoningWish | null,
  wanted: Effort | null,
  hasTools: boolean,
  { profile, losses }: Rendering,
): JsonObject {
  const { effortLevels, toolsWithEffort } = profile;
  if (hasTools && !toolsWithEffort) {
    if (wanted !== null && wanted !== "none") losses.add("changed:reasoning_effort");
    return { reasoning_effort: "none" };
  }
  if (wish === null || wanted === null) return {};
  // `minimal` asks for some reasoning, so `none` does not replace it.
  const levels = wanted === "minimal" ? effortLevels.filter((level) => level !== "none") : effortLevels;
  const effort = nearestEffort(wanted, levels);
  if (effort !== null) {
    if (effort !== wanted && wish.kind === "effort" && wish.source !== "thinking")
      losses.add(`changed:${wish.source}`);
    return { reasoning_effort: effort };
  }
  if (wanted !== "none") losses.dropped(wish.source);
  return {};
}

/** `response_format`, and the instruction for a node without schemas. Source: docs/protocols.md#s5-7. */
function outputForm({ request, profile, losses }: Rendering): OutputForm {
  const wanted = request.outputFormat;
  if (wanted === null) return { format: null, instruction: null };
  if (wanted.kind === "json") return { format: { type: "json_object" }, instruction: null };
  const { schema, source } = wanted;
  if (profile.structuredOutput) return { format: schemaFormat(wanted), instruction: null };
  losses.add(`changed:${source}`);
  return { format: { type: "json_object" }, instruction: schemaInstruction(schema) };
}

function schemaFormat({ schema, name, description, strict }: SchemaFormat): JsonObject {
  const named: JsonObject = { name: name ?? "response" };
  if (description !== null) named.description = description;
  const json_schema = { ...named, schema, strict: strict !== false && isFullyRequired(schema) };
  return { type: "json_schema", json_schema };
}

function addVerbosity(body: JsonObject, rendering: Rendering): void {
  const { verbosity } = rendering.request;
  if (verbosity === null || verbosity === "medium") return;
  if (rendering.profile.verbosity) body.verbosity = verbosity;
  else rendering.losses.dropped(fieldOf(rendering, "verbosity", "verbosity"));
}

/** Adds the instruction to the operator's message, or as a message. Changes `messages`. */
function addInstruction(messages: JsonObject[], instruction: string | null, role: string): void {
  if (instruction === null) return;
  const first = messages[0];
  if (first?.role !== role) messages.unshift({ role, content: instruction });
  else if (Array.isArray(first.content)) first.content.push({ type: "text", text: instruction });
  else first.content = `${String(first.content)}\n\n${instruction}`;
}

/** temperature, top_p and top_k as far as the model accepts them. Source: docs/protocols.md#s5-1. */
function addSampling(body: JsonObject, rendering: Rendering): void {
  const { profile, losses, request } = rendering;
  const { temperature, topP, topK } = request.sampling;
  const free =
    profile.sampling === "full" || (profile.samplingAtEffortNone && body.reasoning_effort === "none");
  if (temperature !== null) {
    if (free) setTemperature(body, temperature, rendering);
    else if (temperature !== 1) losses.dropped("temperature");
  }
  if (topP !== null) {
    if (free) body.top_p = topP;
    else if (topP !== 1) losses.dropped("top_p");
  }
  addPenalties(body, free, rendering);
  if (request.sampling.seed !== null) body.seed = request.sampling.seed;
  if (topK === null) return;
  if (profile.topK) body.top_k = topK;
  else losses.dropped("top_k");
}

/** `free`: the model takes sampling parameters. */
function addPenalties(body: JsonObject, free: boolean, { request, losses }: Rendering): void {
  const { frequencyPenalty, presencePenalty } = request.sampling;
  const wanted = { frequency_penalty: frequencyPenalty, presence_penalty: presencePenalty };
  for (const [field, penalty] of Object.entries(wanted)) {
    if (penalty === null || penalty === 0) continue;
    if (free) body[field] = penalty;
    else losses.dropped(field);
  }
}

function setTemperature(body: JsonObject, wanted: number, { profile, losses }: Rendering): void {
  body.temperature = Math.min(wanted, profile.tempMax);
  if (wanted > profile.tempMax) losses.add("clamped:temperature");
}

/**
 * Adds the stop sequences; returns those that the node does not support. Throws: INVALID_REQUEST when there are too
 * many.
 * Source: docs/protocols.md#s5-1, #s10-1.
 */
function addStops(body: JsonObject, { profile, words, request }: Rendering): readonly string[] {
  if (request.stop.length === 0) return [];
  if (!profile.stopAllowed) return request.stop;
  if (profile.stopMax !== null && request.stop.length > profile.stopMax)
    throw refusal(words.stopCount(profile.stopMax));
  body.stop = request.stop;
  return [];
}

/** The caller and the session, hashed, in the node's fields for them. Source: docs/protocols.md#s5-1. */
function addCaller(body: JsonObject, { request, profile, target }: Rendering): void {
  const { caller, session } = request;
  const key = target.provenanceKey;
  if (caller !== null && caller !== "" && profile.userField !== null)
    body[profile.userField] = pseudonymize(key, caller);
  if (session !== null && profile.promptCacheKey) body.prompt_cache_key = pseudonymize(key, session);
}

/** The service tier, if the node has tiers. */
function addServiceTier(body: JsonObject, rendering: Rendering): void {
  const { request, profile, losses } = rendering;
  const tier = request.serviceTier;
  if (tier === null) return;
  if (profile.serviceTier && tier !== "other") body.service_tier = tier === "standard" ? "default" : tier;
  else if (tier !== "auto") losses.dropped(fieldOf(rendering, "serviceTier", "service_tier"));
}

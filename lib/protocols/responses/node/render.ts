import { pseudonymize } from "@/lib/kernel/hash";
import type { JsonObject } from "@/lib/kernel/json-object";
import { type OfferedCalls, offerCalls } from "@/lib/kernel/usage";
import type { Rendered, Target } from "@/lib/protocols/adapters/rendered";
import type { Losses } from "@/lib/protocols/generation/losses";
import { refusal, refusedHere } from "@/lib/protocols/generation/problems";
import { effortOfWish, type GenerationRequest } from "@/lib/protocols/generation/request";
import {
  asksForStream,
  endedHere,
  fieldOf,
  nearestEffort,
  noteDroppedFields,
  openRendering,
  outputLimit,
  type Rendering,
  refuseFields,
} from "@/lib/protocols/passes/rendering";
import { isFullyRequired } from "@/lib/protocols/passes/schema-clean";
import { mayReason } from "@/lib/protocols/profiles/profile";
import { responsesConcepts } from "./concepts";
import { pricedToolOf } from "./priced-tools";
import { renderInput } from "./render-input";
import { renderToolChoice } from "./render-tool-choice";
import { renderTools } from "./render-tools";

/** The prefix of tool call ids that the gateway makes. */
const callIdPrefix = "call_";
/** The lowest output limit that nodes accept. Units: tokens. */
const LEAST_OUTPUT = 16;

/** An output limit that Responses nodes accept. Units: tokens. Source: docs/responses.md#s3-3. */
export function takenLimit(limit: number, losses: Losses): number {
  if (limit >= LEAST_OUTPUT) return limit;
  losses.add("clamped:max_tokens");
  return LEAST_OUTPUT;
}

/** The body of a Responses node. Throws: INVALID_REQUEST naming the client's field. Source: docs/responses.md#s3-5. */
export function renderResponses(request: GenerationRequest, target: Target): Rendered {
  const rendering = openRendering(request, target, callIdPrefix);
  const { losses, names } = rendering;
  refuseUnsupported(rendering);
  noteDroppedFields(rendering, responsesConcepts);
  const maxTokens = takenLimit(outputLimit(request.outputLimit, target, losses), losses);
  const tools = renderTools(rendering);
  const input = renderInput(rendering);
  // Nodes store nothing: their ids do not survive a failover, and prompts must not be stored.
  const body: JsonObject = { model: target.upstreamModel, input, store: false, max_output_tokens: maxTokens };
  if (tools.length > 0) body.tools = tools;
  Object.assign(body, renderToolChoice(tools, rendering));
  addReasoning(body, rendering);
  addText(body, rendering);
  addSampling(body, rendering);
  addInclude(body, rendering);
  addCaller(body, rendering);
  const offered = offerSearches(body, tools, rendering);
  const stream = asksForStream(request, maxTokens);
  if (stream) body.stream = true;
  const rendered: Rendered = {
    body,
    headers: {},
    losses: losses.list(),
    stream,
    clientStream: request.stream,
    choices: 1,
    maxTokens,
    limitChosen: request.outputLimit === null,
    toolNames: names.aliases,
    wrappedTools: rendering.wrappedTools,
    hideReasoning: request.reasoning.hidden,
    singleToolCall: false,
    ...endedHere(request.stop),
  };
  if (offered !== null) rendered.offeredCalls = offered;
  return rendered;
}

/**
 * Bounds the searches of the node, which bills them by the call; null: no search is offered. The limit of one search
 * tool among several has no field. Source: docs/responses.md#s3-6.
 */
function offerSearches(
  body: JsonObject,
  tools: readonly JsonObject[],
  { request, target, losses }: Rendering,
): OfferedCalls | null {
  const offered = tools.filter(({ type }) => pricedToolOf(type) === "webSearch").length;
  if (offered === 0) return null;
  let limit: number | null = null;
  for (const tool of request.tools) {
    if (tool.kind !== "hosted" || tool.maxUses === undefined) continue;
    if (offered === 1) limit = tool.maxUses;
    else losses.dropped(`${tool.source}.max_uses`);
  }
  const { offered: calls, told } = offerCalls(["webSearch"], limit, target.perCall);
  if (told !== null) losses.add(`added:max_tool_calls:${told}`);
  const sent = limit ?? told;
  if (sent !== null) body.max_tool_calls = sent;
  return calls;
}

function refuseUnsupported(rendering: Rendering): void {
  const { request, target, words, losses } = rendering;
  if (request.choices !== 1) {
    if (target.compatibility !== "lenient") throw refusedHere(words.choices(), "one is asked for");
    losses.dropped(fieldOf(rendering, "choices", "n"));
  }
  if (request.audioOutput) throw refusal(words.audioOutput());
  if (request.otherModalities) throw refusal(words.outputModalities());
  if (request.blockingModeration) throw refusal(words.moderation());
  refuseFields(rendering, responsesConcepts, "serverState");
}

/** Adds `reasoning`; a summary only for clients that ask for reasoning text and not only for an effort. */
function addReasoning(body: JsonObject, { request, profile, losses }: Rendering): void {
  const { wish, hidden, overridden } = request.reasoning;
  for (const field of overridden) losses.dropped(field);
  if (wish === null) return;
  const wanted = effortOfWish(wish);
  // `minimal` asks for some reasoning, so `none` does not replace it.
  const levels = profile.effortLevels.filter((level) => wanted !== "minimal" || level !== "none");
  const effort = wanted === null ? null : nearestEffort(wanted, levels);
  if (effort === null && wanted !== null) {
    if (wanted !== "none") losses.dropped(wish.source);
    return;
  }
  if (effort !== wanted && wish.kind === "effort") losses.add(`changed:${wish.source}`);
  const asksForThoughts = !hidden && effort !== "none" && wish.source !== "reasoning_effort";
  const reasoning: JsonObject = effort === null ? {} : { effort };
  if (asksForThoughts) reasoning.summary = "auto";
  if (Object.keys(reasoning).length > 0) body.reasoning = reasoning;
}

/** Adds `text`: the form of the answer and its verbosity. */
function addText(body: JsonObject, rendering: Rendering): void {
  const { request, profile, losses } = rendering;
  const text: JsonObject = {};
  const wanted = request.outputFormat;
  if (wanted?.kind === "json") text.format = { type: "json_object" };
  if (wanted?.kind === "json_schema") {
    const format: JsonObject = { type: "json_schema", name: wanted.name ?? "structured_output" };
    if (wanted.description !== null) format.description = wanted.description;
    const strict = wanted.strict !== false && isFullyRequired(wanted.schema);
    text.format = { ...format, schema: wanted.schema, strict };
  }
  const { verbosity } = request;
  if (verbosity !== null && verbosity !== "medium") {
    if (profile.verbosity) text.verbosity = verbosity;
    else losses.dropped(fieldOf(rendering, "verbosity", "verbosity"));
  }
  if (Object.keys(text).length > 0) body.text = text;
}

/** temperature and top_p as far as the model accepts them. */
function addSampling(body: JsonObject, { profile, losses, request }: Rendering): void {
  const { temperature, topP } = request.sampling;
  const effort = request.reasoning.wish === null ? null : effortOfWish(request.reasoning.wish);
  const free = profile.sampling === "full" || (profile.samplingAtEffortNone && effort === "none");
  if (free && temperature !== null) {
    body.temperature = Math.min(temperature, profile.tempMax);
    if (temperature > profile.tempMax) losses.add("clamped:temperature");
  }
  if (free && topP !== null) body.top_p = topP;
  if (free) return;
  if (temperature !== null && temperature !== 1) losses.dropped("temperature");
  if (topP !== null && topP !== 1) losses.dropped("top_p");
}

/** Adds `include`: the additional data of the answer. */
function addInclude(body: JsonObject, { request, profile }: Rendering): void {
  const include: string[] = [];
  if (mayReason(profile)) include.push("reasoning.encrypted_content");
  const { logProbabilities } = request;
  if (logProbabilities !== null) {
    include.push("message.output_text.logprobs");
    if (logProbabilities.top !== null) body.top_logprobs = logProbabilities.top;
  }
  if (include.length > 0) body.include = include;
}

/** The caller and the session, hashed, and the service tier. */
function addCaller(body: JsonObject, rendering: Rendering): void {
  const { request, profile, target, losses } = rendering;
  const { caller, session, serviceTier: tier } = request;
  const key = target.provenanceKey;
  if (caller !== null && caller !== "" && profile.userField !== null)
    body[profile.userField] = pseudonymize(key, caller);
  if (session !== null && profile.promptCacheKey) body.prompt_cache_key = pseudonymize(key, session);
  if (tier === null) return;
  if (profile.serviceTier && tier !== "other") body.service_tier = tier === "standard" ? "default" : tier;
  else if (tier !== "auto") losses.dropped(fieldOf(rendering, "serviceTier", "service_tier"));
}

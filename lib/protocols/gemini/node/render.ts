import type { JsonObject } from "@/lib/kernel/json-object";
import type { Rendered, Target } from "@/lib/protocols/adapters/rendered";
import { refusal } from "@/lib/protocols/generation/problems";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import {
  asksForStream,
  endedHere,
  fieldOf,
  jsonInstruction,
  noteDroppedFields,
  openRendering,
  outputLimit,
  type Rendering,
  refuseFields,
  schemaInstruction,
} from "@/lib/protocols/passes/rendering";
import { geminiConcepts } from "./concepts";
import { oldSchema } from "./old-schema";
import { renderHistory } from "./render-history";
import { renderTools } from "./render-tools";
import { nodeSchema } from "./schema";
import { thinkingConfig } from "./thinking";

/** The prefix of the ids of calls. */
const CALL_ID_PREFIX = "call_";

/** The body of a Gemini node. Throws: INVALID_REQUEST naming the client's field. Source: docs/gemini.md#to-nodes. */
export function renderGemini(request: GenerationRequest, target: Target): Rendered {
  const rendering = openRendering(request, target, CALL_ID_PREFIX);
  const { losses, names } = rendering;
  refuseUnsupported(rendering);
  noteDroppedFields(rendering, geminiConcepts);
  const maxTokens = outputLimit(request.outputLimit, target, losses, request);
  const { tools, calling, hasFunctions, offered, singleToolCall } = renderTools(rendering);
  const history = renderHistory(rendering);
  const config: JsonObject = { maxOutputTokens: maxTokens };
  const instruction = addFormat(config, hasFunctions, rendering);
  if (instruction !== null) history.system.push({ text: instruction });
  const stops = addSampling(config, rendering);
  addChoices(config, request);
  const thinking = thinkingConfig(maxTokens, rendering);
  if (thinking !== null) config.thinkingConfig = thinking;
  const body: JsonObject = { contents: history.contents };
  if (history.system.length > 0) body.systemInstruction = { parts: history.system };
  if (tools.length > 0) body.tools = tools;
  if (calling !== null) body.toolConfig = { functionCallingConfig: calling };
  body.generationConfig = config;
  addServiceTier(body, rendering);
  return {
    body,
    headers: {},
    losses: losses.list(),
    stream: asksForStream(request, maxTokens * request.choices),
    clientStream: request.stream,
    choices: request.choices,
    maxTokens: maxTokens * request.choices,
    limitChosen: request.outputLimit === null,
    toolNames: names.aliases,
    wrappedTools: rendering.wrappedTools,
    hideReasoning: request.reasoning.hidden,
    singleToolCall,
    ...endedHere(stops),
    ...(instruction !== null && { jsonInWords: true as const }),
    ...(offered !== undefined && { offeredCalls: offered }),
  };
}

function refuseUnsupported(rendering: Rendering): void {
  const { request, words } = rendering;
  if (request.audioOutput) throw refusal(words.audioOutput());
  if (request.otherModalities) throw refusal(words.outputModalities());
  if (request.blockingModeration) throw refusal(words.moderation());
  refuseFields(rendering, geminiConcepts, "serverState");
}

/**
 * The form of the answer. Returns the instruction for a model that has no field for it, or none beside functions; else
 * null.
 */
function addFormat(config: JsonObject, hasFunctions: boolean, rendering: Rendering): string | null {
  const { request, profile, losses } = rendering;
  const wanted = request.outputFormat;
  if (wanted === null) return null;
  const isPossible = !hasFunctions || profile.formatWithTools;
  if (wanted.kind === "json") {
    if (!isPossible) losses.add(`changed:${wanted.source}`);
    else config.responseMimeType = "application/json";
    return isPossible ? null : jsonInstruction;
  }
  if (!isPossible || !profile.structuredOutput) {
    losses.add(`changed:${wanted.source}`);
    return schemaInstruction(wanted.schema);
  }
  config.responseMimeType = "application/json";
  if (profile.jsonSchema) config.responseJsonSchema = nodeSchema(wanted.schema, losses);
  else config.responseSchema = oldSchema(wanted.schema, losses);
  return null;
}

/** Adds sampling and stop sequences; returns the sequences at which the gateway ends the answer. */
function addSampling(config: JsonObject, { request, profile, losses }: Rendering): readonly string[] {
  const { temperature, topP, topK, seed, frequencyPenalty, presencePenalty } = request.sampling;
  if (temperature !== null) {
    config.temperature = Math.min(temperature, profile.tempMax);
    if (temperature > profile.tempMax) losses.add("clamped:temperature");
  }
  if (topP !== null) config.topP = topP;
  // Several servers read -1 as "no limit"; here the field is left out for that.
  if (topK !== null && topK >= 1) config.topK = topK;
  if (seed !== null) config.seed = seed;
  if (frequencyPenalty !== null) config.frequencyPenalty = frequencyPenalty;
  if (presencePenalty !== null) config.presencePenalty = presencePenalty;
  const stop = request.stop.filter((sequence) => sequence !== "");
  if (stop.length === 0) return stop;
  if (!profile.stopAllowed || (profile.stopMax !== null && stop.length > profile.stopMax)) return stop;
  config.stopSequences = stop;
  return [];
}

function addChoices(config: JsonObject, { choices, logProbabilities }: GenerationRequest): void {
  if (choices !== 1) config.candidateCount = choices;
  if (logProbabilities === null) return;
  config.responseLogprobs = true;
  if (logProbabilities.top !== null) config.logprobs = logProbabilities.top;
}

function addServiceTier(body: JsonObject, rendering: Rendering): void {
  const { request, profile, losses } = rendering;
  const { serviceTier: tier } = request;
  if (tier === null || tier === "auto") return;
  if (profile.serviceTier && tier !== "other") body.serviceTier = tier;
  else losses.dropped(fieldOf(rendering, "serviceTier", "service_tier"));
}

import type { JsonObject } from "@/lib/kernel/json-object";
import type { ParseContext } from "@/lib/protocols/adapters/client-request";
import { geminiFields } from "@/lib/protocols/gemini/fields";
import type { GenerationRequest, LogProbabilities } from "@/lib/protocols/generation/request";
import { type ServiceTier, tierOf } from "@/lib/protocols/generation/service-tier";
import { conversationOpening } from "@/lib/protocols/passes/conversation-opening";
import { givenFields } from "@/lib/protocols/passes/rendering";
import { parseContents } from "./parse-contents";
import { parseInstructions } from "./parse-instructions";
import { parseOutputFormat } from "./parse-output-format";
import { parseReasoning } from "./parse-reasoning";
import { choiceLosses, parseToolChoice } from "./parse-tool-choice";
import { parseTools } from "./parse-tools";
import type { GeminiRequest, GenerationConfig } from "./schema";
import { geminiWords } from "./words";

/** The neutral request of a checked Gemini body. Throws: INVALID_REQUEST naming the field. Source: docs/gemini.md#fields. */
export function parseGemini(body: JsonObject, _context: ParseContext): GenerationRequest {
  const request = body as GeminiRequest; // the body has passed the schema
  const config = request.generationConfig ?? {};
  const tools = parseTools(request.tools ?? []);
  const choice = parseToolChoice(request);
  return {
    fields: givenFields(body, geminiFields, false),
    words: geminiWords,
    notes: choiceLosses(request),
    instructions: parseInstructions(request),
    turns: parseContents(request.contents),
    answersFollowCalls: true,
    tools,
    customTools: false,
    toolChoice: tools.length === 0 ? null : choice,
    parallelToolCalls: null,
    sampling: {
      temperature: config.temperature ?? null,
      topP: config.topP ?? null,
      topK: config.topK ?? null,
      seed: config.seed ?? null,
      frequencyPenalty: config.frequencyPenalty ?? null,
      presencePenalty: config.presencePenalty ?? null,
    },
    outputLimit: config.maxOutputTokens ?? null,
    longAnswers: true,
    stop: config.stopSequences ?? [],
    reasoning: parseReasoning(config),
    outputFormat: parseOutputFormat(config),
    verbosity: null,
    choices: config.candidateCount ?? 1,
    logProbabilities: logProbabilitiesOf(config),
    caller: null,
    session: null,
    serviceTier: serviceTierOf(request.serviceTier),
    stream: request.stream === true,
    audioOutput: false,
    otherModalities: wantsOtherModalities(config),
    blockingModeration: false,
  };
}

function serviceTierOf(word: string | null | undefined): ServiceTier | null {
  const tier = word?.toLowerCase();
  return tier === undefined || tier === "" || tier === "unspecified" ? null : tierOf(tier);
}

/** A text that all requests of one conversation share. */
export function geminiConversation({ systemInstruction, contents }: JsonObject, session?: string): string {
  const request = { systemInstruction, contents } as Partial<GeminiRequest>; // both have passed the schema
  const turns = (request.contents ?? []).map(({ role, parts }) => ({ role: role ?? "user", content: parts }));
  return conversationOpening(session, request.systemInstruction?.parts, turns);
}

/** Log probabilities, where the client asks for them. */
function logProbabilitiesOf(config: GenerationConfig): LogProbabilities | null {
  return config.responseLogprobs === true ? { top: config.logprobs ?? null } : null;
}

/** True for an answer that is more than text. */
function wantsOtherModalities({ responseModalities: wanted }: GenerationConfig): boolean {
  return (wanted ?? []).some(
    (modality) => !["TEXT", "MODALITY_UNSPECIFIED"].includes(modality.toUpperCase()),
  );
}

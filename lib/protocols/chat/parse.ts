import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { Tool } from "../generation/parts";
import type { GenerationRequest, OutputFormat, ServiceTier } from "../generation/request";
import { givenFields } from "../passes/fields";
import type { ParseContext } from "../request-adapter";
import { chatFields } from "./fields";
import { parseMessages } from "./parse-messages";
import { parseReasoning } from "./parse-reasoning";
import { parseToolChoice, parseTools } from "./parse-tools";
import type { ChatRequest } from "./schema";
import { chatWords } from "./words";

/** The neutral request of a checked chat body. Throws: INVALID_REQUEST naming the field. Source: docs/protocols.md#s4. */
export function parseChat(body: JsonObject, _context: ParseContext): GenerationRequest {
  const request = body as ChatRequest; // it has passed the schema
  if (request.max_output_tokens != null) {
    throw invalid("max_output_tokens", "max_output_tokens is not a field here; use max_completion_tokens.");
  }
  const tools: Tool[] = parseTools(request);
  const { instructions, turns } = parseMessages(request.messages);
  const reasoning = parseReasoning(request);
  return {
    fields: givenFields(body, chatFields, true),
    words: chatWords,
    notes: [],
    instructions,
    turns,
    answersFollowCalls: false,
    tools,
    toolChoice: tools.length === 0 ? null : parseToolChoice(request, tools),
    parallelToolCalls: request.parallel_tool_calls ?? null,
    sampling: {
      temperature: request.temperature ?? null,
      topP: request.top_p ?? null,
      topK: request.top_k ?? null,
    },
    outputLimit: request.max_completion_tokens ?? request.max_tokens ?? null,
    stop: stopList(request.stop),
    reasoning,
    outputFormat: parseOutputFormat(request),
    choices: request.n ?? 1,
    logProbabilities: logProbabilitiesOf(request),
    caller: request.safety_identifier ?? request.user ?? null,
    session: typeof request.prompt_cache_key === "string" ? request.prompt_cache_key : null,
    serviceTier: request.service_tier == null ? null : tierOf(request.service_tier),
    stream: request.stream === true,
    audioOutput: request.audio != null,
    otherModalities: Array.isArray(request.modalities) && request.modalities.some(isOtherModality),
    blockingModeration: blocks(request.moderation),
  };
}

/** Chat's `stop` as a list: a string is a list of one, null is none. Source: docs/protocols.md#s4-1. */
export function stopList(stop: string | string[] | null | undefined): string[] {
  if (stop === null || stop === undefined) return [];
  return typeof stop === "string" ? [stop] : stop;
}

function parseOutputFormat({ response_format: wanted }: ChatRequest): OutputFormat | null {
  if (wanted === null || wanted === undefined || wanted.type === "text") return null;
  const source = "response_format";
  if (wanted.type === "json_object") return { kind: "json", source };
  if (wanted.type !== "json_schema") {
    throw invalid(
      "response_format.type",
      "response_format.type must be one of text, json_object, json_schema.",
    );
  }
  const named = wanted.json_schema;
  const param = "response_format.json_schema.schema";
  if (!isObject(named) || !isObject(named.schema)) throw invalid(param, `${param} must be a JSON schema.`);
  return { kind: "json_schema", schema: named.schema, source };
}

function logProbabilitiesOf({ logprobs, top_logprobs: top }: ChatRequest) {
  return logprobs === true ? { top: typeof top === "number" ? top : null } : null;
}

function tierOf(word: string): ServiceTier {
  switch (word) {
    case "auto":
    case "priority":
      return word;
    case "default":
      return "standard";
    default:
      return "other";
  }
}

function isOtherModality(modality: unknown): boolean {
  return modality !== "text";
}

function blocks(policy: unknown): boolean {
  if (policy === "block") return true;
  if (Array.isArray(policy)) return policy.some(blocks);
  return isObject(policy) && Object.values(policy).some(blocks);
}

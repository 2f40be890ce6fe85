import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { ParseContext } from "@/lib/protocols/adapters/client-request";
import { usesCustomTools } from "@/lib/protocols/generation/parts";
import { type ProblemWords, plainWords, type UnansweredCalls } from "@/lib/protocols/generation/problems";
import {
  blocksAnswers,
  effortWords,
  type GenerationRequest,
  type GivenField,
  type LogProbabilities,
  type OutputFormat,
  type ReasoningWish,
} from "@/lib/protocols/generation/request";
import { tierOf } from "@/lib/protocols/generation/service-tier";
import { conversationOpening } from "@/lib/protocols/passes/conversation-opening";
import { givenFields } from "@/lib/protocols/passes/rendering";
import { responsesFields } from "@/lib/protocols/responses/fields";
import { parseItems } from "./parse-items";
import { parseTools } from "./parse-tools";
import type { ResponsesRequest } from "./schema";

/** The neutral request of a checked Responses body. Throws: INVALID_REQUEST naming the field. Source: docs/responses.md#s1. */
export function parseResponses(body: JsonObject, context: ParseContext): GenerationRequest {
  const request = body as ResponsesRequest; // the body has passed the schema
  const { instructions, turns, prompted } = parseItems(request, context);
  const { tools, choice, undeferred, unmet } = parseTools(request, context);
  return {
    fields: fieldsOf(request),
    words: responsesWords,
    notes: [
      ...(undeferred ? ["changed:defer_loading"] : []),
      ...(unmet ? ["dropped:tool_choice"] : []),
      ...(prompted ? ["added:last_user_turn"] : []),
    ],
    instructions,
    turns,
    answersFollowCalls: false,
    tools,
    customTools: usesCustomTools(tools, turns),
    toolChoice: choice,
    parallelToolCalls: request.parallel_tool_calls ?? null,
    sampling: {
      temperature: request.temperature ?? null,
      topP: request.top_p ?? null,
      topK: null,
      seed: null,
      frequencyPenalty: request.frequency_penalty ?? null,
      presencePenalty: request.presence_penalty ?? null,
    },
    outputLimit: request.max_output_tokens ?? null,
    longAnswers: true,
    stop: [],
    reasoning: { wish: reasoningWish(request), hidden: false, overridden: [] },
    outputFormat: parseOutputFormat(request),
    verbosity: request.text?.verbosity ?? null,
    choices: 1,
    logProbabilities: logProbabilitiesOf(request),
    caller: request.safety_identifier ?? request.user ?? null,
    session: request.prompt_cache_key ?? context.headers["session-id"] ?? null,
    serviceTier: request.service_tier == null ? null : tierOf(request.service_tier),
    stream: request.stream === true,
    audioOutput: false,
    otherModalities: false,
    blockingModeration: blocksAnswers(request.moderation),
  };
}

/** A text that all requests of one conversation share. Source: docs/responses.md#s1-2. */
export function responsesConversation(
  { prompt_cache_key: key, instructions, input }: JsonObject,
  session?: string,
): string {
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  return conversationOpening(key ?? session, instructions, items);
}

const logProbabilitiesField = "message.output_text.logprobs";

function fieldsOf(request: ResponsesRequest): GivenField[] {
  const fields = givenFields(request, responsesFields, false);
  const { verbosity } = request.text ?? {};
  if (verbosity != null && verbosity !== "medium")
    fields.push({ name: "text.verbosity", rule: { concepts: ["verbosity"] } });
  if (request.reasoning?.mode != null && request.reasoning.mode !== "standard")
    fields.push({ name: "reasoning.mode", rule: undefined });
  if (request.include?.includes(logProbabilitiesField) === true)
    fields.push({ name: "include.logprobs", rule: { concepts: ["logProbabilities"] } });
  return fields;
}

function reasoningWish({ reasoning }: ResponsesRequest): ReasoningWish | null {
  const word = reasoning?.effort;
  if (word === null || word === undefined) return summaryWish(reasoning);
  const source = "reasoning.effort";
  const effort = effortWords.find((known) => known === word);
  if (effort === undefined) throw invalid(source, `${source} must be one of ${effortWords.join(", ")}.`);
  return { kind: "effort", effort, source };
}

/** A wish for a summary asks for reasoning too. */
function summaryWish(reasoning: ResponsesRequest["reasoning"]): ReasoningWish | null {
  const wanted = reasoning?.summary ?? reasoning?.generate_summary ?? null;
  return wanted === null ? null : { kind: "shown", source: "reasoning.summary" };
}

function parseOutputFormat({ text }: ResponsesRequest): OutputFormat | null {
  const wanted = text?.format;
  if (wanted === null || wanted === undefined || wanted.type === "text") return null;
  const source = "text.format";
  if (wanted.type === "json_object") return { kind: "json", source };
  if (wanted.type !== "json_schema")
    throw invalid(`${source}.type`, `${source}.type must be one of text, json_object, json_schema.`);
  const { schema, name, description, strict } = wanted;
  if (!isObject(schema)) throw invalid(`${source}.schema`, `${source}.schema must be a JSON schema.`);
  return {
    kind: "json_schema",
    schema,
    name: typeof name === "string" && name !== "" ? name : null,
    description: typeof description === "string" ? description : null,
    strict: typeof strict === "boolean" ? strict : null,
    source,
  };
}

function logProbabilitiesOf({ top_logprobs: top, include }: ResponsesRequest): LogProbabilities | null {
  const wanted = include?.includes(logProbabilitiesField) === true || (top ?? 0) > 0;
  return wanted ? { top: top ?? null } : null;
}

/** The error texts for Responses clients about what a node does not accept. Source: docs/responses.md#s1-2. */
export const responsesWords: ProblemWords = {
  ...plainWords,
  moderation: () => ({
    param: "moderation",
    message: "moderation: this model cannot enforce a blocking policy; remove it or use another model.",
  }),
  serverState: (field) => ({
    param: field,
    message: `Unsupported parameter: '${field}' is not supported with this model; remove it.`,
    code: "unsupported_parameter",
  }),
  prefill: () => ({
    param: "input",
    message: "input: this model does not continue its own message; the last item must be from the user.",
  }),
  emptyHistory: () => ({
    param: "input",
    message: "input must hold at least one message of the user or the model with content.",
  }),
  imageUrl: ({ source }) => ({
    param: source,
    message: `${source}: this model takes no image URLs; send the image as a data URL.`,
  }),
  imageForm: ({ source }) => ({
    param: source,
    message: `${source}: files of another service cannot be read; send the image as an https or data URL.`,
  }),
  documentForm: ({ source }) => ({
    param: source,
    message: `${source}: files are not fetched and file ids belong to another service; send the file as file_data.`,
  }),
  webSearch: ({ source }) => ({
    param: `${source}.type`,
    message: `${source}.type: this model has no web search.`,
  }),
  hostedTool: ({ source, type }) => ({
    param: `${source}.type`,
    message: `${source}.type ${type} cannot be used with this model, which runs no tools itself.`,
  }),
  resultWithoutCallId: ({ source }) => ({
    param: `${source}.call_id`,
    message: `${source}.call_id must be the id of the call it answers.`,
  }),
  orphanResult: ({ source, callId }) => ({
    param: `${source}.call_id`,
    message: `No tool call found for function call output with call_id ${callId}.`,
  }),
  unanswered: (missing) => withoutOutput(missing),
  neverAnswered: (missing) => withoutOutput(missing),
};

function withoutOutput({ source, calls }: UnansweredCalls) {
  const ids = calls.map(({ callId }) => callId).join(", ");
  return { param: calls[0]?.source ?? source, message: `No tool output found for function call ${ids}.` };
}

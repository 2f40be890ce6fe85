import { z } from "zod";
import { hasOnlyFields, isObject, type JsonObject } from "@/lib/kernel/json-object";
import {
  type ConceptTable,
  dropped,
  type FieldTable,
  ignored,
  mapped,
  refused,
} from "@/lib/protocols/generation/concepts";
import type { PromptFields } from "@/lib/protocols/request-adapter";
import {
  arePlainTurns,
  isPlainFlag,
  isPlainLimit,
  isPlainShare,
  isPlainText,
} from "@/lib/protocols/validation/validate";

// Every object is loose: on a same-protocol path fields this file does not know must survive.

const outputTokens = z.int({ error: "must be a whole number of at least 1" }).min(1);
// Old models and servers wrote the names in a history; some are empty.
const calledName = z.string().max(128);
const probability = z.number().min(0).max(1);
const toolName = z.string().min(1).max(128);

const part = z.looseObject({ type: z.string() });

const toolCall = z.looseObject({
  id: z.string().nullish(),
  type: z.string().nullish(),
  function: z.looseObject({ name: calledName, arguments: z.unknown() }).nullish(),
});

const contentRule = "must be a string or an array of content parts";

const looseMessage = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: z.union([z.string(), z.array(part)], { error: contentRule }).nullish(),
  name: z.string().max(128).nullish(),
  tool_calls: z.array(toolCall).nullish(),
  tool_call_id: z.string().nullish(),
  function_call: z.looseObject({ name: calledName, arguments: z.unknown() }).nullish(),
});

// Only an assistant message may have no content, because it may consist of tool calls.
const message = looseMessage.superRefine(({ role, content }, context) => {
  const speaks = role === "user" || role === "system" || role === "developer";
  if (speaks && content == null)
    context.addIssue({ code: "custom", path: ["content"], message: contentRule });
});

const functionDefinition = z.looseObject({
  name: toolName,
  description: z.string().nullish(),
  parameters: z.looseObject({}).nullish(),
  strict: z.boolean().nullish(),
});

const tool = z.looseObject({ type: z.string().nullish(), function: functionDefinition.nullish() });

const stop = z.union([z.string(), z.array(z.string()).max(4)], {
  error: "must be a string or an array of at most 4 strings",
});

/** A chat completions request as far as the gateway reads it; unknown fields stay. Source: docs/protocols.md#s4-1. */
export const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1).max(2000),
  max_tokens: outputTokens.nullish(),
  max_completion_tokens: outputTokens.nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: probability.nullish(),
  top_k: z.number().nullish(),
  n: z.int().min(1).max(128).nullish(),
  stop: stop.nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  tools: z.array(tool).max(128).nullish(),
  tool_choice: z
    .union([z.string(), z.looseObject({})], {
      error: "must be auto, none, required or an object that names a tool",
    })
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  functions: z.array(functionDefinition).max(128).nullish(),
  function_call: z
    .union([z.string(), z.looseObject({ name: z.string() })], {
      error: "must be auto, none or an object with a name",
    })
    .nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  reasoning_effort: z.string().nullish(),
  reasoning: z.looseObject({}).nullish(),
  thinking: z.looseObject({}).nullish(),
  user: z.string().nullish(),
  safety_identifier: z.string().nullish(),
  service_tier: z.string().nullish(),
});

const plainFields: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "stream",
]);
const plainRoles: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant"]);

/** True for a chat request of texts and numbers that surely passes `chatRequest`. */
export function isPlainChat(body: JsonObject): boolean {
  return (
    hasOnlyFields(body, plainFields) &&
    body.model !== "" &&
    isPlainText(body.model) &&
    isPlainLimit(body.max_tokens) &&
    isPlainLimit(body.max_completion_tokens) &&
    isPlainShare(body.temperature, 2) &&
    isPlainShare(body.top_p, 1) &&
    isPlainFlag(body.stream) &&
    arePlainTurns(body.messages, plainRoles)
  );
}

/** A checked chat completions request. */
export type ChatRequest = z.infer<typeof chatRequest>;
/** One message of a chat request. */
export type ChatMessage = ChatRequest["messages"][number];
/** One tool call of an assistant message. */
export type ChatToolCall = NonNullable<ChatMessage["tool_calls"]>[number];
/** One tool definition of a chat request. */
export type ChatTool = NonNullable<ChatRequest["tools"]>[number];
/** A function as `tools` and the older `functions` define it. */
export type ChatFunction = z.infer<typeof functionDefinition>;

/** What each field of a chat request is about. Source: docs/protocols.md#s4-1, #s4-2. */
export const chatFields: FieldTable = {
  model: { concepts: ["model"] },
  messages: { concepts: ["history"] },
  max_tokens: { concepts: ["outputLimit"] },
  max_completion_tokens: { concepts: ["outputLimit"], note: "wins over max_tokens" },
  temperature: { concepts: ["temperature"] },
  top_p: { concepts: ["topP"] },
  top_k: { concepts: ["topK"] },
  stop: { concepts: ["stop"] },
  stream: { concepts: ["streaming"] },
  stream_options: { concepts: ["usageChunk"] },
  n: { concepts: ["choices"] },
  tools: { concepts: ["tools"] },
  tool_choice: { concepts: ["toolChoice"] },
  parallel_tool_calls: { concepts: ["parallelToolCalls"] },
  functions: { concepts: ["tools"], note: "the answer keeps the older shape" },
  function_call: { concepts: ["toolChoice"] },
  response_format: { concepts: ["outputFormat"] },
  reasoning_effort: { concepts: ["reasoning"] },
  reasoning: { concepts: ["reasoning"], note: "exclude hides reasoning" },
  include_reasoning: { concepts: ["shownReasoning"] },
  thinking: { concepts: ["reasoning"], note: "wins over the other two" },
  logprobs: { concepts: ["logProbabilities"], hint: true },
  top_logprobs: { concepts: ["logProbabilities"], hint: true },
  user: { concepts: ["caller"] },
  safety_identifier: { concepts: ["caller"], note: "wins over user" },
  service_tier: { concepts: ["serviceTier"] },
  web_search_options: { concepts: ["webSearch"] },
  prompt_cache_key: { concepts: ["session"] },
  store: { concepts: ["storage"] },
  max_output_tokens: { concepts: [], fate: "refused", note: "400: use max_completion_tokens" },
  audio: { concepts: ["audioOutput"] },
  modalities: { concepts: ["outputModalities"] },
  moderation: { concepts: ["moderation"], hint: true },
  verbosity: { concepts: ["verbosity"], hint: true, usual: "medium" },
  prompt_cache_options: { concepts: [], hint: true },
  prompt_cache_retention: { concepts: [], hint: true },
  metadata: { concepts: [], note: "not the same thing as metadata.user_id", hint: true },
  seed: { concepts: [] },
  frequency_penalty: { concepts: [], hint: true },
  presence_penalty: { concepts: [], hint: true },
  logit_bias: { concepts: [], hint: true },
  prediction: { concepts: [], hint: true },
};

/** The fields of a chat request that become prompt. Source: docs/protocols.md#s11-5. */
export const chatPromptFields: PromptFields = {
  turns: "messages",
  content: ["messages"],
  json: ["tools", "functions", "response_format"],
};

/** What becomes of each concept on a chat node. Source: docs/protocols.md#s5-1. */
export const chatConcepts: ConceptTable = {
  model: mapped("the node's model id"),
  history: mapped("messages"),
  instructions: mapped("the first message"),
  outputLimit: mapped("max_tokens or max_completion_tokens"),
  temperature: mapped("temperature, where the model takes it"),
  topP: mapped("top_p, where the model takes it"),
  topK: mapped("top_k, where the node knows it"),
  stop: mapped(
    "stop; 400 when there are more than the node takes; where it takes none the gateway ends the answer there",
  ),
  streaming: mapped("asked of the node where the client wants a stream or the answer may be long"),
  usageChunk: mapped("stream_options, where the node knows it"),
  choices: mapped("n"),
  tools: mapped("tools; server tools only where the node has them"),
  toolChoice: mapped("tool_choice"),
  parallelToolCalls: mapped("parallel_tool_calls"),
  webSearch: mapped("web_search_options where the node has a search and the alias a price for it"),
  outputFormat: mapped("response_format"),
  verbosity: mapped("verbosity, where the model knows it"),
  reasoning: mapped("reasoning_effort or the node's own switch"),
  shownReasoning: mapped("what the client gets of it"),
  logProbabilities: mapped("logprobs and top_logprobs"),
  caller: mapped("user or safety_identifier, hashed"),
  session: mapped("prompt_cache_key, hashed"),
  serviceTier: mapped("service_tier, where the node has it and it costs nothing extra"),
  cacheMarks: ignored("chat nodes cache by themselves"),
  storage: ignored("nothing is stored"),
  serverState: refused("400: state kept by a server"),
  audioOutput: refused("400"),
  outputModalities: refused("400 unless text only"),
  moderation: dropped("400 with a blocking policy"),
};

/** What a chat client wants of the shape of its answer. */
export interface ChatWishes {
  /** A stream ends with a chunk that holds the usage. */
  includeUsage: boolean;
  /** The request defines `functions`: calls are answered as `function_call`. */
  legacyFunctions: boolean;
}

/** Reads them from a client's validated body. Source: docs/protocols.md#s4-1, #s9-1. */
export function chatWishes(request: JsonObject): ChatWishes {
  const { stream_options: stream, functions } = request;
  return {
    includeUsage: isObject(stream) && stream.include_usage === true,
    legacyFunctions: Array.isArray(functions) && functions.length > 0,
  };
}

/** True when the client has a custom tool of this name: without one, it cannot read a call of it. */
export function declaresCustomTool({ tools }: JsonObject, name: string): boolean {
  return (
    Array.isArray(tools) &&
    tools.some((tool) => isObject(tool) && isObject(tool.custom) && tool.custom.name === name)
  );
}

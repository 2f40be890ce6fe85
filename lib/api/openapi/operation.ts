import type { z } from "zod";
import type { ErrorCode } from "@/lib/kernel/errors";
import type { Compatibility } from "@/lib/protocols/generation/problems";
import type { JsonSchema } from "./json-schema";

/** The required authentication: none, an account, an admin, an API key, or the metrics token. */
export type Caller = "public" | "account" | "session" | "admin" | "key" | "metrics";

/** The tags of the API, in display order. */
export const tags = {
  "Model API": "Generations in all three protocols, models and usage; opened by an API key.",
  Account: "Registration, login and the caller's own account.",
  "API keys": "Keys of the caller's account.",
  Usage: "Logs, statistics, models, plans and ledger of the caller's account.",
  "Admin: gateway": "Nodes, models, prices, plans and the failover rehearsal.",
  "Admin: people": "Accounts, everybody's logs and statistics, audit, money check.",
  Operations: "Health checks and metrics.",
} as const;

export type Tag = keyof typeof tags;

/** A successful response. Without a schema it has no JSON body. */
export interface Success {
  status: 200 | 201 | 204;
  description: string;
  schema?: z.ZodType;
  /** Another media type of the same response. */
  other?: { mediaType: string; description: string };
  /** The status of the answers with the same schema that report a failure. */
  failed?: { status: 503; description: string; when(answer: unknown): boolean };
  example?: unknown;
}

/** One operation of the API, as the document describes it. */
export interface ApiOperation {
  method: "get" | "post" | "patch" | "delete";
  /** The path, with parameters as `{name}`. */
  path: `/${string}`;
  id: string;
  tag: Tag;
  caller: Caller;
  summary: string;
  description?: string;
  query?: z.ZodObject;
  /** `partial`: a change, in which every field is optional and no default applies. */
  body?:
    | { schema: z.ZodType; example: unknown; partial?: false }
    | { schema: z.ZodObject; example: unknown; partial: true };
  success: Success;
  /** Error codes of this operation in addition to those of its caller. */
  errors?: readonly ErrorCode[];
}

/** Optional headers of generation requests. Source: docs/contract.md#s6. */
const generationHeaders = [
  header("x-tollgate-strict", "`1`: what would be dropped is refused with 400", { type: "string" }),
  header("x-tollgate-explain", "`1`: nothing is sent or billed; the answer says what would happen", {
    type: "string",
  }),
];

/** A protocol version, from 2023-06-01 on. Source: docs/protocols.md#s2-1. */
const version: JsonSchema = {
  type: "string",
  format: "date",
  pattern: "^(2023-(0[6-9]|1[0-2])|(202[4-9]|20[3-9]\\d|2[1-9]\\d\\d|[3-9]\\d{3})-\\d{2})-\\d{2}$",
};

const versionHeaders = [
  header("anthropic-version", "Version of the Messages protocol; this one counts", version),
  header("provider-version", "The same header by another name", version),
];

/** The headers of an operation, except those of authentication. */
export function headerParameters({ id, path }: ApiOperation) {
  if (id === "createChatCompletion" || id === "createMessage")
    return [...generationHeaders, ...versionHeaders];
  return path.startsWith("/v1/messages") ? versionHeaders : [];
}

function header(name: string, description: string, schema: JsonSchema) {
  return { name, in: "header", required: false, description, schema };
}

/**
 * The schema of a chat request in this installation: `COMPATIBILITY` restricts the schema of the protocol.
 * Source: docs/contract.md#s2.
 */
export function narrowed(
  schema: JsonSchema,
  operation: ApiOperation,
  compatibility: Compatibility,
): JsonSchema {
  if (operation.id !== "createChatCompletion" || compatibility === "lenient") return schema;
  const properties = {
    ...(schema.properties ?? {}),
    temperature: { type: ["number", "null"], minimum: 0, maximum: 1 },
  };
  const given = ["max_tokens", "max_completion_tokens"].map((name) => ({
    required: [name],
    properties: { [name]: { type: "integer" } },
  }));
  return { ...schema, properties, ...(compatibility === "strict" ? { anyOf: given } : {}) };
}

/** What fields mean that have no description of their own, by their names; not those of admins. */
export const fieldDescriptions: Readonly<Record<string, string>> = {
  model: "Name of a model, as `GET /v1/models` lists it",
  messages: "The conversation so far, oldest first",
  max_tokens: "The most tokens that the answer may have",
  max_completion_tokens: "The same as `max_tokens`, and wins over it",
  max_output_tokens: "The most tokens that the answer may have, reasoning included",
  temperature: "How much chance there is in the answer; 0: as little as possible",
  top_p: "Only the likeliest tokens with this share of the probability are drawn",
  top_k: "Only so many of the likeliest tokens are drawn",
  n: "How many answers are made; each is billed",
  stop: "Texts at which the answer ends",
  stop_sequences: "Texts at which the answer ends",
  stream: "Whether the answer comes piece by piece",
  stream_options: "What a stream tells besides the answer",
  include_usage: "Whether the stream tells its tokens at the end",
  tools: "The tools that the model may call",
  tool_choice: "Whether a tool must be called, and which",
  parallel_tool_calls: "Whether several tools may be called at once",
  disable_parallel_tool_use: "True: one tool at a time",
  functions: "The older form of `tools`",
  function_call: "The older form of a tool call, or of `tool_choice`",
  response_format: "The form of the answer: text, JSON, or JSON by a schema",
  output_config: "Effort and form of the answer",
  reasoning_effort: "How long the model reasons before it answers",
  reasoning: "How the model reasons, and what of it is shown",
  effort: "How long the model reasons before it answers",
  summary: "Whether the answer has a summary of the reasoning",
  thinking: "Whether and how long the model reasons",
  budget_tokens: "The most tokens of reasoning",
  user: "An id of your own user; the provider gets a hash of it",
  safety_identifier: "The same, and wins over `user`",
  user_id: "An id of your own user; the provider gets a hash of it",
  service_tier: "The tier of the provider, where it has some",
  metadata: "What the caller notes about the request",
  system: "What the model is told before the conversation",
  instructions: "What the model is told before the conversation",
  input: "The text or texts of the request, or its items",
  previous_response_id: "Id of the stored response that this one continues",
  store: "Whether the response is kept to be continued",
  text: "The text, or how it is formed",
  format: "The form of the text",
  verbosity: "How long the answer is",
  include: "What the answer has besides",
  truncation: "What happens to a history that is too long",
  background: "Whether the request runs on by itself; only false",
  conversation: "A conversation that the provider keeps; refused",
  prompt: "A prompt that the provider keeps; refused",
  max_tool_calls: "The most calls of tools that the provider runs",
  max_uses: "The most calls of this tool",
  top_logprobs: "How many of the likeliest tokens are told at each place",
  prompt_cache_key: "Requests with the same key share the provider's cache",
  prompt_cache_retention: "How long the provider keeps its cache",
  prompt_cache_options: "Options of the provider's cache",
  moderation: "What the provider checks",
  context_management: "How a long history is cut; a hint",
  dimensions: "How many numbers a vector has, where the model can choose",
  encoding_format: "`float`: numbers; `base64`: a shorter answer",
  role: "Who says it",
  content: "What is said: a text, or parts of text and images",
  name: "A name",
  description: "What it does, for the model",
  parameters: "The JSON schema of the arguments",
  input_schema: "The JSON schema of the arguments",
  strict: "Whether the arguments must follow the schema",
  function: "The function with its name",
  arguments: "The arguments, as a text of JSON",
  tool_calls: "The calls that the model asks for",
  tool_call_id: "Id of the call that this is the result of",
  id: "Its id",
  object: "What this is",
  type: "What this is",
  created: "When it was made, in seconds since 1970",
  choices: "The answers; one unless `n` asks for more",
  index: "Its place in the list",
  message: "The answer, or what went wrong",
  finish_reason: "Why it ended: `stop`, `length` (it is cut), `tool_calls` or `content_filter`",
  stop_reason: "Why it ended: `end_turn`, `max_tokens` (it is cut), `tool_use`, `stop_sequence` or `refusal`",
  usage: "The tokens that are billed",
  prompt_tokens: "Tokens of the input, cached ones included",
  completion_tokens: "Tokens of the output, reasoning included",
  total_tokens: "Both together",
  input_tokens: "Tokens of the input",
  output_tokens: "Tokens of the output, reasoning included",
  input_tokens_details: "What the input consists of",
  output_tokens_details: "What the output consists of",
  cached_tokens: "Tokens that the provider read from its cache",
  reasoning_tokens: "Tokens of the reasoning",
  output: "What was answered, item by item",
  data: "The entries",
  embedding: "The vector of the text",
  has_more: "Whether there are more behind this page",
  first_id: "Id of the first entry of the page",
  last_id: "Id of the last entry of the page",
  deleted: "True: it is gone",
  encrypted_content: "Sealed content, to be sent back as it is",
  owned_by: "`tollgate`",
  display_name: "What the model is called",
  max_input_tokens: "The most tokens of input; null: not known",
  lifecycle: "Whether the model is on offer",
  error: "What went wrong",
  created_at: "When it was made",
  mode: "The way of reasoning, where the model has several",
  limit: "How much there may be; null: no limit",
  request_id: "Id of the request, as in the logs",
  quota: "What may be spent in all, in cents",
  usedQuota: "What was spent of it, in cents",
  held: "What running requests reserve, in cents",
  remaining: "What may still be spent, in cents; below 0 when more was used than the quota has",
  unit: "The unit of the amounts",
  isValid: "Whether the key works",
  plan: "The plan of the key",
  limits: "The limits of the plan, and what is used now",
  qps: "Requests a second; null: no limit",
  rpm: "Requests a minute; null: no limit",
  tpm: "Tokens a minute; null: no limit",
  used: "How much is used now",
  resetMs: "Milliseconds until all of it is free again",
  keyPrefix: "How the key begins",
  status: "Its state",
  planId: "Id of the plan",
  models: "The models",
  expiresAt: "When it ends; null: never",
  createdAt: "When it was made",
  updatedAt: "When it was changed last",
  lastUsedAt: "When it was used last; null: never",
  username: "The name to sign in with",
  password: "At least 6 characters",
  email: "An e-mail address, or null",
  inviteCode: "The code that others register with",
  requestCount: "How many requests there were",
  token: "The token of the login, valid for 7 days",
  requestId: "Id of the request",
  tokenId: "Id of the key",
  tokenName: "Name of the key",
  protocol: "The protocol of the caller",
  operation: "What was asked for",
  httpStatus: "Status that the caller got; 0: it left before",
  errorCode: "Code of the error; null: there was none",
  promptTokens: "Tokens of the input, cached ones included",
  completionTokens: "Tokens of the output, reasoning included",
  totalTokens: "Both together",
  cacheReadTokens: "Input that the provider read from its cache",
  cacheWriteTokens: "Input that the provider wrote to its cache",
  reasoningTokens: "Tokens of the reasoning",
  usageSource: "Whether the provider told the tokens or they are estimated",
  cost: "What it cost, in cents as decimal text",
  latencyMs: "Milliseconds from beginning to end",
  attemptCount: "How many nodes were asked",
  attempts: "The nodes that were asked, in order",
  timeline: "The phases of the request",
  receipt: "How the cost was computed",
  warnings: "What was left out or changed for the node",
  balanceAfter: "The balance after it, in cents as decimal text",
  reason: "Why",
  prices: "Cents per million tokens",
  contextWindow: "Tokens that input and output may have together; null: not known",
  maxOutputTokens: "The most tokens of an answer; null: not known",
  alsoKnownAs: "Other names for the same model",
  displayName: "What the model is called",
  protocols: "The protocols that are served without conversion",
  simulated: "True: the demo answers, no model is asked",
  selfService: "Whether users may choose it for their keys",
  keyQuotaCents: "What a new key may spend, in cents",
  nextCursor: "Where the next page begins; null: there is none",
  pageSize: "Entries of a page",
  period: "The length of time",
  timezone: "The zone of the days",
  p50Ms: "Half of the requests were faster, in milliseconds",
  p95Ms: "95 % of the requests were faster, in milliseconds",
  errorCount: "Requests that failed or were refused",
};

/** Adds to members without a description the one that their name has everywhere; references have their own. */
export function described<T>(value: T): T {
  if (Array.isArray(value)) return value.map(described) as T; // the same list
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    name === "properties" ? propertiesOf(member) : described(member),
  ]);
  return Object.fromEntries(members) as T; // the same members
}

function propertiesOf(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const all = Object.entries(properties).map(([name, schema]): [string, JsonSchema] => {
    const description = fieldDescriptions[name];
    const own = described(schema);
    return [name, description === undefined ? own : { description, ...own }];
  });
  return Object.fromEntries(all);
}

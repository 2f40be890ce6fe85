import { z } from "zod";
import { GatewayError, invalid } from "@/lib/kernel/errors";
import { hasOnlyFields, isObject, type JsonObject } from "@/lib/kernel/json-object";
import {
  type ConceptTable,
  dropped,
  type FieldTable,
  ignored,
  mapped,
  refused,
} from "@/lib/protocols/generation/concepts";
import { isStrictVersion } from "@/lib/protocols/generation/problems";
import type { PromptFields } from "@/lib/protocols/request-adapter";
import {
  arePlainTurns,
  isPlainFlag,
  isPlainLimit,
  isPlainShare,
  isPlainText,
} from "@/lib/protocols/validation/validate";

// Every object is loose: on a same-protocol path fields this file does not know must survive.

const block = z.looseObject({ type: z.string() });

const turn = z.looseObject({
  role: z.enum(["user", "assistant", "system"]),
  content: z.union([z.string(), z.array(block)], { error: "must be a string or an array of content blocks" }),
});

const tool = z.looseObject({
  type: z.string().nullish(),
  name: z.string().min(1).max(128).nullish(),
  description: z.string().nullish(),
  input_schema: z.looseObject({}).nullish(),
  max_uses: z.int({ error: "must be a whole number of at least 1" }).min(1).nullish(),
});

const toolChoice = z.looseObject({
  type: z.enum(["auto", "any", "tool", "none"]),
  name: z.string().nullish(),
  disable_parallel_tool_use: z.boolean().nullish(),
});

const system = z.union([z.string(), z.array(block)], {
  error: "must be a string or an array of text blocks",
});

/** A messages request as far as the gateway reads it; unknown fields stay. Source: docs/protocols.md#s5-1. */
export const messagesRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(turn).min(1).max(2000),
  max_tokens: z.int({ error: "is required and must be a whole number of at least 1" }).min(1),
  system: system.nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.number().nullish(),
  tools: z.array(tool).max(128).nullish(),
  tool_choice: toolChoice.nullish(),
  thinking: z.looseObject({ type: z.string(), budget_tokens: z.int().nullish() }).nullish(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
  output_config: z.looseObject({ effort: z.string().nullish() }).nullish(),
});

const plainFields: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "max_tokens",
  "system",
  "temperature",
  "top_p",
  "stream",
]);
const plainRoles: ReadonlySet<unknown> = new Set(["user", "assistant"]);

/** True for a messages request of texts and numbers that surely passes `messagesRequest`. */
export function isPlainMessages(body: JsonObject): boolean {
  return (
    hasOnlyFields(body, plainFields) &&
    body.model !== "" &&
    isPlainText(body.model) &&
    body.max_tokens !== undefined &&
    isPlainLimit(body.max_tokens) &&
    (body.system === undefined || isPlainText(body.system)) &&
    isPlainShare(body.temperature, 1) &&
    isPlainShare(body.top_p, 1) &&
    isPlainFlag(body.stream) &&
    arePlainTurns(body.messages, plainRoles)
  );
}

/** The same request for counting its tokens, which needs no output limit. Source: docs/protocols.md#s15-2. */
export const countTokensRequest = messagesRequest.extend({
  max_tokens: messagesRequest.shape.max_tokens.nullish(),
});

/** A checked messages request. */
export type MessagesRequest = z.infer<typeof messagesRequest>;
/** One turn of a messages request. */
export type MessagesTurn = MessagesRequest["messages"][number];
/** One content block. */
export type MessagesBlock = z.infer<typeof block>;
/** One tool definition of a messages request. */
export type MessagesTool = NonNullable<MessagesRequest["tools"]>[number];

/** What each field of a messages request is about. Source: docs/protocols.md#s5-1. */
export const messagesFields: FieldTable = {
  model: { concepts: ["model"] },
  messages: { concepts: ["history"] },
  max_tokens: { concepts: ["outputLimit"] },
  system: { concepts: ["instructions"] },
  stop_sequences: { concepts: ["stop"] },
  stream: { concepts: ["streaming"] },
  temperature: { concepts: ["temperature"] },
  top_p: { concepts: ["topP"] },
  top_k: { concepts: ["topK"] },
  tools: { concepts: ["tools", "webSearch"] },
  tool_choice: { concepts: ["toolChoice", "parallelToolCalls"] },
  thinking: { concepts: ["reasoning"] },
  output_config: { concepts: ["reasoning", "outputFormat"], note: "effort wins over thinking" },
  output_format: { concepts: ["outputFormat"] },
  metadata: { concepts: ["caller", "session"] },
  service_tier: { concepts: ["serviceTier"] },
  cache_control: { concepts: ["cacheMarks"] },
  betas: { concepts: [], fate: "ignored", note: "belongs into a header" },
  speed: { concepts: [], usual: "standard", note: "standard is the usual speed anyway" },
  container: { concepts: ["serverState"] },
  mcp_servers: { concepts: ["serverState"] },
  thread: { concepts: ["serverState"], note: "400 on every node: thread_unsupported_request" },
  compaction: { concepts: ["serverState"] },
  context_management: { concepts: [], note: "a hint" },
  diagnostics: { concepts: [] },
  inference_geo: { concepts: [] },
  billing_policy: { concepts: [] },
  fallbacks: { concepts: [] },
  fallback_credit_token: { concepts: [] },
  safeguards: { concepts: [] },
  user_profile_id: {
    concepts: [],
    note: "names an account of the vendor's; the SDK sends it as a header, which is not passed on",
  },
  workspace_id: {
    concepts: [],
    note: "names an account of the vendor's; the SDK sends it as a header, which is not passed on",
  },
};

/** The fields of a messages request that become prompt. Source: docs/protocols.md#s11-5. */
export const messagesPromptFields: PromptFields = {
  turns: "messages",
  content: ["system", "messages"],
  json: ["tools", "output_config"],
};

/** What becomes of each concept on a messages node. Source: docs/protocols.md#s4-1, #s4-2. */
export const messagesConcepts: ConceptTable = {
  model: mapped("the node's model id"),
  history: mapped("system and messages"),
  instructions: mapped("system"),
  outputLimit: mapped("max_tokens; the alias's default when absent"),
  temperature: mapped("temperature, where the model takes it and does not think"),
  topP: mapped("top_p, where the model takes it, does not think and no temperature is sent"),
  topK: mapped("top_k, where the model takes it and does not think"),
  stop: mapped("stop_sequences; at a blank one, which nodes refuse, the gateway ends the answer"),
  streaming: mapped("asked of the node where the client wants a stream or the answer may be long"),
  usageChunk: ignored("include_usage decides about the client's usage chunk"),
  choices: refused("400 above 1; one is asked for when lenient"),
  tools: mapped("tools"),
  toolChoice: mapped("tool_choice"),
  parallelToolCalls: mapped("tool_choice.disable_parallel_tool_use"),
  webSearch: mapped(
    "a web search tool where the node has one and the alias a price for it; 400 where it has none",
  ),
  outputFormat: mapped("output_config.format, or an instruction"),
  verbosity: dropped(),
  reasoning: mapped("thinking and output_config.effort"),
  shownReasoning: mapped("false hides reasoning"),
  logProbabilities: dropped(),
  caller: mapped("metadata.user_id, hashed"),
  session: ignored("chooses the node"),
  serviceTier: mapped("service_tier"),
  cacheMarks: mapped("cache_control"),
  storage: ignored("nothing is stored"),
  serverState: refused("400: state kept by a server"),
  audioOutput: refused("400"),
  outputModalities: refused("400 unless text only"),
  moderation: dropped("400 with a blocking policy"),
};

/** The prefix of tool call ids that the gateway makes. */
export const toolIdPrefix = "toolu_";

/**
 * Refuses a thread, under the word by which the official SDK goes on with the whole conversation: a thread is state
 * of one key in the operator's account. Throws: INVALID_REQUEST. Source: docs/protocols.md#s13-4.
 */
export function refuseThread({ thread }: JsonObject): void {
  if (thread == null) return;
  throw new GatewayError(
    "INVALID_REQUEST",
    "thread: message threads are not kept here; send the whole conversation in messages, without thread.",
    { param: "thread", vendorDetails: { error_code: "thread_unsupported_request" } },
  );
}

/**
 * Refuses what version 2026-10-21 of the messages protocol has removed, so that a request fails the same way on
 * every alias. Throws: INVALID_REQUEST. Source: docs/protocols.md#s2-1.
 */
export function checkVersionRules(body: JsonObject, version: string): void {
  if (!isStrictVersion(version)) return;
  for (const field of ["temperature", "top_p", "top_k"]) {
    if (body[field] != null) {
      throw invalid(
        field,
        `${field} does not exist in version ${version}; remove it or send anthropic-version: 2023-06-01.`,
      );
    }
  }
  const messages = Array.isArray(body.messages) ? body.messages : [];
  messages.forEach((turn, index) => {
    if (isObject(turn) && Array.isArray(turn.content))
      checkBlocks(turn, turn.content, `messages[${index}]`, version);
  });
}

function checkBlocks(turn: JsonObject, blocks: unknown[], at: string, version: string): void {
  blocks.forEach((block, index) => {
    if (!isObject(block)) return;
    const param = `${at}.content[${index}]`;
    if (turn.role === "assistant" && block.type === "document") {
      throw invalid(
        `${param}.type`,
        `${param}: a document in an assistant turn does not exist in version ${version}.`,
      );
    }
    const citable = turn.role === "user" && (block.type === "text" || block.type === "search_result");
    if (citable && Array.isArray(block.citations) && block.citations.length > 0) {
      throw invalid(`${param}.citations`, `${param}.citations must be empty in version ${version}.`);
    }
  });
}

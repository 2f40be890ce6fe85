import { z } from "zod";

// Every object is loose, because unknown fields must reach a node of the same protocol.

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

/** A messages request as far as the gateway reads it; unknown fields are kept. Source: docs/protocols.md#s5-1. */
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

/** The request to count tokens, which needs no output limit. Source: docs/protocols.md#s15-2. */
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

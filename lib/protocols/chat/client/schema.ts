import { z } from "zod";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";

// Every object is loose, because unknown fields must reach a node of the same protocol.

const outputTokens = z.int({ error: "must be a whole number of at least 1" }).min(1);

// Old models and servers wrote the names of calls in a history; some are empty.
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

// Messages of user, system and developer must have content; an assistant message may consist of tool calls.
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

/**
 * A chat completions request as far as the gateway reads it; unknown fields are kept. Source: docs/protocols.md#s4-1.
 */
export const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1).max(2000),
  max_tokens: outputTokens.nullish(),
  max_completion_tokens: outputTokens.nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: probability.nullish(),
  top_k: z.number().nullish(),
  seed: z.number().nullish(),
  frequency_penalty: z.number().nullish(),
  presence_penalty: z.number().nullish(),
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

/** A checked chat completions request. */
export type ChatRequest = z.infer<typeof chatRequest>;

/** One message of a chat request. */
export type ChatMessage = ChatRequest["messages"][number];

/** One tool call of an assistant message. */
export type ChatToolCall = NonNullable<ChatMessage["tool_calls"]>[number];

/** One tool definition of a chat request. */
export type ChatTool = NonNullable<ChatRequest["tools"]>[number];

/** A function, as in `tools` and the older `functions`. */
export type ChatFunction = z.infer<typeof functionDefinition>;

/** True when the client declares a custom tool of this name: only then can it read a call of it. */
export function declaresCustomTool({ tools }: JsonObject, name: string): boolean {
  return (
    Array.isArray(tools) &&
    tools.some((tool) => isObject(tool) && isObject(tool.custom) && tool.custom.name === name)
  );
}

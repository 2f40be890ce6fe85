import { z } from "zod";
import { type JsonObject, rowOf } from "@/lib/kernel/json-object";

// Every object and every union is loose, because unknown fields and types must reach a node of the same protocol.

const text = z.string();

const someText = text.nullish();

const textPart = z.looseObject({ text });

/** The required members of parts of known types; other types are accepted. */
const partShapes: Readonly<Record<string, z.ZodType>> = {
  input_text: textPart,
  output_text: textPart,
  summary_text: textPart,
  reasoning_text: textPart,
  text: textPart,
  refusal: z.looseObject({ refusal: text }),
  input_image: z.looseObject({ image_url: someText, file_id: someText }),
  input_file: z.looseObject({
    file_data: someText,
    file_url: someText,
    file_id: someText,
    filename: someText,
  }),
};

const part = z
  .looseObject({ type: text })
  .superRefine((value, context) => checkShape(value, rowOf(partShapes, value.type), context));

const content = z.union([text, z.array(part)], { error: "must be a string or an array of content parts" });

const callId = z.string({ error: "must be the id of a call" }).max(512);

const calledName = text.max(256);

const message = z.looseObject({ role: z.enum(["user", "assistant", "system", "developer"]), content });

const functionCall = z.looseObject({
  call_id: callId,
  name: calledName,
  arguments: z.unknown().optional(),
  namespace: someText,
});

const customCall = z.looseObject({ call_id: callId, name: calledName, input: text, namespace: someText });

const output = z.looseObject({ call_id: callId, output: content.nullish() });

const tool = z
  .looseObject({ type: text })
  .superRefine((value, context) => checkShape(value, rowOf(toolShapes, value.type), context));

const foundTools = z.looseObject({ tools: z.array(tool).nullish() });

/**
 * The required members of items of known types; other types are accepted. An item without a type is a message or a
 * reference.
 */
const itemShapes: Readonly<Record<string, z.ZodType>> = {
  message,
  function_call: functionCall,
  function_call_output: output,
  custom_tool_call: customCall,
  custom_tool_call_output: output,
  reasoning: z.looseObject({
    summary: z.array(part).nullish(),
    content: z.array(part).nullish(),
    encrypted_content: someText,
  }),
  additional_tools: foundTools,
  tool_search_output: foundTools,
  compaction: z.looseObject({ encrypted_content: text }),
  item_reference: z.looseObject({ id: text }),
};

const item = z
  .looseObject({ type: someText, id: someText })
  .superRefine((value, context) => checkShape(value, rowOf(itemShapes, itemType(value)), context));

const ownTool = z.looseObject({
  name: text.min(1).max(128),
  description: someText,
  parameters: z.looseObject({}).nullish(),
  strict: z.boolean().nullish(),
});

/** The required members of tools of known types; other types are accepted. */
const toolShapes: Readonly<Record<string, z.ZodType>> = {
  function: ownTool,
  custom: z.looseObject({
    name: text.min(1).max(128),
    description: someText,
    format: z.looseObject({}).nullish(),
  }),
  namespace: z.looseObject({ name: text.min(1).max(128), tools: z.array(z.lazy(() => tool)) }),
};

const toolChoice = z.union([z.enum(["none", "auto", "required"]), z.looseObject({ type: text.nullish() })], {
  error: "must be none, auto, required or an object that names a tool",
});

const MAX_ITEMS = 10_000;

const MAX_TOOLS = 512;

/** A Responses request as far as the gateway reads it; unknown fields are kept. Source: docs/responses.md#s1-2. */
export const responsesRequest = z.looseObject({
  model: text.min(1),
  input: z
    .union([text, z.array(item).max(MAX_ITEMS)], { error: "must be a string or an array of items" })
    .nullish(),
  instructions: someText,
  max_output_tokens: z.int({ error: "must be a whole number of at least 1" }).min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().nullish(),
  presence_penalty: z.number().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  tools: z.array(tool).max(MAX_TOOLS).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_tool_calls: z.int({ error: "must be a whole number of at least 1" }).min(1).nullish(),
  reasoning: z.looseObject({ effort: someText, summary: someText, mode: someText }).nullish(),
  text: z.looseObject({ format: z.looseObject({ type: text }).nullish(), verbosity: someText }).nullish(),
  include: z.array(text).nullish(),
  store: z.boolean().nullish(),
  previous_response_id: someText,
  conversation: z.union([text, z.looseObject({})]).nullish(),
  prompt: z.looseObject({}).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({}).nullish(),
  background: z.boolean().nullish(),
  truncation: someText,
  context_management: z.unknown().optional(),
  metadata: z.looseObject({}).nullish(),
  service_tier: someText,
  prompt_cache_key: someText,
  prompt_cache_retention: someText,
  prompt_cache_options: z.looseObject({}).nullish(),
  safety_identifier: someText,
  user: someText,
  moderation: z.unknown().optional(),
});

/** A checked Responses request. */
export type ResponsesRequest = z.infer<typeof responsesRequest>;

/** One item of a request's input. */
export type ResponsesItem = z.infer<typeof item>;

/** The type of an item. Shape: a message and a reference may omit theirs. */
export function itemType({ type, role, id }: JsonObject): string {
  if (typeof type === "string") return type;
  return role === undefined && typeof id === "string" ? "item_reference" : "message";
}

/** Adds the problems that the shape of a value's type finds; `shape` is undefined for an unknown type. */
function checkShape(
  value: JsonObject,
  shape: z.ZodType | undefined,
  context: z.core.$RefinementCtx<unknown>,
): void {
  if (shape === undefined) return;
  const { error } = shape.safeParse(value);
  for (const issue of error?.issues ?? [])
    context.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue); // an issue of zod with its input
}

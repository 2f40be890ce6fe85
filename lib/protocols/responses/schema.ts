import { z } from "zod";
import { invalid } from "@/lib/kernel/errors";
import { hasOnlyFields, type JsonObject, rowOf } from "@/lib/kernel/json-object";
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

// Every object is loose, and so is every union: on a same-protocol path whatever this file does not know must survive.

const text = z.string();
const someText = text.nullish();

const textPart = z.looseObject({ text });

/** What a part of a known type must have; other types pass. */
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

/** What an item of a known type must have; other types pass. An item without a type is a message or a reference. */
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

/** What a tool of a known type must have; other types pass. */
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

/** A Responses request as far as the gateway reads it; unknown fields stay. Source: docs/responses.md#s1-2. */
export const responsesRequest = z.looseObject({
  model: text.min(1),
  input: z
    .union([text, z.array(item).max(MAX_ITEMS)], { error: "must be a string or an array of items" })
    .nullish(),
  instructions: someText,
  max_output_tokens: z.int({ error: "must be a whole number of at least 1" }).min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
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
/** One item of its input. */
export type ResponsesItem = z.infer<typeof item>;

/** The type of an item. Shape: a message and a reference need not name theirs. */
export function itemType({ type, role, id }: JsonObject): string {
  if (typeof type === "string") return type;
  return role === undefined && typeof id === "string" ? "item_reference" : "message";
}

/** Adds the problems of a value that its type's shape has; `shape` is undefined for an unknown type. */
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

const plainFields: ReadonlySet<string> = new Set(
  "model input instructions max_output_tokens temperature top_p store stream".split(" "),
);
const plainRoles: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "developer"]);

/** True for a Responses request of texts and numbers that surely passes `responsesRequest`. */
export function isPlainResponses(body: JsonObject): boolean {
  return (
    hasOnlyFields(body, plainFields) &&
    body.model !== "" &&
    isPlainText(body.model) &&
    (isPlainText(body.input) || arePlainTurns(body.input, plainRoles)) &&
    (body.instructions === undefined || isPlainText(body.instructions)) &&
    isPlainLimit(body.max_output_tokens) &&
    isPlainShare(body.temperature, 2) &&
    isPlainShare(body.top_p, 1) &&
    isPlainFlag(body.store) &&
    isPlainFlag(body.stream)
  );
}

/** Rules that a schema cannot say. Throws: INVALID_REQUEST naming the field. Source: docs/responses.md#s1-2. */
export function checkResponses(body: JsonObject): void {
  if (body.previous_response_id != null && body.conversation != null) {
    const param = "previous_response_id";
    throw invalid(param, `${param} must not be sent together with conversation.`);
  }
  const { input } = body;
  const isEmpty = input == null || input === "" || (Array.isArray(input) && input.length === 0);
  const hasOther = [body.previous_response_id, body.conversation, body.prompt].some((field) => field != null);
  if (isEmpty && !hasOther) throw invalid("input", "input must hold at least one item.");
}

const echoed = "the answer repeats it";

/** What each field of a Responses request is about. Source: docs/responses.md#s1-2. */
export const responsesFields: FieldTable = {
  model: { concepts: ["model"] },
  input: { concepts: ["history"] },
  instructions: { concepts: ["instructions"] },
  max_output_tokens: { concepts: ["outputLimit"] },
  temperature: { concepts: ["temperature"] },
  top_p: { concepts: ["topP"] },
  top_logprobs: { concepts: ["logProbabilities"], hint: true },
  tools: { concepts: ["tools", "webSearch"] },
  tool_choice: { concepts: ["toolChoice"] },
  parallel_tool_calls: { concepts: ["parallelToolCalls"] },
  max_tool_calls: { concepts: [], fate: "ignored", note: "bounds tools that no such node runs" },
  reasoning: { concepts: ["reasoning"] },
  text: { concepts: ["outputFormat"], note: "verbosity where the model knows it" },
  include: {
    concepts: [],
    fate: "ignored",
    note: "decides what the answer shows; log probabilities as top_logprobs",
  },
  store: { concepts: [], fate: "ignored", note: "decides what the gateway keeps" },
  previous_response_id: {
    concepts: [],
    fate: "ignored",
    note: "resolved by the gateway before the request is converted",
  },
  conversation: { concepts: ["serverState"] },
  prompt: { concepts: ["serverState"] },
  background: { concepts: ["serverState"], hint: true },
  background_options: { concepts: [], fate: "ignored", note: "belongs to background" },
  access_programs: { concepts: [], note: "programs of the vendor's account" },
  image: { concepts: [], hint: true, note: "how the vendor compresses images of the prompt" },
  stream: { concepts: ["streaming"] },
  stream_options: { concepts: [], fate: "ignored", note: "the gateway adds no obfuscation" },
  truncation: { concepts: [], usual: "disabled" },
  context_management: { concepts: [], note: "a hint" },
  metadata: { concepts: [], fate: "ignored", note: echoed },
  service_tier: { concepts: ["serviceTier"] },
  prompt_cache_key: { concepts: ["session"] },
  prompt_cache_retention: { concepts: [], fate: "ignored", note: echoed },
  prompt_cache_options: { concepts: [], hint: true },
  safety_identifier: { concepts: ["caller"], note: "wins over user" },
  user: { concepts: ["caller"] },
  moderation: { concepts: ["moderation"], hint: true },
  presence_penalty: { concepts: [], hint: true },
  frequency_penalty: { concepts: [], hint: true },
  provider: { concepts: [], note: "the gateway chooses the node" },
  client_metadata: { concepts: [], fate: "ignored", note: "what a program tells about itself" },
  type: { concepts: [], fate: "ignored", note: "belongs to a WebSocket frame" },
  generate: { concepts: [], fate: "ignored", note: "belongs to a WebSocket frame" },
};

/** The fields of a Responses request that become prompt. Source: docs/protocols.md#s11-5. */
export const responsesPromptFields: PromptFields = {
  turns: "input",
  content: ["instructions", "input"],
  json: ["tools", "text"],
};

/** What becomes of each concept on a Responses node. Source: docs/responses.md#s1-2. */
export const responsesConcepts: ConceptTable = {
  model: mapped("the node's model id"),
  history: mapped("input"),
  instructions: mapped("instructions, or messages of the developer"),
  outputLimit: mapped("max_output_tokens"),
  temperature: mapped("temperature, where the model takes it"),
  topP: mapped("top_p, where the model takes it"),
  topK: dropped(),
  stop: mapped("the gateway ends the answer there"),
  streaming: mapped("asked of the node where the client wants a stream or the answer may be long"),
  usageChunk: ignored("the terminal event has the usage"),
  choices: refused("400 above 1; one is asked for when lenient"),
  tools: mapped("tools"),
  toolChoice: mapped("tool_choice"),
  parallelToolCalls: mapped("parallel_tool_calls"),
  webSearch: mapped("a web search tool where the node has one and the alias a price for it"),
  outputFormat: mapped("text.format"),
  verbosity: mapped("text.verbosity, where the model knows it"),
  reasoning: mapped("reasoning"),
  shownReasoning: mapped("what the client gets of it"),
  logProbabilities: mapped("top_logprobs and include"),
  caller: mapped("safety_identifier, hashed"),
  session: mapped("prompt_cache_key, hashed"),
  serviceTier: mapped("service_tier, where the node has it and it costs nothing extra"),
  cacheMarks: ignored("Responses nodes cache by themselves"),
  storage: ignored("nothing is stored"),
  serverState: refused("400: state kept by a server"),
  audioOutput: refused("400"),
  outputModalities: refused("400 unless text only"),
  moderation: dropped("400 with a blocking policy"),
};

import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { ParseContext } from "@/lib/protocols/adapters/client-request";
import { chatFields } from "@/lib/protocols/chat/fields";
import {
  type CacheMark,
  type CustomTool,
  type FunctionTool,
  type Grammar,
  type HostedTool,
  type Tool,
  usesCustomTools,
} from "@/lib/protocols/generation/parts";
import {
  blocksAnswers,
  type GenerationRequest,
  type OutputFormat,
  type ToolChoice,
} from "@/lib/protocols/generation/request";
import { tierOf } from "@/lib/protocols/generation/service-tier";
import { givenFields } from "@/lib/protocols/passes/rendering";
import { cacheMark, parseMessages } from "./parse-messages";
import { parseReasoning } from "./parse-reasoning";
import type { ChatFunction, ChatRequest, ChatTool } from "./schema";
import { chatWords } from "./words";

/** The neutral request of a checked chat body. Throws: INVALID_REQUEST naming the field. Source: docs/protocols.md#s4. */
export function parseChat(body: JsonObject, _context: ParseContext): GenerationRequest {
  const request = body as ChatRequest; // the body has passed the schema
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
    customTools: usesCustomTools(tools, turns),
    toolChoice: tools.length === 0 ? null : parseToolChoice(request, tools),
    parallelToolCalls: request.parallel_tool_calls ?? null,
    sampling: {
      temperature: request.temperature ?? null,
      topP: request.top_p ?? null,
      topK: request.top_k ?? null,
      seed: request.seed ?? null,
      frequencyPenalty: request.frequency_penalty ?? null,
      presencePenalty: request.presence_penalty ?? null,
    },
    outputLimit: request.max_completion_tokens ?? request.max_tokens ?? null,
    longAnswers: false,
    stop: stopList(request.stop),
    reasoning,
    outputFormat: parseOutputFormat(request),
    verbosity: typeof request.verbosity === "string" ? request.verbosity : null,
    choices: request.n ?? 1,
    logProbabilities: logProbabilitiesOf(request),
    caller: request.safety_identifier ?? request.user ?? null,
    session: typeof request.prompt_cache_key === "string" ? request.prompt_cache_key : null,
    serviceTier: request.service_tier == null ? null : tierOf(request.service_tier),
    stream: request.stream === true,
    audioOutput: request.audio != null,
    otherModalities: Array.isArray(request.modalities) && request.modalities.some(isOtherModality),
    blockingModeration: blocksAnswers(request.moderation),
  };
}

/** Chat's `stop` as a list: a string becomes a list of one, null an empty list. Source: docs/protocols.md#s4-1. */
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
  const { schema, name, description, strict } = named;
  return {
    kind: "json_schema",
    schema,
    name: typeof name === "string" && name !== "" ? name : null,
    description: typeof description === "string" ? description : null,
    strict: typeof strict === "boolean" ? strict : null,
    source,
  };
}

function logProbabilitiesOf({ logprobs, top_logprobs: top }: ChatRequest) {
  return logprobs === true ? { top: typeof top === "number" ? top : null } : null;
}

function isOtherModality(modality: unknown): boolean {
  return modality !== "text";
}

/** The tools of a chat request, its web search last. Throws: INVALID_REQUEST. Source: docs/protocols.md#s4-5. */
function parseTools(request: ChatRequest): Tool[] {
  const older = request.functions ?? [];
  const current = request.tools ?? [];
  if (older.length > 0 && current.length > 0)
    throw invalid("functions", "functions must not be sent together with tools; use tools.");
  const tools: Tool[] =
    older.length > 0
      ? older.map((definition, index) => functionTool(definition, `functions[${index}]`, undefined))
      : current.map((tool, index) => parseTool(tool, `tools[${index}]`));
  const search = webSearch(request.web_search_options);
  if (search !== null) tools.push(search);
  return tools;
}

/** Parses tool_choice, or the older function_call. Throws: INVALID_REQUEST. Source: docs/protocols.md#s4-6. */
function parseToolChoice(request: ChatRequest, tools: readonly Tool[]): ToolChoice | null {
  const field =
    request.tool_choice == null && request.function_call != null ? "function_call" : "tool_choice";
  const wanted = request.tool_choice ?? request.function_call;
  if (wanted === null || wanted === undefined) return null;
  if (typeof wanted === "string") return wordChoice(wanted, field);
  if (wanted.type === "allowed_tools") return allowedTools(wanted, tools);
  const definition = isObject(wanted.function) ? wanted.function : wanted.custom;
  const named = isObject(definition) ? definition.name : field === "function_call" ? wanted.name : undefined;
  if (typeof named !== "string")
    throw invalid(field, `${field} must be auto, none, required or name a function.`);
  return { kind: "one", name: named, source: `${field}.function.name` };
}

function parseTool(tool: ChatTool, at: string): FunctionTool | CustomTool {
  if (tool.type === "custom" && isObject(tool.custom)) return customTool(tool.custom, at);
  if (tool.type != null && tool.type !== "function")
    throw invalid(`${at}.type`, `${at}.type must be function for this model.`);
  if (tool.function == null) throw invalid(`${at}.function`, `${at}.function must be an object with a name.`);
  return functionTool(tool.function, `${at}.function`, cacheMark(tool));
}

function functionTool(definition: ChatFunction, source: string, cache: CacheMark | undefined): FunctionTool {
  return {
    kind: "function",
    source,
    name: definition.name,
    description: definition.description ?? null,
    parameters: definition.parameters ?? null,
    strict: definition.strict === true,
    cache: cacheMark(definition) ?? cache,
  };
}

function customTool(definition: JsonObject, source: string): CustomTool {
  const { name, description, format } = definition;
  return {
    kind: "custom",
    source,
    name: String(name),
    description: typeof description === "string" ? description : null,
    grammar: isObject(format) && isObject(format.grammar) ? grammarOf(format.grammar) : null,
  };
}

function grammarOf({ syntax, definition }: JsonObject): Grammar {
  return { syntax: String(syntax), definition: String(definition) };
}

function webSearch(options: unknown): HostedTool | null {
  if (options === undefined || options === null) return null;
  const source = "web_search_options";
  if (!isObject(options)) throw invalid(source, `${source}: this model has no web search.`);
  const place = isObject(options.user_location) ? options.user_location.approximate : undefined;
  return {
    kind: "hosted",
    source,
    name: "web_search",
    type: source,
    runs: "web search",
    location: isObject(place) ? place : null,
    contextSize: options.search_context_size === undefined ? null : String(options.search_context_size),
    missing: "refused",
  };
}

function wordChoice(word: string, source: string): ToolChoice {
  switch (word) {
    case "auto":
    case "none":
      return { kind: word };
    case "required":
    case "any":
      return { kind: "required" };
    default:
      return { kind: "one", name: word, source };
  }
}

function allowedTools(wanted: JsonObject, tools: readonly Tool[]): ToolChoice {
  const options = isObject(wanted.allowed_tools) ? wanted.allowed_tools : wanted;
  const listed = Array.isArray(options.tools) ? options.tools.filter(isObject) : [];
  const names = listed.map((tool) => String((isObject(tool.function) ? tool.function : chosen(tool)).name));
  if (names.length === 0 || !names.every((name) => tools.some((tool) => tool.name === name))) {
    throw invalid(
      "tool_choice.allowed_tools.tools",
      "tool_choice.allowed_tools.tools must list tools of this request.",
    );
  }
  return { kind: "allowed", names, required: options.mode === "required" };
}

function chosen(tool: JsonObject): JsonObject {
  return isObject(tool.custom) ? tool.custom : tool;
}

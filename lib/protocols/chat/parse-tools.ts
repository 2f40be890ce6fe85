import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { CacheMark, CustomTool, FunctionTool, HostedTool, Tool } from "../generation/parts";
import type { ToolChoice } from "../generation/request";
import { cacheMark } from "./parse-content";
import type { ChatFunction, ChatRequest, ChatTool } from "./schema";

/** The tools of a chat request, its web search last. Throws: INVALID_REQUEST. Source: docs/protocols.md#s4-5. */
export function parseTools(request: ChatRequest): Tool[] {
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

/** tool_choice, or the older function_call. Throws: INVALID_REQUEST. Source: docs/protocols.md#s4-6. */
export function parseToolChoice(request: ChatRequest, tools: readonly Tool[]): ToolChoice | null {
  const field =
    request.tool_choice == null && request.function_call != null ? "function_call" : "tool_choice";
  const wanted = request.tool_choice ?? request.function_call;
  if (wanted === null || wanted === undefined) return null;
  if (typeof wanted === "string") return wordChoice(wanted, field);
  if (wanted.type === "allowed_tools") return allowedTools(wanted, tools);
  const named = isObject(wanted.function)
    ? wanted.function.name
    : field === "function_call"
      ? wanted.name
      : undefined;
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
    grammar: isObject(format) ? format : null,
  };
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
  const names = listed.map((tool) => String(isObject(tool.function) ? tool.function.name : tool.name));
  if (names.length === 0 || !names.every((name) => tools.some((tool) => tool.name === name))) {
    throw invalid(
      "tool_choice.allowed_tools.tools",
      "tool_choice.allowed_tools.tools must list tools of this request.",
    );
  }
  return { kind: "allowed", names, required: options.mode === "required" };
}

import type { Conversion } from "@/lib/convert/conversion";
import { cacheMarker } from "@/lib/convert/to-messages/content";
import type { Turn } from "@/lib/convert/to-messages/turns";
import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { ChatFunction, ChatRequest, ChatTool } from "@/lib/protocols/chat/schema";
import { cleanSchema, isClosed } from "@/lib/protocols/passes/schema-clean";

/**
 * Tool definitions for a messages node. Shape: empty when there are none. Throws: INVALID_REQUEST.
 * Source: docs/protocols.md#s4-5.
 */
export function convertTools(request: ChatRequest, conversion: Conversion): JsonObject[] {
  const tools = definitions(request).map(({ tool, definition, at }) =>
    convertTool(tool, definition, at, conversion),
  );
  const names = tools.map((tool) => String(tool.name));
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice >= 0)
    throw invalid(
      `tools[${twice}].function.name`,
      `tools[${twice}].function.name must be unique among the tools.`,
    );
  const search = webSearchTool(request, conversion);
  return search === null ? tools : [...tools, search];
}

/**
 * Minimal definitions of the tools a history calls, for upstreams that demand them; with them the model must
 * not call any, since the client offered none. Source: docs/protocols.md#s4-5-6, #ec-70.
 */
export function toolsOfHistory(turns: Turn[]): JsonObject[] {
  const used = turns.flatMap((turn) => turn.content.filter((block) => block.type === "tool_use"));
  const names = new Set(used.map((block) => String(block.name)));
  return [...names].map((name) => ({ name, input_schema: { type: "object" } }));
}

interface Definition {
  tool: JsonObject;
  definition: ChatFunction;
  at: string;
}

function definitions(request: ChatRequest): Definition[] {
  const older = request.functions ?? [];
  const current = request.tools ?? [];
  if (older.length > 0 && current.length > 0)
    throw invalid("functions", "functions must not be sent together with tools; use tools.");
  if (older.length > 0)
    return older.map((definition, index) => ({ tool: {}, definition, at: `functions[${index}]` }));
  return current.map((tool, index) => ({
    tool,
    definition: functionOf(tool, `tools[${index}]`),
    at: `tools[${index}].function`,
  }));
}

function functionOf(tool: ChatTool, at: string): ChatFunction {
  if (tool.type != null && tool.type !== "function")
    throw invalid(`${at}.type`, `${at}.type must be function for this model.`);
  if (tool.function == null) throw invalid(`${at}.function`, `${at}.function must be an object with a name.`);
  return tool.function;
}

function convertTool(
  tool: JsonObject,
  definition: ChatFunction,
  at: string,
  conversion: Conversion,
): JsonObject {
  const { name, description, parameters, strict } = definition;
  const schema = inputSchema(parameters);
  const converted: JsonObject = { name: conversion.names.send(name) };
  if (description != null) converted.description = description;
  converted.input_schema = schema;
  if (strict === true) Object.assign(converted, strictness(schema, `${at}.strict`, conversion));
  return { ...converted, ...cacheMarker(tool), ...cacheMarker(definition) };
}

// The whole schema goes over: a picked-out part of it breaks `$ref`.
function inputSchema(parameters: JsonObject | null | undefined): JsonObject {
  if (parameters == null || Object.keys(parameters).length === 0) return { type: "object", properties: {} };
  return parameters.type === undefined || parameters.type === null
    ? { type: "object", ...parameters }
    : parameters;
}

function strictness(schema: JsonObject, field: string, conversion: Conversion): JsonObject {
  const cleaned = conversion.profile.structuredOutput && isClosed(schema) ? cleanSchema(schema) : null;
  if (cleaned !== null) return { strict: true, input_schema: cleaned };
  conversion.warnings.dropped(field);
  return {};
}

const searchUses: Record<string, number> = { low: 1, medium: 5, high: 10 };

function webSearchTool(request: ChatRequest, conversion: Conversion): JsonObject | null {
  const options = request.web_search_options;
  if (options === undefined || options === null) return null;
  const type = conversion.profile.webSearch;
  if (type === null || !isObject(options)) {
    throw invalid("web_search_options", "web_search_options: this model has no web search.");
  }
  const tool: JsonObject = {
    type,
    name: "web_search",
    max_uses: searchUses[String(options.search_context_size)] ?? 5,
  };
  const location = isObject(options.user_location) ? options.user_location.approximate : undefined;
  return isObject(location) ? { ...tool, user_location: { type: "approximate", ...location } } : tool;
}

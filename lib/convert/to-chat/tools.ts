import type { Conversion } from "@/lib/convert/conversion";
import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { MessagesRequest, MessagesTool } from "@/lib/protocols/messages/schema";
import { isFullyRequired } from "@/lib/protocols/passes/schema-clean";

/** Tools for a chat node, and the search it does itself. */
interface ChatTools {
  tools: JsonObject[];
  webSearchOptions: JsonObject | null;
}

const modelDefined = /^(?:bash|text_editor|memory|computer|browser)_/;
const serverSide = /^(?:web_search|web_fetch|code_execution|tool_search|advisor|mcp_toolset)/;

/**
 * Tool definitions of a messages request for a chat node. Throws: INVALID_REQUEST naming the tool.
 * Source: docs/protocols.md#s5-4.
 */
export function convertTools(request: MessagesRequest, conversion: Conversion): ChatTools {
  const result: ChatTools = { tools: [], webSearchOptions: null };
  const wanted = withRemovals(request);
  for (const [index, tool] of wanted.entries()) addTool(tool, `tools[${index}]`, result, conversion);
  if (wanted.length > 0 && result.tools.length === 0 && result.webSearchOptions === null) {
    throw invalid(
      "tools[0].type",
      `tools[0].type: this model cannot run ${String(wanted[0]?.type)}; it takes tools that the caller runs.`,
    );
  }
  return result;
}

function addTool(tool: MessagesTool, at: string, result: ChatTools, conversion: Conversion): void {
  const type = tool.type ?? "custom";
  if (type === "custom") {
    result.tools.push(functionTool(tool, at, conversion));
  } else if (type.startsWith("web_search") && conversion.profile.webSearch !== null) {
    result.webSearchOptions = searchOptions(tool);
  } else if (serverSide.test(type)) {
    conversion.warnings.dropped(type);
  } else {
    const why = modelDefined.test(type)
      ? "its schema is known only to the model it was made for"
      : "it is not known here";
    throw invalid(
      `${at}.type`,
      `${at}.type ${type} cannot be used with this model: ${why}. Define a custom tool with an input_schema.`,
    );
  }
}

function functionTool(tool: MessagesTool, at: string, conversion: Conversion): JsonObject {
  if (tool.name == null) throw invalid(`${at}.name`, `${at}.name must be a string.`);
  const definition: JsonObject = { name: conversion.names.send(tool.name) };
  if (tool.description != null) definition.description = tool.description;
  definition.parameters = parameters(tool.input_schema);
  if (tool.strict === true) {
    if (isFullyRequired(definition.parameters)) definition.strict = true;
    else conversion.warnings.dropped(`${at}.strict`);
  }
  return { type: "function", function: definition };
}

function parameters(schema: JsonObject | null | undefined): JsonObject {
  if (schema == null) return { type: "object", properties: {} };
  const typed = schema.type == null ? { type: "object", ...schema } : schema;
  return typed.type === "object" && typed.properties === undefined ? { ...typed, properties: {} } : typed;
}

function searchOptions(tool: MessagesTool): JsonObject {
  const { type: _type, ...approximate } = isObject(tool.user_location) ? tool.user_location : {};
  return Object.keys(approximate).length === 0 ? {} : { user_location: { type: "approximate", approximate } };
}

// A tool that is taken away in the course of the history and not given back is not offered.
function withRemovals(request: MessagesRequest): MessagesTool[] {
  const removed = new Set<unknown>();
  for (const turn of request.messages) {
    if (turn.role !== "system" || typeof turn.content === "string") continue;
    for (const block of turn.content) {
      const name = isObject(block.tool) ? (block.tool.name ?? block.tool.tool_name) : undefined;
      if (block.type === "tool_removal") removed.add(name);
      if (block.type === "tool_addition") removed.delete(name);
    }
  }
  return (request.tools ?? []).filter((tool) => tool.name == null || !removed.has(tool.name));
}

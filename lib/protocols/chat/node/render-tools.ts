import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { CustomTool, FunctionTool, HostedTool } from "@/lib/protocols/generation/parts";
import { refusal } from "@/lib/protocols/generation/problems";
import { noteMissingTools, type Rendering, searchFate } from "@/lib/protocols/passes/rendering";
import { isFullyRequired } from "@/lib/protocols/passes/schema-clean";
import { toolSchema } from "@/lib/protocols/passes/tool-schema";

/** The tools for a chat node, and the options of its own web search. */
export interface ChatTools {
  tools: JsonObject[];
  webSearchOptions: JsonObject | null;
}

/** Tool definitions for a chat node. Throws: INVALID_REQUEST naming the tool. Source: docs/protocols.md#s5-4. */
export function renderTools(rendering: Rendering): ChatTools {
  const result: ChatTools = { tools: [], webSearchOptions: null };
  const { request, words, losses } = rendering;
  const missing: HostedTool[] = [];
  for (const tool of request.tools) {
    if (tool.kind !== "hosted") result.tools.push(ownTool(tool, rendering));
    else addHostedTool(tool, result, missing, rendering);
  }
  const needsOthers = missing.find((tool) => tool.missing === "left out beside others");
  if (needsOthers !== undefined && result.tools.length === 0 && result.webSearchOptions === null)
    throw refusal(words.noOwnTool(needsOthers));
  noteMissingTools(missing, losses);
  keepAllowed(result, rendering);
  return result;
}

/** Removes the tools that may not be called, for a node without a field for allowed tools. */
function keepAllowed(result: ChatTools, { request, profile, losses, names }: Rendering): void {
  const choice = request.toolChoice;
  if (choice?.kind !== "allowed" || profile.allowedTools) return;
  const allowed = new Set(choice.names.map((name) => names.send(name)));
  const kept = result.tools.filter((tool) => allowed.has(nameOf(tool)));
  if (kept.length < result.tools.length) losses.add("changed:tool_choice");
  result.tools = kept;
}

function nameOf({ function: definition, custom }: JsonObject): string {
  const named = isObject(definition) ? definition : custom;
  return isObject(named) ? String(named.name) : "";
}

/** The fields of a tool choice, and the rest that the answer path must do. */
export interface ChatToolChoice {
  fields: JsonObject;
  /**
   * The node has no field for single calls: the answer must be cut to its first call. Source: docs/protocols.md#d10.
   */
  singleToolCall: boolean;
}

function ownTool(tool: FunctionTool | CustomTool, rendering: Rendering): JsonObject {
  return tool.kind === "function" ? functionTool(tool, rendering) : customTool(tool, rendering);
}

/** Adds the tool to those that the node runs, or to `missing`, which the request is sent without. */
function addHostedTool(
  tool: HostedTool,
  result: ChatTools,
  missing: HostedTool[],
  rendering: Rendering,
): void {
  switch (searchFate(tool, rendering)) {
    case "runs":
      result.webSearchOptions = searchOptions(tool);
      return;
    case "has no price":
      missing.push({ ...tool, missing: "left out" });
      return;
    case "not there":
      if (tool.missing === "refused") throw refusal(rendering.words.hostedTool(tool));
      if (tool.missing === "left out beside others") rendering.losses.dropped(tool.type);
      missing.push(tool);
  }
}

function functionTool(tool: FunctionTool, { names, losses }: Rendering): JsonObject {
  const definition: JsonObject = { name: names.send(tool.name) };
  if (tool.description !== null) definition.description = tool.description;
  definition.parameters = parameters(toolSchema(tool, losses));
  if (tool.strict) {
    if (isFullyRequired(definition.parameters)) definition.strict = true;
    else losses.dropped(`${tool.source}.strict`);
  }
  return { type: "function", function: definition };
}

function customTool(tool: CustomTool, { names }: Rendering): JsonObject {
  const custom: JsonObject = { name: names.send(tool.name) };
  if (tool.description !== null) custom.description = tool.description;
  if (tool.grammar !== null) custom.format = { type: "grammar", grammar: tool.grammar };
  return { type: "custom", custom };
}

function parameters(schema: JsonObject | null): JsonObject {
  if (schema === null) return { type: "object", properties: {} };
  const typed = schema.type == null ? { type: "object", ...schema } : schema;
  return typed.type === "object" && typed.properties === undefined ? { ...typed, properties: {} } : typed;
}

function searchOptions({ location, contextSize }: HostedTool): JsonObject {
  const options: JsonObject = {};
  if (contextSize !== null) options.search_context_size = contextSize;
  if (location !== null) options.user_location = { type: "approximate", approximate: location };
  return options;
}

import { type JsonObject, rowOf } from "@/lib/kernel/json-object";
import type { FunctionTool, HostedTool } from "@/lib/protocols/generation/parts";
import { type Problem, refusal } from "@/lib/protocols/generation/problems";
import { noteMissingTools, type Rendering, searchFate } from "@/lib/protocols/passes/rendering";
import { cleanSchema, isClosed } from "@/lib/protocols/passes/schema-clean";
import { toolSchema } from "@/lib/protocols/passes/tool-schema";

/** Tool definitions for a messages node. Throws: INVALID_REQUEST. Source: docs/protocols.md#s4-5. */
export function renderTools(rendering: Rendering): JsonObject[] {
  const { words, request } = rendering;
  const rendered: JsonObject[] = [];
  const names = new Set<unknown>();
  const twice: FunctionTool[] = [];
  for (const tool of request.tools) {
    switch (tool.kind) {
      case "function": {
        const definition = functionTool(tool, rendering);
        if (names.has(definition.name)) twice.push(tool);
        names.add(definition.name);
        rendered.push(definition);
        break;
      }
      case "custom":
      case "hosted":
        break;
    }
  }
  if (twice[0] !== undefined) throw refusal(words.duplicateTool(twice[0]));
  const missing: HostedTool[] = [];
  for (const tool of request.tools) {
    if (tool.kind !== "hosted") continue;
    const fate = searchFate(tool, rendering);
    if (fate === "runs") rendered.push(searchTool(tool, rendering.profile.webSearch));
    else if (fate === "has no price") missing.push({ ...tool, missing: "left out" });
    else if (tool.missing === "refused") throw refusal(refusedTool(tool, rendering));
    else missing.push(tool);
  }
  noteMissingTools(missing, rendering.losses);
  return rendered;
}

function functionTool(tool: FunctionTool, rendering: Rendering): JsonObject {
  const schema = inputSchema(toolSchema(tool, rendering.losses));
  const converted: JsonObject = { name: rendering.names.send(tool.name) };
  if (tool.description !== null) converted.description = tool.description;
  converted.input_schema = schema;
  if (tool.strict) setStrictness(converted, schema, `${tool.source}.strict`, rendering);
  if (tool.cache !== undefined) converted.cache_control = tool.cache;
  return converted;
}

// The whole schema is sent, because a part of it would break `$ref`.
function inputSchema(parameters: JsonObject | null): JsonObject {
  if (parameters === null || Object.keys(parameters).length === 0) return { type: "object", properties: {} };
  return parameters.type === undefined || parameters.type === null
    ? { type: "object", ...parameters }
    : parameters;
}

function setStrictness(tool: JsonObject, schema: JsonObject, field: string, rendering: Rendering): void {
  const cleaned = rendering.profile.structuredOutput && isClosed(schema) ? cleanSchema(schema) : null;
  if (cleaned === null) rendering.losses.dropped(field);
  else {
    tool.strict = true;
    tool.input_schema = cleaned;
  }
}

const searchUses: Record<string, number> = { low: 1, medium: 5, high: 10 };

function refusedTool(tool: HostedTool, { words }: Rendering): Problem {
  return tool.runs === "web search" ? words.webSearch(tool) : words.hostedTool(tool);
}

function searchTool(tool: HostedTool, type: string | null): JsonObject {
  const search: JsonObject = {
    type,
    name: "web_search",
    max_uses: rowOf(searchUses, tool.contextSize ?? "") ?? 5,
  };
  if (tool.location !== null) search.user_location = { type: "approximate", ...tool.location };
  return search;
}

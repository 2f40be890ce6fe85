import type { JsonObject } from "@/lib/kernel/json-object";
import type { CustomTool, FunctionTool, HostedTool } from "@/lib/protocols/generation/parts";
import { refusal } from "@/lib/protocols/generation/problems";
import { noteMissingTools, type Rendering, searchFate } from "@/lib/protocols/passes/rendering";
import { isFullyRequired } from "@/lib/protocols/passes/schema-clean";
import { toolSchema } from "@/lib/protocols/passes/tool-schema";

/** Tool definitions for a Responses node. Throws: INVALID_REQUEST naming the tool. Source: docs/responses.md#s3-6. */
export function renderTools(rendering: Rendering): JsonObject[] {
  const { request, words, losses } = rendering;
  const tools: JsonObject[] = [];
  const missing: HostedTool[] = [];
  for (const tool of request.tools) {
    if (tool.kind === "function") tools.push(functionTool(tool, rendering));
    else if (tool.kind === "custom") tools.push(customTool(tool, rendering));
    else addHosted(tool, tools, missing, rendering);
  }
  const needsOthers = missing.find((tool) => tool.missing === "left out beside others");
  if (needsOthers !== undefined && tools.length === 0) throw refusal(words.noOwnTool(needsOthers));
  noteMissingTools(missing, losses);
  return tools;
}

function addHosted(tool: HostedTool, tools: JsonObject[], missing: HostedTool[], rendering: Rendering): void {
  switch (searchFate(tool, rendering)) {
    case "runs":
      tools.push(searchTool(tool, rendering.profile.webSearch));
      return;
    case "has no price":
      missing.push({ ...tool, missing: "left out" });
      return;
    case "not there":
      if (tool.missing === "refused") throw refusal(rendering.words.hostedTool(tool));
      missing.push(tool);
  }
}

/** `strict` is always sent: without it, nodes change the schema as if it were strict. */
function functionTool(tool: FunctionTool, { names, losses }: Rendering): JsonObject {
  const parameters = withType(toolSchema(tool, losses));
  const strict = tool.strict && isFullyRequired(parameters);
  if (tool.strict && !strict) losses.dropped(`${tool.source}.strict`);
  const named: JsonObject = { type: "function", name: names.send(tool.name) };
  if (tool.description !== null) named.description = tool.description;
  return { ...named, parameters, strict };
}

function customTool({ name, description, grammar }: CustomTool, { names }: Rendering): JsonObject {
  const custom: JsonObject = { type: "custom", name: names.send(name) };
  if (description !== null) custom.description = description;
  if (grammar !== null) custom.format = { type: "grammar", ...grammar };
  return custom;
}

function searchTool({ location, contextSize }: HostedTool, type: string | null): JsonObject {
  const search: JsonObject = { type };
  if (contextSize !== null) search.search_context_size = contextSize;
  if (location !== null) search.user_location = { type: "approximate", ...location };
  return search;
}

function withType(schema: JsonObject | null): JsonObject {
  if (schema === null) return { type: "object", properties: {} };
  const typed = schema.type == null ? { type: "object", ...schema } : schema;
  return typed.type === "object" && typed.properties === undefined ? { ...typed, properties: {} } : typed;
}

import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { type OfferedCalls, offerCalls } from "@/lib/kernel/usage";
import type { FunctionTool, HostedTool } from "@/lib/protocols/generation/parts";
import { refusal } from "@/lib/protocols/generation/problems";
import type { ToolChoice } from "@/lib/protocols/generation/request";
import { noteMissingTools, type Rendering, searchFate } from "@/lib/protocols/passes/rendering";
import { toolSchema } from "@/lib/protocols/passes/tool-schema";
import { oldSchema } from "./old-schema";
import { nodeSchema } from "./schema";

/** The tools of a request in the form of this protocol. */
export interface GeminiTools {
  tools: JsonObject[];
  /** `functionCallingConfig`; null: the model decides. */
  calling: JsonObject | null;
  /** At least one function is declared. */
  hasFunctions: boolean;
  /** The searches that the node may run; undefined: none. */
  offered: OfferedCalls | undefined;
  /** The answer is cut to its first call: nodes have no field for it. */
  singleToolCall: boolean;
}

/** Tools and the choice among them. Throws: INVALID_REQUEST naming the tool. Source: docs/gemini.md#to-nodes. */
export function renderTools(rendering: Rendering): GeminiTools {
  const { request, losses, target } = rendering;
  const declared = allowedOf(declarationsOf(rendering), rendering);
  const runsSearch = addSearches(rendering);
  const tools: JsonObject[] = [];
  if (declared.length > 0) tools.push({ functionDeclarations: declared });
  if (runsSearch) tools.push({ googleSearch: {} });
  const hasFunctions = declared.length > 0;
  const singleToolCall = hasFunctions && request.parallelToolCalls === false;
  if (singleToolCall) losses.add("changed:disable_parallel_tool_use");
  const choice = hasFunctions ? request.toolChoice : null;
  return {
    tools,
    calling: choice === null ? null : callingConfig(choice, declared, rendering),
    hasFunctions,
    offered: runsSearch ? offerCalls(["webSearch"], null, target.perCall).offered : undefined,
    singleToolCall,
  };
}

function declarationsOf(rendering: Rendering): JsonObject[] {
  const { request, words } = rendering;
  const declared: JsonObject[] = [];
  const seen = new Set<unknown>();
  for (const tool of request.tools) {
    if (tool.kind !== "function") continue;
    const declaration = declarationOf(tool, rendering);
    if (seen.has(declaration.name)) throw refusal(words.duplicateTool(tool));
    seen.add(declaration.name);
    declared.push(declaration);
  }
  return declared;
}

function declarationOf(tool: FunctionTool, { names, losses, profile }: Rendering): JsonObject {
  const declaration: JsonObject = { name: names.send(tool.name) };
  if (tool.description !== null) declaration.description = tool.description;
  const schema = toolSchema(tool, losses);
  // Nodes refuse an object without properties; a function without arguments has no schema.
  if (schema !== null && Object.keys(schema).length > 0) {
    const parameters = { type: "object", ...schema };
    if (profile.jsonSchema) declaration.parametersJsonSchema = nodeSchema(parameters, losses);
    else addOldParameters(declaration, oldSchema(parameters, losses));
  }
  if (tool.strict) losses.dropped(`${tool.source}.strict`);
  return declaration;
}

/** In the older form an object has properties, or the function no parameters. */
function addOldParameters(declaration: JsonObject, schema: JsonObject): void {
  if (isObject(schema.properties) && Object.keys(schema.properties).length > 0)
    declaration.parameters = schema;
}

/** Handles the tools that the node would run; true when it may search. */
function addSearches(rendering: Rendering): boolean {
  const { request, words, losses } = rendering;
  const missing: HostedTool[] = [];
  let runs = false;
  for (const tool of request.tools) {
    if (tool.kind !== "hosted") continue;
    const fate = searchFate(tool, rendering);
    if (fate === "runs") runs = true;
    else if (fate === "has no price") missing.push({ ...tool, missing: "left out" });
    else if (tool.missing === "refused")
      throw refusal(tool.runs === "web search" ? words.webSearch(tool) : words.hostedTool(tool));
    else missing.push(tool);
  }
  noteMissingTools(missing, losses);
  return runs;
}

/** The functions that may be called: nodes have no field for a choice among some of them. */
function allowedOf(declared: JsonObject[], { request, names }: Rendering): JsonObject[] {
  const { toolChoice: choice } = request;
  if (choice?.kind !== "allowed") return declared;
  const allowed = new Set<unknown>(choice.names.map((name) => names.send(name)));
  return declared.filter(({ name }) => allowed.has(name));
}

function callingConfig(
  choice: ToolChoice,
  declared: readonly JsonObject[],
  rendering: Rendering,
): JsonObject {
  const { names, words, profile, losses } = rendering;
  const forced = (config: JsonObject): JsonObject => {
    if (profile.forcedTool) return config;
    losses.add("changed:tool_choice");
    return { mode: "AUTO" };
  };
  switch (choice.kind) {
    case "auto":
      return { mode: "AUTO" };
    case "none":
      return { mode: "NONE" };
    case "required":
      return forced({ mode: "ANY" });
    case "one": {
      const name = choice.name === null ? null : names.send(choice.name);
      if (!declared.some((tool) => tool.name === name)) throw refusal(words.unknownChoice(choice.source));
      return forced({ mode: "ANY", allowedFunctionNames: [name] });
    }
    case "allowed":
      return choice.required ? forced({ mode: "ANY" }) : { mode: "AUTO" };
  }
}

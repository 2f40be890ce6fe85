import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { ParseContext } from "@/lib/protocols/adapters/client-request";
import type { CustomTool, FunctionTool, Grammar, HostedTool, Tool } from "@/lib/protocols/generation/parts";
import { refusedHere } from "@/lib/protocols/generation/problems";
import type { ToolChoice } from "@/lib/protocols/generation/request";
import {
  type DeclaredTool,
  type DeclaredTools,
  declaredTools,
  type ForeignTool,
  flatName,
  hostedName,
  type OwnTool,
  objectsOf,
  typeName,
} from "@/lib/protocols/responses/tools";
import type { ResponsesRequest } from "./schema";

/** The tools of a request, and the model's choice among them. */
export interface ParsedTools {
  tools: Tool[];
  choice: ToolChoice | null;
  /** Offered tools include some that the client wanted to defer until a search finds them. */
  undeferred: boolean;
  /** The choice requires a tool, and the request has none. */
  unmet: boolean;
}

/**
 * Parses the tools and the choice. Throws: INVALID_REQUEST naming the tool or the choice. Source:
 * docs/responses.md#s1-1, #s1-5.
 */
export function parseTools(request: ResponsesRequest, context: ParseContext): ParsedTools {
  const declared = declaredTools(request);
  const own = [...withoutRepetition(declared.own).values()];
  const searches = own.some(({ kind }) => kind === "tool_search");
  const found = new Set(declared.own.filter((tool) => tool.found).map((tool) => tool.flatName));
  const isOffered = (tool: DeclaredTool) => !tool.deferred || !searches || found.has(tool.flatName);
  const offered = own.filter(isOffered);
  const choice = parseChoice(request.tool_choice, declared);
  const forced = isForcedAway(request.tool_choice, declared);
  const missing = forced || context.compatibility === "strict" ? "refused" : "left out";
  const hosted = declared.foreign.map((tool) => hostedTool(tool, missing));
  const isEmpty = declared.own.length + hosted.length === 0;
  const unmet = isEmpty && choice?.kind === "required";
  if (unmet && context.compatibility === "strict") throw refusedHere(noTools, "the choice is left out");
  return {
    unmet,
    tools: [...offered.map(ownTool), ...hosted],
    choice: isEmpty ? null : choice,
    undeferred: offered.some((tool) => tool.deferred && !found.has(tool.flatName)),
  };
}

/**
 * One declaration for each flat name; a later list may declare a tool again. Throws: INVALID_REQUEST naming both of two
 * different tools with one flat name.
 */
function withoutRepetition(declared: readonly DeclaredTool[]): Map<string, DeclaredTool> {
  const tools = new Map<string, DeclaredTool>();
  for (const tool of declared) {
    const before = tools.get(tool.flatName);
    if (before !== undefined && !isSame(before, tool)) throw collision(before, tool);
    tools.set(tool.flatName, tool);
  }
  return tools;
}

function isSame(before: DeclaredTool, tool: DeclaredTool): boolean {
  if (before.name !== tool.name || before.namespace !== tool.namespace) return false;
  return listOf(before) !== listOf(tool);
}

function listOf({ source }: DeclaredTool): string {
  return source.slice(0, source.lastIndexOf("["));
}

function collision(before: DeclaredTool, { source, flatName: name }: DeclaredTool): Error {
  return invalid(
    `${source}.name`,
    `${source} and ${before.source} would both be called ${name} by this model; rename one of them.`,
  );
}

const shellParameters: JsonObject = {
  type: "object",
  properties: {
    command: { type: "array", items: { type: "string" }, description: "the program and its arguments" },
    workdir: { type: "string" },
    timeout_ms: { type: "integer" },
  },
  required: ["command"],
};

function ownTool(tool: DeclaredTool): FunctionTool | CustomTool {
  const { definition, source, flatName: name, kind } = tool;
  const description = typeof definition.description === "string" ? definition.description : null;
  if (kind === "custom") return { kind, source, name, description, grammar: grammarOf(definition.format) };
  const own = isObject(definition.parameters) ? definition.parameters : null;
  const isShell = kind === "local_shell";
  return {
    kind: "function",
    source,
    name,
    description: isShell ? "Runs a command on the user's machine." : description,
    parameters: isShell ? shellParameters : own,
    strict: definition.strict === true,
    cache: undefined,
  };
}

function grammarOf(format: unknown): Grammar | null {
  if (!isObject(format) || format.type !== "grammar") return null;
  return { syntax: String(format.syntax), definition: String(format.definition) };
}

function hostedTool({ definition, source }: ForeignTool, missing: HostedTool["missing"]): HostedTool {
  const type = typeName(definition.type);
  const { type: _type, ...place } = isObject(definition.user_location) ? definition.user_location : {};
  const known = Object.entries(place).filter(([, value]) => value !== null);
  const { search_context_size: size } = definition;
  return {
    kind: "hosted",
    source,
    name: hostedName(type),
    type,
    runs: hostedName(type) === "web_search" ? "web search" : "on the server",
    location: known.length === 0 ? null : Object.fromEntries(known),
    contextSize: typeof size === "string" ? size : null,
    missing,
  };
}

const noTools = { param: "tool_choice", message: "tool_choice must not be required without any tools." };

function parseChoice(
  wanted: ResponsesRequest["tool_choice"],
  { own, foreign }: DeclaredTools,
): ToolChoice | null {
  if (wanted === null || wanted === undefined) return null;
  if (typeof wanted === "string") return { kind: wanted };
  const source = "tool_choice";
  switch (wanted.type) {
    case "allowed_tools":
      return allowedTools(wanted, own);
    case "function":
    case "custom":
      return { kind: "one", name: knownName(wanted, own), source: `${source}.name` };
    case "tool_search":
    case "local_shell":
      if (own.some(({ kind }) => kind === wanted.type)) return { kind: "one", name: wanted.type, source };
  }
  const hosted = foreign.find(({ definition }) => isType(definition, wanted.type));
  if (hosted === undefined) throw invalid(source, `${source} must name one of the tools of this request.`);
  return { kind: "one", name: hostedName(String(hosted.definition.type)), source };
}

function isType({ type }: JsonObject, wanted: unknown): boolean {
  return typeof type === "string" && hostedName(type) === hostedName(String(wanted));
}

/** The flat name of a chosen tool. Throws: INVALID_REQUEST when the request has no such tool. */
function knownName(wanted: JsonObject, own: readonly DeclaredTool[]): string {
  const name = chosenName(wanted, own);
  if (own.some((tool) => tool.flatName === name)) return name;
  throw invalid("tool_choice.name", "tool_choice.name must be the name of one of the tools.");
}

/** The flat name of a tool, from its name and namespace, or from its flat name. */
function chosenName({ namespace, name }: JsonObject, own: readonly OwnTool[]): string {
  const flat = flatName(namespace, String(name));
  const inAnyNamespace = own.filter((tool) => tool.name === name);
  const [only] = inAnyNamespace;
  const isKnown = own.some((tool) => flatName(tool.namespace, tool.name) === flat);
  if (isKnown || namespace != null || only === undefined || inAnyNamespace.length > 1) return flat;
  return flatName(only.namespace, only.name);
}

function allowedTools(wanted: JsonObject, own: readonly DeclaredTool[]): ToolChoice {
  const listed = objectsOf(wanted.tools).filter(({ type }) => type === "function" || type === "custom");
  const names = listed.map((tool) => chosenName(tool, own));
  if (names.length === 0 || !names.every((name) => own.some((tool) => tool.flatName === name)))
    throw invalid("tool_choice.tools", "tool_choice.tools must list tools of this request.");
  return { kind: "allowed", names, required: wanted.mode === "required" };
}

/** True when the model must call a tool that would run at the node. */
function isForcedAway(wanted: ResponsesRequest["tool_choice"], { own, foreign }: DeclaredTools): boolean {
  if (typeof wanted === "string") return wanted === "required" && own.length === 0;
  return isObject(wanted) && foreign.some(({ definition }) => isType(definition, wanted.type));
}

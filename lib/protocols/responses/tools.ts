import { isObject, type JsonObject } from "@/lib/kernel/json-object";

/** The kind of a client's own tool; it decides the item type of the model's calls. */
export type OwnToolKind = "function" | "custom" | "tool_search" | "local_shell";

/** The client's names for a tool that the model gets under its flat name. */
export interface OwnTool {
  kind: OwnToolKind;
  name: string;
  /** Null: the tool is in no namespace, or in the implicit one. */
  namespace: string | null;
}

/** A tool of the client's own, from the declaration in its body. */
export interface DeclaredTool extends OwnTool {
  flatName: string;
  /** Path of the definition in the client's body. */
  source: string;
  definition: JsonObject;
  /** The model gets the tool only after a search found it. */
  deferred: boolean;
  /** The declaration is in the result of a search. */
  found: boolean;
}

/** A tool that the client does not run, or of an unknown type. */
export interface ForeignTool {
  source: string;
  definition: JsonObject;
}

/** All tools of a body, in the order of their declarations. */
export interface DeclaredTools {
  own: DeclaredTool[];
  foreign: ForeignTool[];
}

/** Names of members of this namespace have no prefix. */
const IMPLICIT_NAMESPACE = "functions";

/** The flat name of a tool, for nodes without namespaces. Source: docs/responses.md#s1-1. */
export function flatName(namespace: unknown, name: string): string {
  return isNamed(namespace) ? `${namespace}__${name}` : name;
}

/**
 * The client's own tools by flat name; the last of several declarations of one name counts. A pure function of the
 * client's body. Source: docs/responses.md#s1-1.
 */
export function toolTable(body: JsonObject): ReadonlyMap<string, OwnTool> {
  return new Map(declaredTools(body).own.map((tool) => [tool.flatName, tool]));
}

/** The tools in `tools`, in `additional_tools` and in the results of searches. Source: docs/responses.md#s1-1. */
export function declaredTools(body: JsonObject): DeclaredTools {
  const declared: DeclaredTools = { own: [], foreign: [] };
  collect(body.tools, "tools", false, declared);
  const items = Array.isArray(body.input) ? body.input : [];
  for (let index = 0; index < items.length; index += 1) {
    const item: unknown = items[index];
    if (!isObject(item)) continue;
    const found = item.type === "tool_search_output";
    if (found || item.type === "additional_tools")
      collect(item.tools, `input[${index}].tools`, found, declared);
  }
  return declared;
}

function collect(tools: unknown, at: string, found: boolean, declared: DeclaredTools): void {
  if (!Array.isArray(tools)) return;
  tools.forEach((tool: unknown, index) => {
    if (!isObject(tool)) return;
    const source = `${at}[${index}]`;
    if (tool.type === "namespace") collectMembers(tool, source, found, declared);
    else add(tool, null, source, found, declared);
  });
}

function collectMembers(group: JsonObject, at: string, found: boolean, declared: DeclaredTools): void {
  const namespace = isNamed(group.name) ? group.name : null;
  const members = Array.isArray(group.tools) ? group.tools : [];
  members.forEach((member: unknown, index) => {
    if (isObject(member)) add(member, namespace, `${at}.tools[${index}]`, found, declared);
  });
}

function add(
  definition: JsonObject,
  namespace: string | null,
  source: string,
  found: boolean,
  { own, foreign }: DeclaredTools,
): void {
  const kind = kindOf(definition);
  if (kind === null) {
    foreign.push({ source, definition });
    return;
  }
  const name = kind === "tool_search" || kind === "local_shell" ? kind : String(definition.name ?? "");
  const deferred = definition.defer_loading === true;
  own.push({
    kind,
    name,
    namespace,
    flatName: flatName(namespace, name),
    source,
    definition,
    deferred,
    found,
  });
}

/** Null: the client does not run such a tool. */
function kindOf({ type, execution }: JsonObject): OwnToolKind | null {
  switch (type) {
    case "function":
    case "custom":
    case "local_shell":
      return type;
    case "tool_search":
      return execution === "client" ? type : null;
    default:
      return null;
  }
}

function isNamed(namespace: unknown): namespace is string {
  return typeof namespace === "string" && namespace !== "" && namespace !== IMPLICIT_NAMESPACE;
}

/** The objects of a list. */
export function objectsOf(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The name of an unknown type in warnings. */
export function typeName(type: unknown): string {
  return type === "" ? "unknown" : String(type);
}

/** The canonical name of a tool that would run at the node; its type has several names. */
export function hostedName(type: string): string {
  return type.startsWith("web_search") ? "web_search" : type;
}

/** True for a shell in a container of the node, which is billed by its time. */
export function runsInContainer({ environment }: JsonObject): boolean {
  return isObject(environment) && String(environment.type).startsWith("container");
}

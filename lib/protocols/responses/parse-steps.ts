import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { Part, ReasoningPart, ToolCallPart, ToolResultPart } from "@/lib/protocols/generation/parts";
import { isGatewayTag } from "@/lib/protocols/passes/reasoning-seal";
import { contentParts, nativePart } from "./parse-content";
import { declaredTools, flatName, objectsOf } from "./tools";

// Calls that the client runs, whatever it calls them: a node of another protocol knows functions only.

/** The call in an item; null for an item that is none, or a call that the client does not run. Source: docs/responses.md#s1-3. */
export function callOfItem(item: JsonObject, source: string): ToolCallPart | null {
  switch (item.type) {
    case "function_call":
      return call(item, source, namedBy(item), item.arguments);
    case "custom_tool_call":
      return { ...call(item, source, namedBy(item), item.input), custom: true };
    case "tool_search_call":
      return isClientSearch(item) ? call(item, source, "tool_search", item.arguments) : null;
    case "local_shell_call":
      return call(item, source, "local_shell", shellArguments(item.action));
    case "shell_call":
      return call(item, source, "shell", item.action);
    case "apply_patch_call":
      return call(item, source, "apply_patch", item.operation);
    case "computer_call":
      return call(item, source, "computer", item.action ?? item.actions);
    default:
      return null;
  }
}

/** The result in an item; null for an item that is none. Source: docs/responses.md#s1-3. */
export function resultOfItem(item: JsonObject, source: string): ToolResultPart | null {
  switch (item.type) {
    case "function_call_output":
    case "custom_tool_call_output":
      return result(item, source, outputOf(item.output, source));
    case "tool_search_output":
      return isClientSearch(item) ? result(item, source, foundTools(item, source)) : null;
    case "local_shell_call_output":
    case "shell_call_output":
    case "computer_call_output":
      return result(item, source, outputOf(item.output, source));
    case "apply_patch_call_output":
      return result(item, source, outputOf(item.output ?? item.status, source));
    default:
      return null;
  }
}

function call(item: JsonObject, source: string, name: string, input: unknown): ToolCallPart {
  const inputIsText = typeof input === "string";
  return { kind: "tool_call", source, callId: callIdOf(item) ?? "", name, input, inputIsText, custom: false };
}

function result(item: JsonObject, source: string, content: string | Part[]): ToolResultPart {
  const callId = callIdOf(item);
  return { kind: "tool_result", source, callId, name: null, content, isError: false, cache: undefined };
}

// Older items name the call by the id of the item.
function callIdOf({ call_id: callId, id }: JsonObject): string | null {
  if (typeof callId === "string") return callId;
  return typeof id === "string" ? id : null;
}

function namedBy({ namespace, name }: JsonObject): string {
  return flatName(namespace, String(name));
}

function isClientSearch({ execution, call_id: callId }: JsonObject): boolean {
  return execution === "client" || (execution == null && typeof callId === "string");
}

function outputOf(output: unknown, source: string): string | Part[] {
  if (typeof output === "string") return output;
  if (output === null || output === undefined) return "";
  const at = `${source}.output`;
  const parts = isObject(output) ? [output] : output;
  const known =
    Array.isArray(parts) && parts.every((part) => isObject(part) && typeof part.type === "string");
  return known ? contentParts(parts, at) : JSON.stringify(output);
}

/** The names of what a search has found; the tools themselves are offered with the request. */
function foundTools(item: JsonObject, source: string): string | Part[] {
  const { own } = declaredTools({ tools: item.tools });
  if (own.length === 0) return "no tools found";
  return own.map(({ flatName: name }) => ({ kind: "tool_reference", source, name }));
}

function shellArguments(action: unknown): JsonObject {
  if (!isObject(action)) return {};
  const { command, working_directory: workdir, timeout_ms } = action;
  const wanted = { command, workdir, timeout_ms };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value != null));
}

/** The form of reasoning that only its maker can read. */
const sealedForm = "openai-responses-v1";

/** Reasoning as the client replays it; null fields count as absent. Source: docs/responses.md#s1-3. */
export function reasoningPart(item: JsonObject, source: string): ReasoningPart {
  const { encrypted_content: sealed } = item;
  const text = textOf(item.content) ?? textOf(item.summary);
  const own = { kind: "reasoning", source, text, signature: null } as const;
  if (typeof sealed !== "string" || sealed === "") return { ...own, sealed: null, format: sealedForm };
  return { ...own, sealed, format: isGatewayTag(sealed) ? null : sealedForm };
}

function textOf(parts: unknown): string | null {
  const texts = objectsOf(parts).flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  return texts.length === 0 ? null : texts.join("\n\n");
}

/**
 * A step of a tool that the provider ran in an earlier turn: its outcome as text where there is one, else it is left
 * out. Null for an item of an unknown type. Source: docs/responses.md#s1-3.
 */
export function hostedStep(item: JsonObject, type: string, source: string): Part | null {
  if (!hostedTypes.has(type)) return null;
  const text = stepText(item, type);
  return text === null ? nativePart({ type }, source) : { kind: "server_step", source, type, text };
}

const hostedTypes: ReadonlySet<string> = new Set([
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "mcp_list_tools",
  "mcp_call",
  "mcp_approval_request",
  "mcp_approval_response",
  "program",
  "program_output",
  "tool_search_call",
  "tool_search_output",
  "compaction_trigger",
]);

function stepText(item: JsonObject, type: string): string | null {
  if (type === "code_interpreter_call" && typeof item.code === "string")
    return `[Code was run]\n${item.code}`;
  if (type === "mcp_call" && typeof item.output === "string")
    return `[${String(item.name)} was called with ${String(item.arguments)}]\n${item.output}`;
  return null;
}

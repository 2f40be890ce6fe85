import { parseValue } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { OwnTool, OwnToolKind } from "./tools";

/** A call in the form of its first frame. Source: docs/responses.md#s2-2. */
export function callItem(kind: OwnToolKind, id: string, callId: string, tool: OwnTool): JsonObject {
  const name = tool.namespace === null ? { name: tool.name } : { name: tool.name, namespace: tool.namespace };
  const status = "in_progress";
  switch (kind) {
    case "function":
      return { id, type: "function_call", status, call_id: callId, ...name, arguments: "" };
    case "custom":
      return { id, type: "custom_tool_call", status, call_id: callId, ...name, input: "" };
    case "tool_search":
      return { id, type: "tool_search_call", status, call_id: callId, execution: "client", arguments: {} };
    case "local_shell":
      return { id, type: "local_shell_call", status, call_id: callId, action: shellAction({}) };
  }
}

/** The members with the input of a call whose item has no text input. */
export function gatheredInput(kind: OwnToolKind, json: string): JsonObject {
  const value = parseValue(json);
  const input = isObject(value) ? value : {};
  return kind === "local_shell" ? { action: shellAction(input) } : { arguments: input };
}

/** Converts the arguments of the function that replaces the shell tool into the fields of the tool's own calls. */
function shellAction({ command, workdir, ...others }: JsonObject): JsonObject {
  const action: JsonObject = { ...others, type: "exec", command: commandWords(command), env: {} };
  if (typeof workdir === "string") action.working_directory = workdir;
  return action;
}

/** Models also write a command as one string. */
function commandWords(command: unknown): unknown[] {
  if (Array.isArray(command)) return command;
  return typeof command === "string" ? ["bash", "-lc", command] : [];
}

/** The text for a custom tool that a model called as a function. */
export function inputOf(json: string): string {
  const value = parseJson(json);
  return isObject(value) && typeof value.input === "string" ? value.input : json;
}

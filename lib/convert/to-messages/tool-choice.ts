import type { Conversion } from "@/lib/convert/conversion";
import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { ChatRequest } from "@/lib/protocols/chat/schema";

/** Which tools go to the upstream and how the model may choose among them. */
export interface ToolSelection {
  tools: JsonObject[];
  choice: JsonObject | null;
}

/**
 * Chat's tool_choice, function_call and parallel_tool_calls. Throws: INVALID_REQUEST. Source: docs/protocols.md#s4-6.
 */
export function selectTools(
  request: ChatRequest,
  tools: JsonObject[],
  conversion: Conversion,
): ToolSelection {
  if (tools.length === 0) return { tools, choice: null };
  const selection = applyChoice(request, tools, conversion);
  if (request.parallel_tool_calls !== false) return selection;
  const choice = selection.choice ?? { type: "auto" };
  return choice.type === "none"
    ? selection
    : { ...selection, choice: { ...choice, disable_parallel_tool_use: true } };
}

/** True when the model must call a tool. */
export function isForced(choice: JsonObject | null): boolean {
  return choice?.type === "any" || choice?.type === "tool";
}

function applyChoice(request: ChatRequest, tools: JsonObject[], conversion: Conversion): ToolSelection {
  const field =
    request.tool_choice == null && request.function_call != null ? "function_call" : "tool_choice";
  const wanted = request.tool_choice ?? request.function_call;
  if (wanted === null || wanted === undefined) return { tools, choice: null };
  if (typeof wanted === "string") return { tools, choice: wordChoice(wanted, tools, field, conversion) };
  if (wanted.type === "allowed_tools") return allowedTools(wanted, tools, conversion);
  const named = isObject(wanted.function)
    ? wanted.function.name
    : field === "function_call"
      ? wanted.name
      : undefined;
  if (typeof named !== "string")
    throw invalid(field, `${field} must be auto, none, required or name a function.`);
  return { tools, choice: namedChoice(named, tools, `${field}.function.name`, conversion) };
}

function wordChoice(word: string, tools: JsonObject[], field: string, conversion: Conversion): JsonObject {
  switch (word) {
    case "auto":
    case "none":
      return { type: word };
    case "required":
    case "any":
      return { type: "any" };
    default:
      return namedChoice(word, tools, field, conversion);
  }
}

function namedChoice(name: string, tools: JsonObject[], param: string, conversion: Conversion): JsonObject {
  const sent = conversion.names.send(name);
  if (tools.some((tool) => tool.name === sent)) return { type: "tool", name: sent };
  throw invalid(param, `${param} must be auto, none, required or the name of one of the tools.`);
}

function allowedTools(wanted: JsonObject, tools: JsonObject[], conversion: Conversion): ToolSelection {
  const options = isObject(wanted.allowed_tools) ? wanted.allowed_tools : wanted;
  const listed = Array.isArray(options.tools) ? options.tools.filter(isObject) : [];
  const names = listed.map((tool) =>
    conversion.names.send(String(isObject(tool.function) ? tool.function.name : tool.name)),
  );
  const kept = tools.filter((tool) => names.includes(String(tool.name)));
  const offered = tools.map((tool) => tool.name);
  if (kept.length === 0 || !names.every((name) => offered.includes(name))) {
    throw invalid(
      "tool_choice.allowed_tools.tools",
      "tool_choice.allowed_tools.tools must list tools of this request.",
    );
  }
  return { tools: kept, choice: { type: options.mode === "required" ? "any" : "auto" } };
}

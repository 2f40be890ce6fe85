import type { Conversion } from "@/lib/convert/conversion";
import { invalid } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json";
import type { MessagesRequest } from "@/lib/protocols/messages/schema";

/** Chat's fields for a messages tool_choice. */
interface ChatToolChoice {
  fields: JsonObject;
  /** The upstream has no flag for it: the answer must be cut to its first call. Source: docs/protocols.md#d10. */
  singleToolCall: boolean;
}

/** A messages tool_choice for a chat node with these tools. Throws: INVALID_REQUEST. Source: docs/protocols.md#s5-5. */
export function convertToolChoice(
  request: MessagesRequest,
  tools: JsonObject[],
  conversion: Conversion,
): ChatToolChoice {
  const choice = request.tool_choice;
  if (choice == null || tools.length === 0) return { fields: {}, singleToolCall: false };
  const fields: JsonObject = { tool_choice: choiceOf(request, conversion) };
  if (choice.disable_parallel_tool_use !== true || choice.type === "none")
    return { fields, singleToolCall: false };
  if (conversion.profile.parallelFlag)
    return { fields: { ...fields, parallel_tool_calls: false }, singleToolCall: false };
  conversion.warnings.add("changed:disable_parallel_tool_use");
  return { fields, singleToolCall: true };
}

function choiceOf(request: MessagesRequest, conversion: Conversion): unknown {
  const choice = request.tool_choice;
  switch (choice?.type) {
    case "any":
      return conversion.profile.forcedTool ? "required" : downgraded(conversion);
    case "none":
      return "none";
    case "tool":
      return conversion.profile.forcedTool ? named(request, choice.name, conversion) : downgraded(conversion);
    case "auto":
    case undefined:
      return "auto";
  }
}

function named(
  request: MessagesRequest,
  name: string | null | undefined,
  conversion: Conversion,
): JsonObject {
  if (name == null || request.tools?.some((tool) => tool.name === name) !== true) {
    throw invalid("tool_choice.name", "tool_choice.name must be the name of one of the tools.");
  }
  return { type: "function", function: { name: conversion.names.send(name) } };
}

function downgraded(conversion: Conversion): string {
  conversion.warnings.add("changed:tool_choice");
  return "auto";
}

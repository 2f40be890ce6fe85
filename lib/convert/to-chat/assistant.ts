import type { Conversion } from "@/lib/convert/conversion";
import { textPart } from "@/lib/convert/to-chat/parts";
import { replayedReasoning } from "@/lib/convert/to-chat/reasoning";
import { serverBlockText } from "@/lib/convert/to-chat/server-blocks";
import type { PlacedBlock } from "@/lib/convert/to-chat/turns";
import { invalid } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json";

/** A tool call whose result has to follow. */
export interface OpenCall {
  clientId: string;
  /** The id that goes to the upstream. */
  id: string;
  answered: boolean;
}

/**
 * An assistant turn as one chat message; null when nothing of it is left. Throws: INVALID_REQUEST.
 * Source: docs/protocols.md#s5-2, #s5-3.
 */
export function assistantMessage(
  blocks: PlacedBlock[],
  conversion: Conversion,
): { message: JsonObject | null; calls: OpenCall[] } {
  const calls: OpenCall[] = [];
  const toolCalls: JsonObject[] = [];
  let text = "";
  for (const { block, at } of blocks) {
    if (block.type === "tool_use") {
      toolCalls.push(callOf(block, at, calls, conversion));
      continue;
    }
    const words = assistantText(block, at, conversion);
    if (words !== "" && toolCalls.length > 0) conversion.warnings.add("changed:content_order");
    text += words;
  }
  const reasoning = replayedReasoning(
    blocks.map(({ block }) => block),
    conversion,
  );
  const isEmpty = text.trim() === "" && toolCalls.length === 0;
  if (isEmpty && Object.keys(reasoning).length === 0) return { message: null, calls };
  const silent = text === "" && toolCalls.length > 0 && conversion.profile.nullContent;
  const message: JsonObject = { role: "assistant", content: silent ? null : text, ...reasoning };
  if (toolCalls.length > 0) message.tool_calls = toolCalls;
  return { message, calls };
}

function callOf(block: JsonObject, at: string, calls: OpenCall[], conversion: Conversion): JsonObject {
  if (typeof block.id !== "string") throw invalid(`${at}.id`, `${at}.id must be a string.`);
  if (typeof block.name !== "string" || block.name === "")
    throw invalid(`${at}.name`, `${at}.name must be a string.`);
  const id = conversion.ids.next(block.id);
  calls.push({ clientId: block.id, id, answered: false });
  const args = JSON.stringify(block.input ?? {});
  return { id, type: "function", function: { name: conversion.names.send(block.name), arguments: args } };
}

function assistantText(block: JsonObject, at: string, conversion: Conversion): string {
  switch (block.type) {
    case "text":
      return String(textPart(block, at, conversion)[0]?.text ?? "");
    case "thinking":
    case "redacted_thinking":
      return "";
    case "compaction":
      return typeof block.content === "string" ? block.content : "";
    case "container_upload":
    case "fallback":
    case "mcp_tool_listing":
    case "image":
    case "document":
      conversion.warnings.dropped(block.type);
      return "";
    default:
      return serverText(block, at, conversion);
  }
}

function serverText(block: JsonObject, at: string, conversion: Conversion): string {
  const text = serverBlockText(block);
  if (text === null)
    throw invalid(`${at}.type`, `${at}.type is not a block this gateway knows in an assistant turn.`);
  conversion.warnings.add(`changed:${String(block.type)}`);
  return `${text}\n`;
}

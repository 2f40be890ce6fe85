import { invalid } from "@/lib/kernel/errors";
import { isObject } from "@/lib/kernel/json";
import type { Part, ToolCallPart, ToolResultPart, Turn } from "../generation/parts";
import { cacheMark, textParts, userParts } from "./parse-content";
import { parseReplayedReasoning } from "./parse-reasoning";
import type { ChatMessage, ChatToolCall } from "./schema";

/** The messages of a chat request; those of the operator before all others are its instructions. */
export interface ParsedMessages {
  instructions: Turn[];
  turns: Turn[];
}

/** A chat history as turns. Throws: INVALID_REQUEST naming the message. Source: docs/protocols.md#s4-3. */
export function parseMessages(messages: readonly ChatMessage[]): ParsedMessages {
  const instructions: Turn[] = [];
  const turns: Turn[] = [];
  messages.forEach((message, index) => {
    const source = `messages[${index}]`;
    const leads = turns.length === 0 && (message.role === "system" || message.role === "developer");
    const turn = parseMessage(message, index, source);
    if (leads) instructions.push(turn);
    else turns.push(turn);
  });
  return { instructions, turns };
}

function parseMessage(message: ChatMessage, index: number, source: string): Turn {
  const { role, content } = message;
  switch (role) {
    case "system":
    case "developer":
      return { role, source, parts: parts(content, source, textParts), cache: cacheMark(message) };
    case "user":
      return { role, source, parts: parts(content, source, userParts), cache: cacheMark(message) };
    case "assistant":
      return { role, source, parts: assistantParts(message, index, source), cache: cacheMark(message) };
    case "tool":
    case "function":
      return { role: "tool", source, parts: [toolResult(message, source)], cache: undefined };
  }
}

type Content = ChatMessage["content"];

function parts(content: Content, source: string, read: typeof userParts): Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === "string") return [{ kind: "text", source, text: content, cache: undefined }];
  return read(content, source);
}

function assistantParts(message: ChatMessage, index: number, source: string): Part[] {
  const found: Part[] = [];
  if (message.audio != null) found.push({ kind: "audio", source: `${source}.audio` });
  parseReplayedReasoning(message, source, found);
  for (const part of parts(message.content, source, textParts)) found.push(part);
  if (typeof message.refusal === "string" && message.refusal !== "")
    found.push({ kind: "refusal", source: `${source}.refusal`, text: message.refusal });
  addCalls(message, index, source, found);
  return found;
}

function addCalls(message: ChatMessage, index: number, source: string, found: Part[]): void {
  const calls = message.tool_calls ?? [];
  for (let ordinal = 0; ordinal < calls.length; ordinal += 1) {
    const call = calls[ordinal];
    if (call !== undefined) found.push(toolCall(call, `${source}.tool_calls[${ordinal}]`));
  }
  // Some servers leave an empty stub of the older field beside tool_calls.
  const older = calls.length === 0 ? message.function_call : null;
  if (older?.name)
    found.push(callPart(`${source}.function_call`, `function#${index}`, older.name, older.arguments, false));
}

function toolCall(call: ChatToolCall, source: string): ToolCallPart {
  if (call.type === "custom" && isObject(call.custom))
    return callPart(source, call.id ?? "", String(call.custom.name), call.custom.input, true);
  if (call.type != null && call.type !== "function" && call.type !== "") {
    throw invalid(`${source}.type`, `${source}.type must be function.`);
  }
  if (call.function == null)
    throw invalid(`${source}.function`, `${source}.function must name the function that was called.`);
  return callPart(source, call.id ?? "", call.function.name, call.function.arguments, false);
}

function callPart(
  source: string,
  callId: string,
  name: string,
  input: unknown,
  custom: boolean,
): ToolCallPart {
  return { kind: "tool_call", source, callId, name, input, inputIsText: typeof input === "string", custom };
}

function toolResult(message: ChatMessage, source: string): ToolResultPart {
  const { content } = message;
  const isNamed = message.role === "function";
  return {
    kind: "tool_result",
    source,
    callId: isNamed ? null : (message.tool_call_id ?? null),
    name: isNamed ? (message.name ?? "") : null,
    content: typeof content === "string" ? content : content == null ? "" : userParts(content, source),
    isError: false,
    cache: cacheMark(message),
  };
}

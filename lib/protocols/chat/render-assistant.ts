import type { JsonObject } from "@/lib/kernel/json";
import type { Part, ReasoningPart, ToolCallPart, Turn } from "../generation/parts";
import { refusal } from "../generation/problems";
import { isGatewayTag, openOpaque } from "../passes/reasoning-seal";
import type { Rendering } from "../passes/rendering";
import type { HistoryWalk } from "../passes/tool-pairing";

/** A turn of the model as one chat message; null when nothing of it is left. Source: docs/protocols.md#s5-2, #s5-3. */
export function assistantMessage(turn: Turn, calls: HistoryWalk, rendering: Rendering): JsonObject | null {
  const toolCalls: JsonObject[] = [];
  const reasoning: ReasoningPart[] = [];
  let text = "";
  for (const part of turn.parts) {
    if (part.kind === "tool_call") toolCalls.push(toolCall(part, calls.open(part), rendering));
    else if (part.kind === "reasoning") reasoning.push(part);
    else {
      const words = wordsOf(part, rendering);
      if (words !== "" && toolCalls.length > 0) rendering.losses.add("changed:content_order");
      text += words;
    }
  }
  const silent = text === "" && toolCalls.length > 0 && rendering.profile.nullContent;
  const message: JsonObject = { role: "assistant", content: silent ? null : text };
  const thought = addReasoning(message, reasoning, rendering);
  if (toolCalls.length > 0) message.tool_calls = toolCalls;
  else if (!thought && text.trim() === "") return null;
  return message;
}

function toolCall(part: ToolCallPart, id: string, { names, words }: Rendering): JsonObject {
  if (part.custom) throw refusal(words.customCall(part));
  const args = part.inputIsText ? String(part.input) : JSON.stringify(part.input ?? {});
  return { id, type: "function", function: { name: names.send(part.name), arguments: args } };
}

function wordsOf(part: Part, { losses, words }: Rendering): string {
  switch (part.kind) {
    case "text":
    case "refusal":
      return part.text;
    case "server_step":
      losses.add(`changed:${part.type}`);
      return `${part.text}\n`;
    case "native":
      if (part.text === null) losses.dropped(part.type);
      return part.text ?? "";
    case "image":
    case "document":
      losses.dropped(part.kind);
      return "";
    case "audio":
      throw refusal(words.audio(part));
    case "reasoning":
    case "tool_call":
    case "tool_result":
    case "tool_reference":
      return "";
  }
}

/** Adds the reasoning that a node reads back; true when there is any. Source: docs/protocols.md#s8-4. */
function addReasoning(
  message: JsonObject,
  parts: readonly ReasoningPart[],
  { profile, target }: Rendering,
): boolean {
  switch (profile.reasoningEcho) {
    case "none":
      return false;
    case "reasoning_content": {
      const texts = parts.flatMap(({ text }) => (text === null || text === "" ? [] : [text]));
      if (texts.length > 0) message.reasoning_content = texts.join("\n");
      return texts.length > 0;
    }
    case "reasoning_details": {
      const { alias, provenanceKey } = target;
      const details = parts.flatMap((part, index) => detail(part, index, alias, provenanceKey));
      if (details.length > 0) message.reasoning_details = details;
      return details.length > 0;
    }
  }
}

function detail(
  { text, signature, sealed }: ReasoningPart,
  index: number,
  alias: string,
  key: string,
): JsonObject[] {
  if (sealed !== null) {
    const data = openOpaque(sealed, alias, key);
    return data === null ? [] : [{ type: "reasoning.encrypted", data, index }];
  }
  if (text === null) return [];
  const isReal = signature !== null && !isGatewayTag(signature);
  return [{ type: "reasoning.text", text, ...(isReal ? { signature } : {}), index }];
}

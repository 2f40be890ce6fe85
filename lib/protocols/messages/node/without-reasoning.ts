import { isObject, type JsonObject } from "@/lib/kernel/json-object";

/** See `NodeAdapter.withoutReasoning`. A tool loop whose thinking is removed continues without thinking. */
export function withoutThinking(body: JsonObject): JsonObject | null {
  const turns = Array.isArray(body.messages) ? body.messages.filter(isObject) : [];
  if (!turns.some(holdsThinking)) return null;
  const messages = turns.map(withoutBlocks).filter(({ content }) => !isEmpty(content));
  const { thinking, ...others } = body;
  const isOn = isObject(thinking) && thinking.type === "enabled";
  return isOn && isLoop(turns.at(-1)) ? { ...withoutClearing(others), messages } : { ...body, messages };
}

/** Thinking is cleared only if the model thinks. */
function withoutClearing(body: JsonObject): JsonObject {
  const { context_management: management, ...others } = body;
  if (!isObject(management) || !Array.isArray(management.edits)) return body;
  const edits = management.edits.filter(
    (edit) => !isObject(edit) || !String(edit.type).startsWith("clear_thinking"),
  );
  return edits.length === 0 ? others : { ...others, context_management: { ...management, edits } };
}

function isThinking(block: unknown): boolean {
  return isObject(block) && (block.type === "thinking" || block.type === "redacted_thinking");
}

function holdsThinking({ role, content }: JsonObject): boolean {
  return role === "assistant" && Array.isArray(content) && content.some(isThinking);
}

function withoutBlocks(turn: JsonObject): JsonObject {
  if (!holdsThinking(turn) || !Array.isArray(turn.content)) return turn;
  return { ...turn, content: turn.content.filter((block) => !isThinking(block)) };
}

function isEmpty(content: unknown): boolean {
  return Array.isArray(content) && content.length === 0;
}

function isLoop(turn: JsonObject | undefined): boolean {
  return (
    Array.isArray(turn?.content) &&
    turn.content.some((block) => isObject(block) && block.type === "tool_result")
  );
}

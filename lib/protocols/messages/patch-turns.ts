import type { Losses } from "../generation/losses";
import { isGatewayTag } from "../passes/reasoning-seal";
import { portableId } from "../passes/tool-ids";
import { toolIdPrefix } from "./fields";
import type { MessagesBlock, MessagesRequest, MessagesTurn } from "./schema";

/** Turns fit for a messages node, and whether the tool loop in progress lost its thinking. */
interface CleanedTurns {
  /** The very same array when nothing had to change. */
  messages: MessagesTurn[];
  loopLostThinking: boolean;
}

/**
 * Takes out what a messages upstream refuses although its own API hands it out: empty texts, thinking the
 * gateway signed for another upstream, ids from elsewhere. Source: docs/protocols.md#s6-2, #s8-4, #ec-7, #ec-84.
 */
export function cleanTurns(messages: MessagesTurn[], losses: Losses): CleanedTurns {
  const cleaned = messages.map((turn) => cleanTurn(turn, losses));
  const changed = cleaned.some((turn, index) => turn !== messages[index]);
  const kept = changed
    ? cleaned.filter((turn, index) => turn === messages[index] || turn.content.length > 0)
    : messages;
  return { messages: kept, loopLostThinking: changed && loopLostThinking(messages) };
}

/** The system prompt without empty text blocks; the same value when there are none. */
export function cleanSystem(system: MessagesRequest["system"]): MessagesRequest["system"] {
  if (!Array.isArray(system) || !system.some(isEmptyText)) return system;
  const kept = system.filter((block) => !isEmptyText(block));
  return kept.length > 0 ? kept : undefined;
}

function cleanTurn(turn: MessagesTurn, losses: Losses): MessagesTurn {
  if (typeof turn.content === "string") return turn;
  let blocks = turn.content;
  if (blocks.some(isForeignThinking)) {
    blocks = blocks.filter((block) => !isForeignThinking(block));
    losses.dropped("thinking");
  }
  if (blocks.some(isEmptyText) && !blocks.some(isThinking) && !blocks.every(isEmptyText)) {
    blocks = blocks.filter((block) => !isEmptyText(block));
  }
  if (blocks.some(hasForeignId)) blocks = blocks.map(withPortableId);
  return blocks === turn.content ? turn : { ...turn, content: blocks };
}

function isThinking(block: MessagesBlock): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

function isForeignThinking(block: MessagesBlock): boolean {
  return isThinking(block) && isGatewayTag(block.type === "thinking" ? block.signature : block.data);
}

function isEmptyText(block: MessagesBlock): boolean {
  return block.type === "text" && typeof block.text === "string" && block.text.trim() === "";
}

const legalId = /^[A-Za-z0-9_-]+$/;

function idField(block: MessagesBlock): "id" | "tool_use_id" | null {
  if (block.type === "tool_use") return "id";
  return block.type === "tool_result" ? "tool_use_id" : null;
}

function hasForeignId(block: MessagesBlock): boolean {
  const field = idField(block);
  if (field === null) return false;
  const id = block[field];
  return typeof id === "string" && !legalId.test(id);
}

function withPortableId(block: MessagesBlock): MessagesBlock {
  const field = idField(block);
  if (field === null || !hasForeignId(block)) return block;
  return { ...block, [field]: portableId(String(block[field]), toolIdPrefix) };
}

function loopLostThinking(messages: MessagesTurn[]): boolean {
  const last = messages.at(-1);
  const isLoop = Array.isArray(last?.content) && last.content.some((block) => block.type === "tool_result");
  if (!isLoop) return false;
  const assistant = messages.findLast((turn) => turn.role === "assistant");
  return Array.isArray(assistant?.content) && assistant.content.some(isForeignThinking);
}

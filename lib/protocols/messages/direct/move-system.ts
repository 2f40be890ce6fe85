import type { MessagesBlock, MessagesTurn } from "@/lib/protocols/messages/client/schema";
import { systemMarker } from "@/lib/protocols/passes/rendering";
import type { Profile } from "@/lib/protocols/profiles/profile";

/** The turns without those that the node does not accept, and the blocks to add to the system prompt instead. */
export interface MovedTurns {
  /** The same array when nothing changes. */
  messages: MessagesTurn[];
  instructions: MessagesBlock[];
}

/**
 * Moves the system turns of a client's own history for a node that accepts none: each becomes user text in the turn
 * before it, else in the next one after the results of tools, else in a turn of its own. Turns are not moved for models
 * that support them. Source: docs/protocols.md#s6-2.
 */
export function moveSystemTurns(messages: MessagesTurn[], midSystem: Profile["midSystem"]): MovedTurns {
  if (midSystem === "native" || !messages.some(isSystem)) return { messages, instructions: [] };
  if (midSystem === "merge")
    return {
      messages: messages.filter((turn) => !isSystem(turn)),
      instructions: messages.filter(isSystem).flatMap(blocksOf),
    };
  const placed: MessagesTurn[] = [];
  let waiting: MessagesBlock[] = [];
  for (const turn of messages) {
    const last = placed.at(-1);
    if (isSystem(turn)) {
      const texts = blocksOf(turn).map(asUserText);
      if (last?.role === "user") placed[placed.length - 1] = withBlocks(last, [...blocksOf(last), ...texts]);
      else waiting.push(...texts);
      continue;
    }
    if (waiting.length > 0 && turn.role !== "user") placed.push({ role: "user", content: waiting });
    placed.push(waiting.length > 0 && turn.role === "user" ? behindResults(turn, waiting) : turn);
    waiting = [];
  }
  if (waiting.length > 0) placed.push({ role: "user", content: waiting });
  return { messages: placed, instructions: [] };
}

function isSystem(turn: MessagesTurn): boolean {
  return turn.role === "system";
}

function blocksOf({ content }: MessagesTurn): MessagesBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function withBlocks(turn: MessagesTurn, content: MessagesBlock[]): MessagesTurn {
  return { ...turn, content };
}

function asUserText(block: MessagesBlock): MessagesBlock {
  return block.type === "text" ? { ...block, text: `${systemMarker}\n${String(block.text)}` } : block;
}

/** The results of tools remain the first blocks of a turn. */
function behindResults(turn: MessagesTurn, added: readonly MessagesBlock[]): MessagesTurn {
  const blocks = blocksOf(turn);
  const first = blocks.findIndex(({ type }) => type !== "tool_result");
  const at = first === -1 ? blocks.length : first;
  return withBlocks(turn, [...blocks.slice(0, at), ...added, ...blocks.slice(at)]);
}

import type { JsonObject } from "@/lib/kernel/json";
import type { MessagesTurn } from "@/lib/protocols/messages/schema";

/** A block and where the client put it. */
export interface PlacedBlock {
  block: JsonObject;
  at: string;
}

/** Neighbouring turns of one role as one, so that a turn's tool results stay together. */
export interface MergedTurn {
  role: "user" | "assistant" | "system";
  at: string;
  source: MessagesTurn;
  blocks: PlacedBlock[];
}

/**
 * Merges neighbouring turns of one role. A system turn between calls and their results is moved behind them.
 * Source: docs/protocols.md#s5-2.
 */
export function mergeTurns(messages: MessagesTurn[]): MergedTurn[] {
  const merged: MergedTurn[] = [];
  messages.forEach((turn, index) => {
    const placed: MergedTurn = {
      role: turn.role,
      at: `messages[${index}]`,
      source: turn,
      blocks: blocksOf(turn, index),
    };
    const last = merged.at(-1);
    if (last?.role === turn.role && turn.role !== "system") last.blocks.push(...placed.blocks);
    else insert(merged, placed);
  });
  return merged;
}

// Before: calls, system; now: the results. They go between the two.
function insert(merged: MergedTurn[], turn: MergedTurn): void {
  let at = merged.length;
  if (startsWithResult(turn)) while (merged[at - 1]?.role === "system") at -= 1;
  const before = merged[at - 1];
  if (at < merged.length && before !== undefined && hasCalls(before)) merged.splice(at, 0, turn);
  else merged.push(turn);
}

function startsWithResult(turn: MergedTurn): boolean {
  return turn.role === "user" && turn.blocks.some(({ block }) => block.type === "tool_result");
}

function hasCalls(turn: MergedTurn): boolean {
  return turn.role === "assistant" && turn.blocks.some(({ block }) => block.type === "tool_use");
}

function blocksOf(turn: MessagesTurn, index: number): PlacedBlock[] {
  const at = `messages[${index}].content`;
  if (typeof turn.content === "string") return [{ block: { type: "text", text: turn.content }, at }];
  return turn.content.map((block, ordinal) => ({ block, at: `${at}[${ordinal}]` }));
}

import { invalid } from "@/lib/kernel/errors";
import type { Part, Turn } from "../generation/parts";
import { assistantPart, textPart, userPart } from "./parse-blocks";
import type { MessagesBlock, MessagesRequest, MessagesTurn } from "./schema";

const billingHeader = "x-anthropic-billing-header:";

/**
 * The system prompt, without the billing line of one well-known client: it changes with every request and would defeat
 * the node's prefix cache. Throws: INVALID_REQUEST. Source: docs/protocols.md#s5-2, #ec-22.
 */
export function parseSystem(system: MessagesRequest["system"]): Turn[] {
  if (system === null || system === undefined) return [];
  const source = "system";
  return [{ role: "system", source, parts: systemParts(system, source), cache: undefined }];
}

type OpenTurn = Turn & { parts: Part[] };

/**
 * The turns of a history; neighbours of one role are one turn, as the protocol has it, so that a turn's results stay
 * together. A system turn between calls and their results stands behind them.
 * Throws: INVALID_REQUEST naming the block. Source: docs/protocols.md#s5-2.
 */
export function parseTurns(messages: readonly MessagesTurn[]): Turn[] {
  const turns: OpenTurn[] = [];
  for (let index = 0; index < messages.length; index += 1) {
    const turn = messages[index];
    if (turn === undefined) continue;
    const source = `messages[${index}]`;
    const parts = partsOf(turn, `${source}.content`);
    const last = turns.at(-1);
    if (last?.role === turn.role && turn.role !== "system") for (const part of parts) last.parts.push(part);
    else insert(turns, { role: turn.role, source, parts, cache: undefined });
  }
  return turns;
}

// Before: calls, system; now: the results. They go between the two.
function insert(turns: OpenTurn[], turn: OpenTurn): void {
  let at = turns.length;
  if (turn.role === "user" && holds(turn, "tool_result")) while (turns[at - 1]?.role === "system") at -= 1;
  const before = turns[at - 1];
  if (at < turns.length && before?.role === "assistant" && holds(before, "tool_call"))
    turns.splice(at, 0, turn);
  else turns.push(turn);
}

function holds({ parts }: Turn, kind: Part["kind"]): boolean {
  return parts.some((part) => part.kind === kind);
}

function partsOf({ role, content }: MessagesTurn, source: string): Part[] {
  if (role === "system") return systemParts(content, source);
  if (typeof content === "string") return [{ kind: "text", source, text: content, cache: undefined }];
  const read = role === "user" ? userPart : assistantPart;
  return content.map((block, index) => read(block, `${source}[${index}]`));
}

function systemParts(content: string | MessagesBlock[], source: string): Part[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const parts: Part[] = [];
  blocks.forEach((block, index) => {
    if (block.type === "tool_addition" || block.type === "tool_removal") return;
    const at = `${source}[${index}]`;
    if (block.type !== "text") throw invalid(`${at}.type`, `${at}.type must be text here.`);
    const part = textPart(block, at);
    const text = withoutBillingLine(part.text);
    if (text !== null) parts.push(text === part.text ? part : { ...part, text });
  });
  return parts;
}

/** Null: nothing else was said. */
function withoutBillingLine(text: string): string | null {
  if (!text.startsWith(billingHeader)) return text;
  const end = text.indexOf("\n");
  const rest = end < 0 ? "" : text.slice(end + 1);
  return rest.trim() === "" ? null : rest;
}

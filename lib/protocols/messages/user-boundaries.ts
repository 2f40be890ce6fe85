import { refusal } from "../generation/problems";
import type { Rendering } from "../passes/rendering";
import type { RenderedTurn } from "./turn-list";

/**
 * Makes a history begin with the user and end with something to answer, as messages nodes demand.
 * Throws: INVALID_REQUEST when nothing is left. Source: docs/protocols.md#s4-3.
 */
export function ensureUserBoundaries(
  turns: RenderedTurn[],
  mayPrefill: boolean,
  rendering: Rendering,
): RenderedTurn[] {
  if (turns.length === 0) throw refusal(rendering.words.emptyHistory());
  if (turns[0]?.role === "assistant") {
    rendering.losses.add("added:first_user_turn");
    turns.unshift({ role: "user", content: [{ type: "text", text: "(conversation continued)" }] });
  }
  const last = turns.at(-1);
  if (last?.role !== "assistant") return turns;
  if (rendering.profile.prefill && mayPrefill) trimEnd(last);
  else {
    rendering.losses.add("added:last_user_turn");
    turns.push({ role: "user", content: [{ type: "text", text: "Continue." }] });
  }
  return turns;
}

// Nodes refuse a prefill that ends in white space.
function trimEnd({ content }: RenderedTurn): void {
  const last = content.at(-1);
  if (last !== undefined && typeof last.text === "string") last.text = last.text.trimEnd();
}

import type { Conversion } from "@/lib/convert/conversion";
import type { Turn } from "@/lib/convert/to-messages/turns";
import { invalid } from "@/lib/kernel/errors";

/**
 * Makes a history begin with the user and end with something to answer, as messages upstreams demand.
 * Throws: INVALID_REQUEST when nothing is left. Source: docs/protocols.md#s4-3.
 */
export function closeEnds(turns: Turn[], mayPrefill: boolean, conversion: Conversion): Turn[] {
  if (turns.length === 0) {
    throw invalid("messages", "messages must hold at least one user or assistant message with content.");
  }
  return closeEnd(closeStart(turns, conversion), mayPrefill, conversion);
}

function closeStart(turns: Turn[], conversion: Conversion): Turn[] {
  if (turns[0]?.role !== "assistant") return turns;
  conversion.warnings.add("added:first_user_turn");
  return [{ role: "user", content: [{ type: "text", text: "(conversation continued)" }] }, ...turns];
}

function closeEnd(turns: Turn[], mayPrefill: boolean, conversion: Conversion): Turn[] {
  const last = turns.at(-1);
  if (last?.role !== "assistant") return turns;
  if (conversion.profile.prefill && mayPrefill) return [...turns.slice(0, -1), trimmedEnd(last)];
  conversion.warnings.add("added:last_user_turn");
  return [...turns, { role: "user", content: [{ type: "text", text: "Continue." }] }];
}

// Upstreams refuse a prefill that ends in white space.
function trimmedEnd(turn: Turn): Turn {
  const last = turn.content.at(-1);
  if (last === undefined || typeof last.text !== "string") return turn;
  return { ...turn, content: [...turn.content.slice(0, -1), { ...last, text: last.text.trimEnd() }] };
}

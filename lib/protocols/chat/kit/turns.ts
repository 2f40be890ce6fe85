import type { JsonObject } from "@/lib/kernel/json-object";
import type { Turn } from "@/lib/protocols/kit/turn";
import { userContent } from "@/lib/protocols/kit/user-content";

/** A turn as messages of a chat body. */
export function chatMessages(turn: Turn): JsonObject[] {
  if (turn.role === "tool")
    return turn.results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
  if (turn.role === "user") {
    const content = userContent(turn, (url) => ({ type: "image_url", image_url: { url } }), "text");
    return [{ role: "user", content }];
  }
  if (turn.calls.length === 0) return [{ role: "assistant", content: turn.text }];
  const calls = turn.calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: input },
  }));
  return [{ role: "assistant", content: turn.text === "" ? null : turn.text, tool_calls: calls }];
}

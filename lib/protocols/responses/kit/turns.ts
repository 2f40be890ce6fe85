import type { JsonObject } from "@/lib/kernel/json-object";
import type { Turn } from "@/lib/protocols/kit/turn";
import { userContent } from "@/lib/protocols/kit/user-content";

/** A turn as input items of a request. */
export function inputItems(turn: Turn): JsonObject[] {
  if (turn.role === "tool")
    return turn.results.map(({ id, text }) => ({ type: "function_call_output", call_id: id, output: text }));
  if (turn.role === "user") {
    const content = userContent(turn, (url) => ({ type: "input_image", image_url: url }), "input_text");
    return [{ role: "user", content }];
  }
  const said = turn.text === "" ? [] : [{ role: "assistant", content: turn.text }];
  const calls = turn.calls.map(({ id, name, input }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: input,
  }));
  return [...said, ...calls];
}

import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { ToolCall, Turn } from "@/lib/protocols/kit/turn";
import { userContent } from "@/lib/protocols/kit/user-content";

/** A turn as a message of a messages body. */
export function messageOf(turn: Turn): JsonObject {
  if (turn.role === "tool") {
    const results = turn.results.map(({ id, text }) => ({
      type: "tool_result",
      tool_use_id: id,
      content: text,
    }));
    return { role: "user", content: results };
  }
  if (turn.role === "user") return { role: "user", content: userContent(turn, imageOf, "text") };
  if (turn.calls.length === 0) return { role: "assistant", content: turn.text };
  const said = turn.text === "" ? [] : [{ type: "text", text: turn.text }];
  const calls = turn.calls.map((call) => ({
    type: "tool_use",
    id: call.id,
    name: call.name,
    input: inputOf(call),
  }));
  return { role: "assistant", content: [...said, ...calls] };
}

/** An image from a data URL; its data is a field of its own. */
function imageOf(url: string, mediaType: string): JsonObject {
  const data = url.slice(url.indexOf(",") + 1);
  return { type: "image", source: { type: "base64", media_type: mediaType, data } };
}

/** The input of a call as an object, which this protocol requires; an empty one for other input of the model. */
function inputOf({ input }: ToolCall): JsonObject {
  const value = parseJson(input);
  return isObject(value) ? value : {};
}

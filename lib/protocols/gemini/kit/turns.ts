import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { ToolCall, Turn } from "@/lib/protocols/kit/turn";
import { userContent } from "@/lib/protocols/kit/user-content";

/** The turns of a conversation as contents of a Gemini body. */
export function geminiContents(turns: readonly Turn[]): JsonObject[] {
  const calls = turns.flatMap((turn) => (turn.role === "assistant" ? turn.calls : []));
  const names = new Map(calls.map(({ id, name }) => [id, name]));
  return turns.map((turn) => contentOf(turn, names));
}

function contentOf(turn: Turn, names: ReadonlyMap<string, string>): JsonObject {
  if (turn.role === "tool") {
    const parts = turn.results.map(({ id, text }) => ({
      functionResponse: { id, name: names.get(id) ?? id, response: { output: text } },
    }));
    return { role: "user", parts };
  }
  if (turn.role === "user") {
    const content = userContent(turn, imageOf, "text");
    const parts = typeof content === "string" ? [{ text: content }] : content.map(withoutType);
    return { role: "user", parts };
  }
  const said = turn.text === "" && turn.calls.length > 0 ? [] : [{ text: turn.text }];
  const calls = turn.calls.map((call) => ({
    functionCall: { id: call.id, name: call.name, args: argsOf(call) },
  }));
  return { role: "model", parts: [...said, ...calls] };
}

/** An image from a data URL. */
function imageOf(url: string, mediaType: string): JsonObject {
  return { inlineData: { mimeType: mediaType, data: url.slice(url.indexOf(",") + 1) } };
}

/** Parts of this protocol have no type. */
function withoutType({ type: _type, ...part }: JsonObject): JsonObject {
  return part;
}

function argsOf({ input }: ToolCall): JsonObject {
  const value = parseJson(input);
  return isObject(value) ? value : {};
}

import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/read-json";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import type { ToolCall } from "./answer";
import { base64Of, type MessageImage } from "./images";

/** What a tool gave. */
interface ToolResult {
  /** The id of its call. */
  id: string;
  text: string;
}

/** One turn of the conversation; calls of tools are followed by their results. */
export type Turn =
  | { role: "user"; text: string; images: readonly MessageImage[] }
  | { role: "assistant"; text: string; calls: readonly ToolCall[] }
  | { role: "tool"; results: readonly ToolResult[] };

/** The turns of a conversation as each protocol's body has them. */
export const turnsIn: Readonly<Record<ClientProtocol, (turns: readonly Turn[]) => JsonObject[]>> = {
  chat: (turns) => turns.flatMap(chatTurn),
  messages: (turns) => turns.map(messagesTurn),
  responses: (turns) => turns.flatMap(responsesTurn),
};

/** What a user said, with the images that this page still has, in the words of a protocol. */
function contentOf(
  { text, images }: Extract<Turn, { role: "user" }>,
  imageOf: (url: string, mediaType: string) => JsonObject,
  textType: string,
): string | JsonObject[] {
  const parts = images.flatMap(({ url, mediaType }) => (url === null ? [] : [imageOf(url, mediaType)]));
  // No protocol takes a message without anything in it.
  if (parts.length === 0) return text === "" ? images.map(({ name }) => `[${name}]`).join(" ") : text;
  return text === "" ? parts : [...parts, { type: textType, text }];
}

function chatTurn(turn: Turn): JsonObject[] {
  if (turn.role === "tool")
    return turn.results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
  if (turn.role === "user") {
    const content = contentOf(turn, (url) => ({ type: "image_url", image_url: { url } }), "text");
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

function messagesTurn(turn: Turn): JsonObject {
  if (turn.role === "tool") {
    const results = turn.results.map(({ id, text }) => ({
      type: "tool_result",
      tool_use_id: id,
      content: text,
    }));
    return { role: "user", content: results };
  }
  if (turn.role === "user") {
    const imageOf = (url: string, mediaType: string) => ({
      type: "image",
      source: { type: "base64", media_type: mediaType, data: base64Of(url) },
    });
    return { role: "user", content: contentOf(turn, imageOf, "text") };
  }
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

function responsesTurn(turn: Turn): JsonObject[] {
  if (turn.role === "tool")
    return turn.results.map(({ id, text }) => ({ type: "function_call_output", call_id: id, output: text }));
  if (turn.role === "user") {
    const content = contentOf(turn, (url) => ({ type: "input_image", image_url: url }), "input_text");
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

/** The input of a call as an object, which this protocol asks for; an empty one where the model wrote something else. */
function inputOf({ input }: ToolCall): JsonObject {
  const value = parseJson(input);
  return isObject(value) ? value : {};
}

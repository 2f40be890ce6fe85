import type { JsonObject } from "@/lib/kernel/json-object";
import { type ContextChoice, prepareFor, validated } from "@/tests/unit/protocols/requests/support";

/** A chat request with a plain message, prepared for a messages upstream. */
export function toMessages(fields: JsonObject, choice: ContextChoice = {}) {
  const request = { model: "m", max_tokens: 4000, messages: [{ role: "user", content: "hi" }], ...fields };
  const compatibility = choice.compatibility ?? "standard";
  return prepareFor(validated(request, "chat", { compatibility }), choice);
}

/** A messages request with a plain message, prepared for a chat upstream. */
export function toChat(fields: JsonObject, choice: ContextChoice = {}) {
  const request = { model: "m", max_tokens: 4000, messages: [{ role: "user", content: "hi" }], ...fields };
  return prepareFor(validated(request, "messages"), {
    clientProtocol: "messages",
    upstreamProtocol: "chat",
    ...choice,
  });
}

/** A function tool of a chat request. */
export const definition = (name: string, rest: JsonObject = {}) => ({
  type: "function",
  function: { name, ...rest },
});

/** A chat history of one round of calls, all answered. */
export function chatLoop(calls: { id: string; name?: string; args?: unknown }[]): JsonObject[] {
  return [
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: null,
      tool_calls: calls.map(({ id, name = "f", args = "{}" }) => ({
        id,
        type: "function",
        function: { name, arguments: args },
      })),
    },
    ...calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "ok" })),
  ];
}

/** A messages history of one call and its result. */
export function messagesLoop(
  id: string,
  name: string,
  content?: unknown,
  rest: JsonObject = {},
): JsonObject[] {
  const result =
    content === undefined
      ? { type: "tool_result", tool_use_id: id }
      : { type: "tool_result", tool_use_id: id, content };
  return [
    { role: "user", content: "go" },
    { role: "assistant", content: [{ type: "tool_use", id, name, input: { a: 1 } }] },
    { role: "user", content: [{ ...result, ...rest }] },
  ];
}

/** All content blocks of a messages body, in order. */
export function blocks(body: JsonObject): JsonObject[] {
  return (body.messages as { content: JsonObject[] }[]).flatMap((turn) => turn.content);
}

/** The ids of the calls and of the results of a messages body. */
export function idPairs(body: JsonObject): { calls: unknown[]; results: unknown[] } {
  const all = blocks(body);
  return {
    calls: all.filter((block) => block.type === "tool_use").map((block) => block.id),
    results: all.filter((block) => block.type === "tool_result").map((block) => block.tool_use_id),
  };
}

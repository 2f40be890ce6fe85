import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Protocol } from "@/lib/protocols/protocol";
import { expectAcceptable } from "@/tests/unit/protocols/requests/body-invariants";
import { prepareFor, validated } from "@/tests/unit/protocols/requests/support";

const word = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .filter((text) => text.trim() !== "" && !/[\0\p{Surrogate}]/u.test(text));
const anyId = fc.oneof(fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/), word, fc.constant("call_0"));
const input = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.oneof(fc.integer(), word, fc.boolean()));

interface Round {
  ask: string;
  say: string | null;
  calls: { id: string; name: string; input: JsonObject; result: string }[];
  after: string | null;
}

const round: fc.Arbitrary<Round> = fc.record({
  ask: word,
  say: fc.option(word),
  calls: fc.array(
    fc.record({
      id: anyId,
      name: fc.oneof(word, fc.stringMatching(/^[a-z]{70,90}$/)),
      input,
      result: fc.oneof(word, fc.constant("")),
    }),
    { maxLength: 3 },
  ),
  after: fc.option(word),
});
const rounds = fc.array(round, { minLength: 1, maxLength: 5 });

function chatHistory(history: Round[]): JsonObject[] {
  const messages = history.flatMap(({ ask, say, calls, after }) => {
    const tool_calls = calls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.input) },
    }));
    const assistant = { role: "assistant", content: say, ...(calls.length > 0 ? { tool_calls } : {}) };
    const results = calls.map((call) => ({ role: "tool", tool_call_id: call.id, content: call.result }));
    return [
      { role: "user", content: ask },
      assistant,
      ...results,
      ...(after === null ? [] : [{ role: "user", content: after }]),
    ];
  });
  return [...messages, { role: "user", content: "last" }];
}

function messagesHistory(history: Round[]): JsonObject[] {
  const turns = history.flatMap(({ ask, say, calls, after }) => {
    const uses = calls.map((call) => ({ type: "tool_use", id: call.id, name: call.name, input: call.input }));
    const text = say === null ? [] : [{ type: "text", text: say }];
    const results = calls.map((call) => ({
      type: "tool_result",
      tool_use_id: call.id,
      content: call.result,
    }));
    const tail = after === null ? [] : [{ type: "text", text: after }];
    const answer = [...results, ...tail];
    const assistant = [...text, ...uses];
    return [
      { role: "user", content: ask },
      ...(assistant.length > 0 ? [{ role: "assistant", content: assistant }] : []),
      ...(answer.length > 0 ? [{ role: "user", content: answer }] : []),
    ];
  });
  return [...turns, { role: "user", content: "last" }];
}

function convert(clientProtocol: Protocol, messages: unknown) {
  const upstreamProtocol = clientProtocol === "chat" ? "messages" : "chat";
  const body = validated({ model: "m", max_tokens: 50, messages }, clientProtocol);
  return prepareFor(body, {
    clientProtocol,
    upstreamProtocol,
    profile: { toolsForHistory: false, toolNameMax: 64 },
  });
}

/** Everything said in a body, in order: texts, calls by position, results by the position of their call. */
function said(messages: unknown): unknown[] {
  const seen = new Map<unknown, number>();
  let count = 0;
  const call = (id: unknown, name: unknown, args: unknown) => {
    seen.set(id, count);
    count += 1;
    return ["call", name, args];
  };
  return (messages as JsonObject[]).flatMap((message) => {
    if (message.role === "tool") return [["result", seen.get(message.tool_call_id), message.content]];
    const content =
      typeof message.content === "string"
        ? [{ type: "text", text: message.content }]
        : ((message.content ?? []) as JsonObject[]);
    const blocks = content.map((block) => {
      if (block.type === "tool_use") return call(block.id, block.name, block.input);
      if (block.type === "tool_result") return ["result", seen.get(block.tool_use_id), block.content];
      return ["text", block.text];
    });
    const calls = (
      (message.tool_calls ?? []) as { id: string; function: { name: string; arguments: string } }[]
    ).map((toolCall) => call(toolCall.id, toolCall.function.name, JSON.parse(toolCall.function.arguments)));
    return [...blocks, ...calls];
  });
}

function nameOf(aliases: ReadonlyMap<string, string>) {
  return (entry: unknown) =>
    Array.isArray(entry) && entry[0] === "call"
      ? ["call", aliases.get(String(entry[1])) ?? entry[1], entry[2]]
      : entry;
}

/** Source: docs/reliability.md#r-162. */
describe("request conversion", () => {
  it("C→M keeps every text, call and result in order and makes a body the upstream takes", () => {
    fc.assert(
      fc.property(rounds, (history) => {
        const messages = chatHistory(history);
        const prepared = convert("chat", messages);
        expectAcceptable(prepared, "messages");
        const expected = said(messages).map((entry) =>
          Array.isArray(entry) && entry[0] === "result" ? entry.filter((_, index) => index !== 1) : entry,
        );
        const actual = said(prepared.body.messages).map(nameOf(prepared.toolNames));
        expect(
          actual.map((entry) =>
            Array.isArray(entry) && entry[0] === "result" ? entry.filter((_, index) => index !== 1) : entry,
          ),
        ).toEqual(expected);
      }),
    );
  });

  it("M→C keeps every text, call and result in order and makes a body the upstream takes", () => {
    fc.assert(
      fc.property(rounds, (history) => {
        const messages = messagesHistory(withDistinctIds(history));
        const prepared = convert("messages", messages);
        expectAcceptable(prepared, "chat");
        expect(said(prepared.body.messages).map(nameOf(prepared.toolNames))).toEqual(said(messages));
      }),
    );
  });

  it("M→C→M→C is a fixed point after the first step", () => {
    fc.assert(
      fc.property(rounds, (history) => {
        const once = convert("messages", messagesHistory(withDistinctIds(history))).body.messages;
        const back = convert("chat", once).body.messages;
        expect(convert("messages", back).body.messages).toEqual(once);
      }),
    );
  });

  it("C→M→C→M is a fixed point after the first step", () => {
    fc.assert(
      fc.property(rounds, (history) => {
        const once = convert("chat", chatHistory(history)).body.messages;
        const back = convert("messages", once).body.messages;
        expect(convert("chat", back).body.messages).toEqual(once);
      }),
    );
  });

  it("is deterministic, leaves its input alone, and keeps the bytes of a history that grows", () => {
    fc.assert(
      fc.property(rounds, round, fc.constantFrom("chat", "messages"), (history, more, protocol) => {
        const build = protocol === "chat" ? chatHistory : messagesHistory;
        const unique = withDistinctIds([...history, more]);
        const messages = build(unique.slice(0, -1));
        const before = JSON.stringify(messages);
        const first = JSON.stringify(convert(protocol, messages).body);
        expect(JSON.stringify(convert(protocol, structuredClone(messages)).body)).toBe(first);
        expect(JSON.stringify(messages)).toBe(before);
        const shorter = (convert(protocol, messages).body.messages as unknown[]).slice(0, -1);
        const longer = convert(protocol, build(unique)).body.messages as unknown[];
        expect(JSON.stringify(longer.slice(0, shorter.length))).toBe(JSON.stringify(shorter));
      }),
    );
  });
});

/** A messages history must not use an id twice within the turn it is answered in. */
function withDistinctIds(history: Round[]): Round[] {
  return history.map((entry) => ({
    ...entry,
    calls: entry.calls.filter(
      (call, index) => entry.calls.findIndex((other) => other.id === call.id) === index,
    ),
  }));
}

import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { foldStream, framesOf, payloadsOf } from "@/tests/support/fold";
import { streamProblems } from "@/tests/support/stream-grammar";
import { messagesFixtures } from "./messages-fixtures";
import { messageStart, messagesSse, streamThrough, textBlock, type Wanted } from "./pipeline";

const way = { upstream: "messages", client: "chat" } as const;

function read(sse: string, overrides: Wanted = {}) {
  const produced = streamThrough(way, sse, overrides);
  expect(streamProblems("chat", produced.wire, { includeUsage: overrides.includeUsage ?? true })).toEqual([]);
  const body = foldStream("chat", produced.wire);
  const choice = (body.choices as { message: JsonObject; finish_reason: string }[])[0];
  return { ...produced, body, message: choice?.message ?? {}, finishReason: choice?.finish_reason };
}

const call = (id: string, name: string, json: string) => ({
  id,
  type: "function",
  function: { name, arguments: json },
});

describe("the stream of a messages upstream for a chat client", () => {
  test("EC-88: redacted thinking is an encrypted detail, never content", () => {
    const { message, wire } = read(messagesFixtures.redacted);
    expect(message.content).toBe("Hi");
    expect(message.reasoning_details).toEqual([
      { type: "reasoning.encrypted", data: "b64", format: "anthropic-claude-v1", index: 0 },
    ]);
    expect(wire).not.toContain('"reasoning_content"');
  });

  test("EC-110: tool indexes count the calls, not the blocks", () => {
    const { message, finishReason } = read(messagesFixtures.thinkingAndTools);
    expect(message.tool_calls).toEqual([call("toolu_1", "f", '{"a": 1}'), call("toolu_2", "g", '{"b": 2}')]);
    expect(finishReason).toBe("tool_calls");
  });

  test("EC-111: the {} of a block's start is no part of the arguments", () => {
    expect(read(messagesFixtures.thinkingAndTools).wire).not.toContain("{}{");
  });

  test("EC-112: an empty arguments delta says nothing", () => {
    const { wire } = read(messagesFixtures.thinkingAndTools);
    const args = payloadsOf(wire).filter((chunk) =>
      JSON.stringify(chunk).includes('"tool_calls":[{"index":0,"function"'),
    );
    expect(args).toHaveLength(2);
  });

  test("EC-63, EC-113: a call without deltas has the arguments of its start, else {}", () => {
    expect(read(messagesFixtures.noToolBytes).message.tool_calls).toEqual([call("toolu_1", "f", "{}")]);
    expect(read(messagesFixtures.inputInStart).message.tool_calls).toEqual([call("toolu_1", "f", '{"a":1}')]);
    expect(read(messagesFixtures.contentInMessageStart)).toMatchObject({
      message: { tool_calls: [call("toolu_1", "f", '{"a":1}')] },
      finishReason: "tool_calls",
    });
  });

  test("EC-114: pings never become data", () => {
    const { wire, events } = read(messagesFixtures.text);
    expect(events).toContainEqual({ type: "ping" });
    expect(wire).not.toContain("ping");
  });

  test("EC-115: an error event breaks the stream without [DONE]", () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const { wire, failure } = streamThrough(way, messagesSse([messageStart(), ...textBlock(0, "Hi"), error]));
    expect(failure).toMatchObject({ status: 529, type: "overloaded_error", message: "Overloaded" });
    expect(streamProblems("chat", wire, { includeUsage: true })).toEqual([]);
    expect(framesOf(wire).at(-1)?.data).toMatch(/^\{"error":/);
  });

  test("EC-116: a refusal is content_filter with the explanation", () => {
    const { message, finishReason } = read(messagesFixtures.refusal);
    expect({ ...message, finishReason }).toMatchObject({
      content: "Part",
      refusal: "No.",
      finishReason: "content_filter",
    });
  });

  test("EC-117: two message_delta make one finish, with the last reason and usage", () => {
    const { finishReason, body } = read(messagesFixtures.twoDeltas);
    expect(finishReason).toBe("length");
    expect(body.usage).toMatchObject({ completion_tokens: 7 });
  });

  test("EC-118: unknown events, blocks and deltas are passed over", () => {
    const { message } = read(messagesFixtures.unknownThings);
    expect(message).toEqual({ role: "assistant", content: "Hi", refusal: null });
  });

  test("EC-119: the usage chunk is last, has no choices and the id of all others", () => {
    const { wire } = read(messagesFixtures.text);
    expect(payloadsOf(wire).at(-1)).toMatchObject({
      id: "chatcmpl-own",
      choices: [],
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    });
    expect(wire.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(read(messagesFixtures.text, { includeUsage: false }).wire).not.toContain("usage");
  });

  test("EC-120: a stream without message_stop is an error", () => {
    const cut = messagesFixtures.text.slice(0, messagesFixtures.text.indexOf("event: message_stop"));
    const { wire, failure } = streamThrough(way, cut);
    expect(failure).not.toBeNull();
    expect(wire).not.toContain("[DONE]");
    expect(wire).not.toContain('"finish_reason":"stop"');
  });

  test("EC-121: web citations are annotations at their place in the text, others are left out", () => {
    const place = { url: "https://a.example/", title: "A", start_index: 4, end_index: 8 };
    expect(read(messagesFixtures.citations).message.annotations).toEqual([
      { type: "url_citation", url_citation: place },
    ]);
  });

  test("EC-129: all prompt tokens are counted once", () => {
    expect(read(messagesFixtures.thinkingAndTools).body.usage).toMatchObject({
      prompt_tokens: 4320,
      completion_tokens: 150,
      total_tokens: 4470,
      prompt_tokens_details: { cached_tokens: 4000, cache_write_tokens: 300 },
      completion_tokens_details: { reasoning_tokens: 90 },
    });
  });

  test("EC-131: a zero in the last usage does not undo the first", () => {
    expect(read(messagesFixtures.zeroInDelta).body.usage).toMatchObject({
      prompt_tokens: 15,
      completion_tokens: 4,
    });
  });

  test("EC-132: a count that comes only at the end is taken", () => {
    expect(read(messagesFixtures.zeroInStart).body.usage).toMatchObject({
      prompt_tokens: 39,
      completion_tokens: 4,
    });
  });

  test("thinking is reasoning_content, with its signature among the details", () => {
    const { message } = read(messagesFixtures.thinkingAndTools);
    expect(message.reasoning_content).toBe("Let me see");
    expect(message.reasoning_details).toEqual([
      {
        type: "reasoning.text",
        text: "Let me see",
        signature: "c2ln",
        format: "anthropic-claude-v1",
        index: 0,
      },
    ]);
  });

  test("a thinking block without text still hands on its signature, and two blocks stay two", () => {
    expect(read(messagesFixtures.omittedThinking).message.reasoning_details).toEqual([
      { type: "reasoning.text", text: "", signature: "c2ln", format: "anthropic-claude-v1", index: 0 },
    ]);
    expect(read(messagesFixtures.twoThoughts).message.reasoning_details).toMatchObject([
      { text: "A", signature: "cw==", index: 0 },
      { text: "B", signature: "dA==", index: 1 },
    ]);
  });

  test("reasoning can be left out", () => {
    const { message } = read(messagesFixtures.thinkingAndTools, { hideReasoning: true });
    expect(Object.keys(message).sort()).toEqual(["content", "refusal", "role", "tool_calls"]);
  });

  test.each([
    ["stopSequence", "stop", []],
    ["pause", "stop", ["finish:pause_turn"]],
    ["contextWindow", "length", ["finish:context_window"]],
    ["unknownStop", "stop", ["finish:unknown"]],
    ["noStopReason", "stop", ["finish:missing"]],
  ] as const)("the stop reason of %s is %s", (name, reason, told) => {
    const { finishReason, warnings } = read(messagesFixtures[name]);
    expect(finishReason).toBe(reason);
    expect(warnings).toEqual(told);
  });

  test("a message_stop without a reason and without content is an error", () => {
    expect(
      streamThrough(way, messagesSse([messageStart(), { type: "message_stop" }])).failure,
    ).not.toBeNull();
  });

  test("a client that used functions gets function_call, first call only", () => {
    const { message, finishReason, warnings } = read(messagesFixtures.thinkingAndTools, {
      legacyFunctions: true,
    });
    expect(message.function_call).toEqual({ name: "f", arguments: '{"a": 1}' });
    expect(message.tool_calls).toBeUndefined();
    expect(finishReason).toBe("function_call");
    expect(warnings).toContain("dropped:tool_calls");
  });

  test("tool names are turned back everywhere: tools, legacy calls, whole answers", () => {
    const toolNames = new Map([["f", "server.tool/one"]]);
    const calls = read(messagesFixtures.thinkingAndTools, { toolNames }).message.tool_calls;
    expect(calls).toMatchObject([{ function: { name: "server.tool/one" } }, { function: { name: "g" } }]);
    const legacy = read(messagesFixtures.thinkingAndTools, { toolNames, legacyFunctions: true });
    expect(legacy.message.function_call).toMatchObject({ name: "server.tool/one" });
  });

  test("a second beginning after content breaks the answer; before content it is passed over", () => {
    const again = messagesSse([messageStart(), ...textBlock(0, "Hi"), messageStart()]);
    expect(streamThrough(way, again).failure).not.toBeNull();
    const early = messagesSse([messageStart()]) + messagesFixtures.text;
    expect(read(early).message.content).toBe("北京 is 🌏 fine\n");
  });
});

import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { foldStream, framesOf, payloadsOf } from "@/tests/support/fold";
import { streamProblems } from "@/tests/support/stream-grammar";
import { chatFixtures } from "./chat-fixtures";
import { chatSse, delta, finish, streamThrough, tool, type Wanted } from "./pipeline";

const way = { upstream: "chat", client: "messages" } as const;

function read(sse: string, overrides: Wanted = {}) {
  const produced = streamThrough(way, sse, overrides);
  expect(streamProblems("messages", produced.wire)).toEqual([]);
  const message = foldStream("messages", produced.wire);
  const content: JsonObject[] = Array.isArray(message.content) ? message.content : [];
  return { ...produced, message, content, names: framesOf(produced.wire).map((frame) => frame.event) };
}

const toolUse = (id: string, name: string, input: JsonObject) => ({ type: "tool_use", id, name, input });
const text = (value: string) => ({ type: "text", text: value });

describe("tool calls of a chat upstream for a messages client", () => {
  test("EC-89: a lone call is block 0, with no empty text block", () => {
    expect(read(chatFixtures.oneTool).content).toEqual([toolUse("call_1", "f", { a: 1 })]);
  });

  test("EC-90: interleaved fragments of two calls become two blocks, one open at a time", () => {
    expect(read(chatFixtures.interleaved).content).toEqual([
      toolUse("call_1", "f", { a: 1 }),
      toolUse("call_2", "g", { b: 2 }),
    ]);
  });

  test("EC-91: two calls that share index 0 stay two", () => {
    expect(read(chatFixtures.allIndexZero).content).toEqual([
      toolUse("call_1", "f", { a: 1 }),
      toolUse("call_2", "f", { a: 2 }),
    ]);
  });

  test("EC-92: calls without indexes are told apart by id, and without ids by order", () => {
    expect(read(chatFixtures.noIndex).content).toEqual([
      toolUse("call_1", "f", { a: 1 }),
      toolUse("call_2", "g", { b: 2 }),
    ]);
    const [first, second] = read(chatFixtures.noIds).content;
    expect([first?.input, second?.input]).toEqual([{ a: 1 }, { a: 2 }]);
    expect(first?.id).not.toBe(second?.id);
  });

  test("EC-93: the tail of the second call goes to the second call, whatever its index", () => {
    const { content, warnings } = read(chatFixtures.movingIndex);
    expect(content).toEqual([toolUse("call_1", "f", { a: 1 }), toolUse("call_2", "g", { b: 2 })]);
    expect(warnings).toContain("tools:guessed");
  });

  test("EC-94: a block opens when its name is known, and keeps the arguments that came before", () => {
    expect(read(chatFixtures.lateName).content).toEqual([toolUse("call_1", "f", { a: 1 })]);
    expect(read(chatFixtures.splitName).content).toEqual([toolUse("call_1", "get_time", {})]);
  });

  test("later names that are empty or repeated change nothing", () => {
    expect(read(chatFixtures.emptyNameLater).content).toEqual([toolUse("call_1", "f", { a: 1 })]);
    expect(read(chatFixtures.repeatedName).content).toEqual([toolUse("call_1", "f", { a: 1 })]);
  });

  test("EC-95: arguments that come with id and name are not lost", () => {
    const { content, names } = read(chatFixtures.wholeToolInOneChunk);
    expect(content).toEqual([toolUse("call_1", "f", { a: 1 })]);
    expect(names).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });

  test("EC-96: a call without arguments sends {} as a delta", () => {
    const { content, wire } = read(chatFixtures.zeroArguments);
    expect(content).toEqual([toolUse("call_1", "f", {}), toolUse("call_2", "g", { b: 2 })]);
    expect(payloadsOf(wire).filter((payload) => payload.index === 0)[1]).toMatchObject({
      delta: { type: "input_json_delta", partial_json: "{}" },
    });
  });

  test("EC-97: text, call, text are blocks 0, 1 and 2, each whole", () => {
    expect(read(chatFixtures.textToolText).content).toEqual([
      text("Before"),
      toolUse("call_1", "f", { a: 1 }),
      text("After"),
    ]);
  });

  test("whitespace between calls makes no block, and text waits for an unfinished call", () => {
    expect(read(chatFixtures.blankBetweenTools).content).toHaveLength(2);
    const call = tool({
      index: 0,
      id: "call_1",
      type: "function",
      function: { name: "f", arguments: '{"a":' },
    });
    const rest = tool({ index: 0, function: { arguments: "1}" } });
    const sse = chatSse([
      call,
      delta({ content: "mean" }),
      delta({ content: "while" }),
      rest,
      finish("tool_calls"),
    ]);
    expect(read(sse).content).toEqual([toolUse("call_1", "f", { a: 1 }), text("meanwhile")]);
  });

  test("EC-98: finish_reason stop after a call is tool_use", () => {
    expect(read(chatFixtures.stopWithTool).message.stop_reason).toBe("tool_use");
    expect(read(chatSse([delta({ content: "x" }), finish("tool_calls")])).message.stop_reason).toBe(
      "end_turn",
    );
  });

  test("a leading {} before the real arguments is dropped", () => {
    expect(read(chatFixtures.doubledBraces).content).toEqual([toolUse("call_1", "f", { a: 1 })]);
  });

  test("arguments cut off by length stay as they are in the stream and are whole members in the fold", () => {
    const { message } = read(chatFixtures.lengthInTool);
    expect(message.stop_reason).toBe("max_tokens");
    expect(message.content).toEqual([toolUse("call_1", "f", { a: "whole", b: { c: [1] } })]);
  });

  test("EC-61: arguments that are no JSON object are an error, not a success", () => {
    for (const json of ['{"a":}', "[1]", '"text"', '{"a":1}{"b":2}', "{'a':1}"]) {
      const call = tool({
        index: 0,
        id: "call_1",
        type: "function",
        function: { name: "f", arguments: json },
      });
      const { wire, failure } = streamThrough(way, chatSse([call, finish("tool_calls")]));
      expect(failure, json).not.toBeNull();
      expect(wire).not.toContain("message_stop");
    }
  });

  test("a call that never gets a name is an error", () => {
    const call = tool({ index: 0, id: "call_1", type: "function", function: { arguments: "{}" } });
    expect(streamThrough(way, chatSse([call, finish("tool_calls")])).failure).not.toBeNull();
  });

  test("tool names are turned back and illegal ids are made legal, the same every time", () => {
    const names = new Map([["f", "mcp.server/very-long-name"]]);
    const { content } = read(chatFixtures.longIds, { toolNames: names });
    expect(content[0]?.name).toBe("mcp.server/very-long-name");
    expect(content[0]?.id).toMatch(/^toolu_[a-z2-7]{24}$/);
    expect(read(chatFixtures.longIds).content[0]?.id).toBe(content[0]?.id);
  });

  test("only the first call goes out where the client wants one", () => {
    const { content, warnings } = read(chatFixtures.interleaved, { singleToolCall: true });
    expect(content).toEqual([toolUse("call_1", "f", { a: 1 })]);
    expect(warnings).toContain("dropped:tool_calls");
  });
});

import { describe, expect, test } from "vitest";
import type { EncodeOptions } from "@/lib/protocol/encoder";
import { isObject, type JsonObject } from "@/lib/protocol/protocol";
import { foldStream, framesOf, payloadsOf } from "../../support/fold";
import { streamProblems } from "../../support/stream-grammar";
import { chatFixtures } from "./fixtures";
import { chatSse, delta, finish, streamThrough, tool, usageChunk, wholeThrough } from "./pipeline";

const way = { upstream: "chat", client: "messages" } as const;

function read(sse: string, overrides: Partial<EncodeOptions> = {}) {
  const produced = streamThrough(way, sse, overrides);
  expect(streamProblems("messages", produced.wire)).toEqual([]);
  const message = foldStream("messages", produced.wire);
  const content: JsonObject[] = Array.isArray(message.content) ? message.content : [];
  return { ...produced, message, content, names: framesOf(produced.wire).map((frame) => frame.event) };
}

const toolUse = (id: string, name: string, input: JsonObject) => ({ type: "tool_use", id, name, input });
const text = (value: string) => ({ type: "text", text: value });

describe("the stream of a chat upstream for a messages client", () => {
  test("EC-85: reasoning is a signed thinking block before the text block", () => {
    const { content } = read(chatFixtures.reasoning);
    expect(content).toEqual([{ type: "thinking", thinking: "Hmm.", signature: "gw1.4" }, text("Yes")]);
  });

  test("EC-86: reasoning and content of one chunk both arrive, in order", () => {
    const { content } = read(chatFixtures.reasoningAndText);
    expect(content).toEqual([{ type: "thinking", thinking: "A", signature: "gw1.1" }, text("BC")]);
  });

  test("reasoning under its other names arrives once, and opaque reasoning is tagged", () => {
    expect(read(chatFixtures.reasoningNames).content[0]).toMatchObject({ thinking: "one two" });
    expect(read(chatFixtures.reasoningDetails).content.slice(0, 2)).toEqual([
      { type: "thinking", thinking: "deep", signature: "gw1.4" },
      { type: "redacted_thinking", data: "gw1.tag.b64" },
    ]);
  });

  test("reasoning can be left out", () => {
    expect(read(chatFixtures.reasoning, { excludeReasoning: true }).content).toEqual([text("Yes")]);
  });

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

  test("EC-99: usage that comes after the finish is in message_delta", () => {
    const { message } = read(chatFixtures.text);
    expect(message.usage).toMatchObject({ input_tokens: 25, cache_read_input_tokens: 75, output_tokens: 10 });
  });

  test("EC-100: of cumulative usage the last one counts", () => {
    expect(read(chatFixtures.usageEverywhere).message.usage).toMatchObject({
      input_tokens: 100,
      output_tokens: 3,
    });
  });

  test("usage beside the finish or in a vendor field counts as well", () => {
    for (const sse of [chatFixtures.usageOnFinish, chatFixtures.vendorUsage]) {
      expect(read(sse).message.usage).toMatchObject({ input_tokens: 25, output_tokens: 10 });
    }
  });

  test("EC-101: a stream that breaks off ends in an error event and nothing else", () => {
    const { wire, failure } = streamThrough(
      way,
      chatSse([delta({ role: "assistant", content: "Hi" })], false),
    );
    expect(failure).not.toBeNull();
    expect(streamProblems("messages", wire)).toEqual([]);
    expect(framesOf(wire).map((frame) => frame.event)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "error",
    ]);
  });

  test("EC-102: a finish without [DONE] is a normal end", () => {
    expect(read(chatFixtures.noDone).message.stop_reason).toBe("end_turn");
  });

  test("[DONE] without a finish is a normal end where that is allowed, else an error", () => {
    expect(read(chatFixtures.noFinish).message.stop_reason).toBe("end_turn");
    const strict = { finishOptional: false } as Partial<EncodeOptions>;
    expect(streamThrough(way, chatFixtures.noFinish, strict).failure).not.toBeNull();
  });

  test("EC-103: chunks of filter results neither begin the message nor name it", () => {
    const { message, content } = read(chatFixtures.azure);
    expect(message.id).toBe("msg_own");
    expect(content).toEqual([text("Hi")]);
  });

  test("EC-104: content_filter is a refusal", () => {
    expect(read(chatFixtures.contentFilter).message).toMatchObject({
      stop_reason: "refusal",
      content: [text("Some")],
    });
  });

  test("EC-105: a streamed refusal is text, and the stop reason says so", () => {
    expect(read(chatFixtures.refusal).message).toMatchObject({
      content: [text("I cannot.")],
      stop_reason: "refusal",
      stop_details: { type: "refusal", category: null, explanation: "I cannot." },
    });
  });

  test("EC-107: every frame has its event line, and both usages are there", () => {
    const { wire, message } = read(chatFixtures.text);
    expect(
      wire
        .split("\n\n")
        .slice(0, -1)
        .every((frame) => /^event: \w+\ndata: \{"type":"/.test(frame)),
    ).toBe(true);
    expect(isObject(message.usage)).toBe(true);
    expect(payloadsOf(wire)[0]).toMatchObject({ message: { usage: { input_tokens: 7, output_tokens: 0 } } });
  });

  test("EC-108: there is exactly one message_start", () => {
    expect(read(chatFixtures.roleEverywhere).names.filter((name) => name === "message_start")).toHaveLength(
      1,
    );
  });

  test("EC-109: an empty completion is a message without blocks", () => {
    const { names, content } = read(chatFixtures.empty);
    expect(names).toEqual(["message_start", "message_delta", "message_stop"]);
    expect(content).toEqual([]);
  });

  test("EC-130: cached tokens are taken out of the input", () => {
    expect(read(chatFixtures.text).message.usage).toEqual({
      input_tokens: 25,
      cache_read_input_tokens: 75,
      cache_creation_input_tokens: 0,
      output_tokens: 10,
    });
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

  test("a failed finish reason is an error", () => {
    for (const reason of ["error", "abort", "network_error", "insufficient_system_resource"]) {
      expect(
        streamThrough(way, chatSse([delta({ content: "x" }), finish(reason)])).failure,
        reason,
      ).not.toBeNull();
    }
  });

  test("a stop sequence is named only when it was requested", () => {
    expect(read(chatFixtures.stopSequence).message).toMatchObject({
      stop_reason: "end_turn",
      stop_sequence: null,
    });
    const requested = read(chatFixtures.stopSequence, { stopSequences: ["END"] });
    expect(requested.message).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "END" });
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

  test("an unknown finish reason ends the turn with a warning", () => {
    const { message, warnings } = read(chatSse([delta({ content: "x" }), finish("brand_new")]));
    expect(message.stop_reason).toBe("end_turn");
    expect(warnings).toContain("finish:unknown");
  });

  test("counts that make no sense are refused and told about", () => {
    const { warnings, events } = read(
      chatSse([
        delta({ content: "x" }),
        finish("stop"),
        usageChunk({ prompt_tokens: -5, completion_tokens: 1.5 }),
      ]),
    );
    expect(warnings).toEqual(expect.arrayContaining(["usage:prompt_tokens", "usage:completion_tokens"]));
    expect(events).toContainEqual({ type: "usage", usage: {} });
  });
});

describe("the whole answer of a chat upstream for a messages client", () => {
  const answer = (message: JsonObject, finishReason: unknown = "stop") => ({
    id: "chatcmpl-up",
    object: "chat.completion",
    model: "up-model",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finishReason }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  });

  test("EC-87: thinking has a signature that is a string", () => {
    const { body } = wholeThrough(way, answer({ reasoning_content: "Hm", content: "Hi" }));
    expect(body.content).toEqual([{ type: "thinking", thinking: "Hm", signature: "gw1.2" }, text("Hi")]);
  });

  test("EC-60, EC-149: empty arguments are {}, and nothing is null that clients refuse", () => {
    const call = { id: "call_1", type: "function", function: { name: "f", arguments: "" } };
    const { body } = wholeThrough(way, answer({ content: "Hi", tool_calls: [call] }));
    expect(body.content).toEqual([text("Hi"), toolUse("call_1", "f", {})]);
    expect(body).toMatchObject({
      type: "message",
      role: "assistant",
      model: "the-alias",
      stop_reason: "tool_use",
    });
  });

  test("EC-62: arguments may be an object, and calls are apart even with one id", () => {
    const call = (a: number) => ({ id: "same", function: { name: "f", arguments: { a } } });
    const { body } = wholeThrough(way, answer({ content: null, tool_calls: [call(1), call(2)] }));
    const content = Array.isArray(body.content) ? body.content : [];
    expect(content.map((one) => one.input)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(content[0].id).not.toBe(content[1].id);
  });

  test("array content, audio transcripts and empty stubs are read", () => {
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "Hm" }] },
      { type: "text", text: "Hi" },
    ];
    expect(wholeThrough(way, answer({ content: parts })).body.content).toMatchObject([
      { thinking: "Hm" },
      { text: "Hi" },
    ]);
    expect(wholeThrough(way, answer({ content: null, audio: { transcript: "Said" } })).body.content).toEqual([
      text("Said"),
    ]);
    const stub = answer(
      { content: "Hi", refusal: "", tool_calls: null, function_call: { name: "", arguments: "" } },
      "",
    );
    expect(wholeThrough(way, stub).body).toMatchObject({ content: [text("Hi")], stop_reason: "end_turn" });
  });

  test("a legacy function_call is one tool_use", () => {
    const { body } = wholeThrough(
      way,
      answer({ content: null, function_call: { name: "f", arguments: '{"a":1}' } }, "function_call"),
    );
    expect(body).toMatchObject({
      content: [{ type: "tool_use", name: "f", input: { a: 1 } }],
      stop_reason: "tool_use",
    });
  });

  test("what is no answer is a failure", () => {
    for (const body of [
      null,
      [],
      "text",
      {},
      { choices: [] },
      { error: { message: "no" } },
      { object: "error", message: "no" },
    ]) {
      expect(wholeThrough(way, body).failure, JSON.stringify(body)).not.toBeNull();
    }
  });
});

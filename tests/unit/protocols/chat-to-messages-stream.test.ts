import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { foldStream, framesOf, payloadsOf } from "@/tests/support/fold";
import { streamProblems } from "@/tests/support/stream-grammar";
import { chatFixtures } from "./chat-fixtures";
import { chatSse, delta, finish, streamThrough, usageChunk, type Wanted } from "./pipeline";

const way = { upstream: "chat", client: "messages" } as const;

function read(sse: string, overrides: Wanted = {}) {
  const produced = streamThrough(way, sse, overrides);
  expect(streamProblems("messages", produced.wire)).toEqual([]);
  const message = foldStream("messages", produced.wire);
  const content: JsonObject[] = Array.isArray(message.content) ? message.content : [];
  return { ...produced, message, content, names: framesOf(produced.wire).map((frame) => frame.event) };
}

const _toolUse = (id: string, name: string, input: JsonObject) => ({ type: "tool_use", id, name, input });
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
    expect(read(chatFixtures.reasoningDetails).content).toMatchObject([
      { type: "thinking", thinking: "deep", signature: expect.stringMatching(/^gw1\.envelope\..*b64/) },
      { type: "text", text: "x" },
    ]);
  });

  test("reasoning can be left out", () => {
    expect(read(chatFixtures.reasoning, { hideReasoning: true }).content).toEqual([text("Yes")]);
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
    const strict = { finishOptional: false } as Wanted;
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

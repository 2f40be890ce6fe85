import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { protocols } from "@/lib/protocols/registry";
import { foldStream, payloadsOf } from "@/tests/support/fold";
import { streamProblems } from "@/tests/support/stream-grammar";
import { messagesFixtures } from "./messages-fixtures";
import {
  block,
  bytesOf,
  framesFrom,
  messageEnd,
  messageStart,
  messagesSse,
  optionsFor,
  streamThrough,
  textBlock,
} from "./pipeline";

const _chat = { upstream: "chat", client: "chat" } as const;
const messages = { upstream: "messages", client: "messages" } as const;

describe("messages events for a messages client", () => {
  test("go through byte for byte, but for the model", () => {
    for (const [name, sse] of Object.entries(messagesFixtures)) {
      expect(streamThrough(messages, sse).wire, name).toBe(sse.replace('"up-model"', '"the-alias"'));
    }
  });

  test("keep odd spacing, unknown fields and unknown events that are not even JSON", () => {
    const odd = [
      'event: message_start\ndata: {"message": {"model": "up-model", "new": 1.0, "usage": {"input_tokens":1}},"type":"message_start"  }\n\n',
      "event: brand_new\ndata: not json\n\n",
      'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a\\u00e9"}}     \n\n',
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b"}}     \n\n',
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\\"c\\n"}}     \n\n',
      'event: content_block_stop\ndata: {"type":"content_block_stop","index":0 }\n\n',
      messagesSse(messageEnd("end_turn", { output_tokens: 2 })),
    ].join("");
    const { wire, events } = streamThrough(messages, odd);
    expect(wire).toBe(odd.replace('"model": "up-model"', '"model":"the-alias"'));
    expect(events.filter((event) => event.type === "text")).toEqual(
      ["aé", "b", '"c\n'].map((text) => ({ type: "text", text })),
    );
  });

  test("a model name that also occurs in the text is replaced in its own place only", () => {
    const start = messageStart({ input_tokens: 1, output_tokens: 1 }, { note: { model: "up-model" } });
    const sse = messagesSse([start, ...textBlock(0, '"model":"up-model"'), ...messageEnd("end_turn")]);
    const [first] = payloadsOf(streamThrough(messages, sse).wire);
    expect(first).toMatchObject({ message: { model: "the-alias", note: { model: "up-model" } } });
  });

  test("frames without an event line get one, and usage that is missing is filled in", () => {
    const start = messageStart();
    const sse = [
      start,
      ...textBlock(0, "Hi"),
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
      { type: "message_stop" },
    ]
      .map((payload) => `data: ${JSON.stringify(payload)}\n\n`)
      .join("");
    const { wire } = streamThrough(messages, sse);
    expect(streamProblems("messages", wire, { forwarded: true })).toEqual([]);
  });

  test("counts that are missing or none are replaced at the end, and the rest of usage stays", () => {
    const passthrough = protocols.messages.direct.passthrough(optionsFor(messages));
    const start = messageStart({ input_tokens: -5, output_tokens: 1, service_tier: "standard" });
    const sse = messagesSse([
      start,
      ...textBlock(0, "Hi"),
      {
        type: "message_delta",
        delta: { stop_reason: "end_turn" },
        usage: { output_tokens: "10", speed: "fast" },
      },
      { type: "message_stop" },
    ]);
    const before = framesFrom(bytesOf(sse)).map((frame) => passthrough.push(frame).wire);
    const after = passthrough.end({ inputUncached: 7, cacheRead: 0, cacheWrite: 0, output: 2 });
    const payloads = payloadsOf(before.join("") + after);
    expect(payloads[0]).toMatchObject({
      message: { usage: { input_tokens: 0, output_tokens: 1, service_tier: "standard" } },
    });
    expect(payloads.at(-2)).toMatchObject({
      usage: { input_tokens: 7, output_tokens: 2, speed: "fast" },
      delta: { stop_reason: "end_turn" },
    });
  });

  test("deltas that only count are passed on at once", () => {
    const passthrough = protocols.messages.direct.passthrough(optionsFor(messages));
    const sse = messagesSse([
      messageStart({ input_tokens: 5, output_tokens: 1 }),
      { type: "message_delta", delta: { stop_reason: null }, usage: { output_tokens: 3 } },
      { type: "message_delta", delta: {}, usage: { output_tokens: -3 } },
      ...textBlock(0, "Hi"),
      ...messageEnd("end_turn"),
    ]);
    const before = framesFrom(bytesOf(sse)).map((frame) => passthrough.push(frame).wire);
    expect(payloadsOf(before.join("")).map(({ type }) => type)).toEqual([
      "message_start",
      "message_delta",
      "message_delta",
      "content_block_start",
      "content_block_delta",
    ]);
    expect(payloadsOf(before[2] ?? "")).toMatchObject([{ usage: { output_tokens: 0 } }]);
    expect(payloadsOf(passthrough.end()).map(({ type }) => type)).toEqual([
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });

  test("the end of a block waits until it is known not to be the last, and pings do not wait with it", () => {
    const passthrough = protocols.messages.direct.passthrough(optionsFor(messages));
    const typesOf = (wire: string) => payloadsOf(wire).map(({ type }) => type);
    const step = (...payloads: JsonObject[]) =>
      typesOf(
        framesFrom(bytesOf(messagesSse(payloads)))
          .map((frame) => passthrough.push(frame).wire)
          .join(""),
      );
    const stop = { type: "content_block_stop", index: 0 };
    const counting = { type: "message_delta", delta: { stop_reason: null }, usage: { output_tokens: 3 } };
    expect(step(messageStart(), ...textBlock(0, "Hi"))).not.toContain("content_block_stop");
    expect(step({ type: "ping" }, { type: "news" }, counting)).toEqual(["ping"]);
    const [open = {}, ...rest] = textBlock(1, "there");
    expect(step(open)).toEqual(["content_block_stop", "news", "message_delta", "content_block_start"]);
    expect(step(...rest, stop)).toEqual(["content_block_delta", "content_block_stop"]);
    expect(step(...messageEnd("end_turn"))).toEqual([]);
    expect(typesOf(passthrough.end())).toEqual(["content_block_stop", "message_delta", "message_stop"]);
  });

  test("a stream without a beginning gets one, for clients of every protocol", () => {
    const bare = messagesSse([...textBlock(0, "Hi"), ...messageEnd("end_turn")]);
    const own = streamThrough(messages, bare);
    expect(own.failure).toBeNull();
    const [first, ...others] = payloadsOf(own.wire);
    expect(first).toMatchObject({ type: "message_start", message: { type: "message", content: [] } });
    expect(others.map(({ type }) => type)).not.toContain("message_start");
    expect(foldStream("messages", own.wire)).toMatchObject({ content: [{ type: "text", text: "Hi" }] });
    const chat = streamThrough({ upstream: "messages", client: "chat" }, bare);
    expect(chat.failure).toBeNull();
    expect(foldStream("chat", chat.wire)).toMatchObject({ choices: [{ message: { content: "Hi" } }] });
  });

  test("no more than 64 KB wait behind the end of a block", () => {
    const passthrough = protocols.messages.direct.passthrough(optionsFor(messages));
    const flood = Array.from({ length: 100 }, () => ({ type: "news", text: "x".repeat(1_000) }));
    const sse = messagesSse([messageStart(), ...textBlock(0, "Hi"), ...flood]);
    const passed = framesFrom(bytesOf(sse))
      .map((frame) => passthrough.push(frame).wire)
      .join("");
    expect(passed).toContain("content_block_stop");
    expect(sse.length - passed.length).toBeLessThan(70_000);
  });

  test("an ending without usage repeats what was told before", () => {
    const sse = messagesSse([
      messageStart({ input_tokens: 5, output_tokens: 1 }),
      { type: "message_delta", delta: { stop_reason: null }, usage: { output_tokens: 3 } },
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
      { type: "message_stop" },
    ]);
    const payloads = payloadsOf(streamThrough(messages, sse).wire);
    expect(payloads.at(-2)).toMatchObject({ usage: { output_tokens: 3 } });
  });

  test("of a node that goes on after its ending no more than one delta and the stop are kept", () => {
    const passthrough = protocols.messages.direct.passthrough(optionsFor(messages));
    const ending = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } };
    const sse = messagesSse([
      messageStart({ input_tokens: 5, output_tokens: 1 }),
      ...textBlock(0, "Hi"),
      ...Array.from({ length: 50 }, () => ending),
      { type: "ping" },
      { type: "message_stop" },
    ]);
    const passed = framesFrom(bytesOf(sse))
      .map((frame) => passthrough.push(frame).wire)
      .join("");
    expect(payloadsOf(passed).filter(({ type }) => type === "message_delta")).toHaveLength(49);
    expect(payloadsOf(passed).at(-1)).toEqual({ type: "ping" });
    expect(payloadsOf(passed).filter(({ type }) => type === "content_block_stop")).toHaveLength(1);
    expect(payloadsOf(passthrough.end())).toEqual([ending, { type: "message_stop" }]);
  });

  test("the ending waits for the end, and an error ends everything", () => {
    const passthrough = protocols.messages.direct.passthrough(optionsFor(messages));
    const before = framesFrom(bytesOf(messagesFixtures.text))
      .map((frame) => passthrough.push(frame).wire)
      .join("");
    expect(before).toContain("content_block_delta");
    expect(before).not.toMatch(/content_block_stop|message_delta|message_stop/);
    const ending = passthrough.end();
    expect(ending).toMatch(/^event: content_block_stop\n.*\n\nevent: message_delta\n/);
    expect(ending).toMatch(/\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n$/);
    const broken = protocols.messages.direct.passthrough(optionsFor(messages));
    const error = framesFrom(
      bytesOf('event: error\ndata: {"type":"error","error":{"type":"api_error","message":"no"}}\n\n'),
    );
    expect(error.map((frame) => broken.push(frame))).toMatchObject([
      { wire: "", events: [{ type: "error", failure: { status: 500 } }] },
    ]);
    expect(broken.finish()).toEqual({ wire: "", events: [] });
  });

  test("tool names are turned back where they were changed", () => {
    const toolNames = new Map([["f", "server.tool/f"]]);
    const { wire } = streamThrough(messages, messagesFixtures.thinkingAndTools, { toolNames });
    expect(wire).toBe(
      messagesFixtures.thinkingAndTools
        .replace('"up-model"', '"the-alias"')
        .replace('"name":"f"', '"name":"server.tool/f"'),
    );
  });

  test("a block that changes kind is read anew", () => {
    const sse = messagesSse([
      messageStart(),
      ...block(
        0,
        { type: "thinking", thinking: "", signature: "" },
        { type: "thinking_delta", thinking: "A" },
        { type: "thinking_delta", thinking: "B" },
      ),
      ...textBlock(1, "C", "D"),
      ...block(
        2,
        { type: "tool_use", id: "t", name: "f", input: {} },
        { type: "input_json_delta", partial_json: '{"a":' },
        { type: "input_json_delta", partial_json: "1}" },
      ),
      ...messageEnd("tool_use"),
    ]);
    const { events } = streamThrough(messages, sse);
    expect(events.filter((event) => ["reasoning", "text", "tool_args"].includes(event.type))).toEqual([
      { type: "reasoning", text: "A" },
      { type: "reasoning", text: "B" },
      { type: "text", text: "C" },
      { type: "text", text: "D" },
      { type: "tool_args", slot: 0, text: '{"a":' },
      { type: "tool_args", slot: 0, text: "1}" },
    ]);
  });
});

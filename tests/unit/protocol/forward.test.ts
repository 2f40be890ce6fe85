import { describe, expect, test } from "vitest";
import { wholeFrames } from "@/lib/protocol/decoder";
import { createForwarder, forwardWhole } from "@/lib/protocol/forwarder";
import type { JsonObject } from "@/lib/protocol/protocol";
import { foldStream, payloadsOf } from "../../support/fold";
import { streamProblems } from "../../support/stream-grammar";
import { chatFixtures, messagesFixtures } from "./fixtures";
import {
  block,
  bytesOf,
  chatSse,
  delta,
  finish,
  framesFrom,
  messageEnd,
  messageStart,
  messagesSse,
  optionsFor,
  streamThrough,
  textBlock,
  tool,
  usageChunk,
} from "./pipeline";

const chat = { upstream: "chat", client: "chat" } as const;
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

  test("the last event waits for the end, and an error ends everything", () => {
    const forwarder = createForwarder("messages", optionsFor(messages));
    const before = framesFrom(bytesOf(messagesFixtures.text))
      .map((frame) => forwarder.push(frame).wire)
      .join("");
    expect(before).toContain("message_delta");
    expect(before).not.toContain("message_stop");
    expect(forwarder.end().wire).toBe('event: message_stop\ndata: {"type":"message_stop"}\n\n');
    const broken = createForwarder("messages", optionsFor(messages));
    const error = framesFrom(
      bytesOf('event: error\ndata: {"type":"error","error":{"type":"api_error","message":"no"}}\n\n'),
    );
    expect(error.map((frame) => broken.push(frame))).toMatchObject([
      { wire: "", events: [{ type: "error", failure: { status: 500 } }] },
    ]);
    expect(broken.end()).toEqual({ wire: "", events: [] });
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
      { type: "tool_args", slot: 0, json: '{"a":' },
      { type: "tool_args", slot: 0, json: "1}" },
    ]);
  });
});

describe("chat chunks for a chat client", () => {
  test("that are in order go through byte for byte, but for the model", () => {
    const start = delta({ role: "assistant", content: "" }, { logprobs: null });
    const odd = {
      ...delta({ content: "a", new_field: { deep: [1, null] } }),
      system_fingerprint: "fp",
      service_tier: "default",
    };
    const sse = chatSse([start, odd, delta({ content: "b" }), delta({ content: 'c"\n' })], false);
    const { wire } = streamThrough(chat, sse + chatSse([finish("stop")]));
    expect(wire.startsWith(sse.replaceAll('"up-model"', '"the-alias"'))).toBe(true);
  });

  test("without a request for usage never show any, and the meter still sees it", () => {
    for (const sse of [
      chatFixtures.text,
      chatFixtures.usageOnFinish,
      chatFixtures.usageEverywhere,
      chatFixtures.vendorUsage,
    ]) {
      const { wire, events } = streamThrough(chat, sse, { includeUsage: false });
      expect(wire).not.toContain('"usage"');
      expect(events.filter((event) => event.type === "usage").at(-1)).toBeDefined();
    }
  });

  test("finish, usage and [DONE] wait for the end", () => {
    const forwarder = createForwarder("chat", optionsFor(chat));
    const before = framesFrom(bytesOf(chatFixtures.text))
      .map((frame) => forwarder.push(frame).wire)
      .join("");
    expect(before).not.toMatch(/\[DONE\]|"usage":\{|"finish_reason":"/);
    const { wire } = forwarder.end();
    expect(wire).toMatch(/"finish_reason":"stop".*\n\ndata: .*"usage":\{.*\n\ndata: \[DONE\]\n\n$/);
  });

  test("usage that the upstream never told is shown as it was estimated", () => {
    const forwarder = createForwarder("chat", optionsFor(chat));
    for (const frame of framesFrom(bytesOf(chatFixtures.noUsage))) forwarder.push(frame);
    const { wire } = forwarder.end({ inputUncached: 5, output: 2 });
    expect(payloadsOf(wire).at(-1)).toMatchObject({
      id: "chatcmpl-up",
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 2 },
    });
  });

  test.each(Object.entries(chatFixtures))("%s is what the fold of its events says", (name, sse) => {
    const folded = foldStream("chat", streamThrough(chat, sse).wire);
    const { wire } = streamThrough({ upstream: "chat", client: "messages" }, sse);
    const other = foldStream("messages", wire);
    const choice = (folded.choices as { message: JsonObject }[])[0];
    const texts = (other.content as JsonObject[]).filter((one) => one.type === "text").map((one) => one.text);
    const said = choice?.message.refusal ?? choice?.message.content ?? "";
    // Whitespace between calls is kept here and dropped there.
    expect(String(said).trim(), name).toBe(texts.join("").trim());
    const calls = Array.isArray(choice?.message.tool_calls) ? choice.message.tool_calls : [];
    const names = (other.content as JsonObject[])
      .filter((one) => one.type === "tool_use")
      .map((one) => one.name);
    if (name !== "legacyCall") expect(calls.map((call) => call.function.name)).toEqual(names);
  });

  test("vendor noise is removed and unknown fields of calls survive", () => {
    const entry = {
      index: 0,
      id: "call_1",
      type: "function",
      function: { name: "f", arguments: '{"a":1}' },
      extra_content: { signature: "s" },
    };
    const sse = chatSse([
      { ...delta({ role: "assistant", content: "Hi" }), provider: "P", x_request: "1", obfuscation: "abc" },
      tool(entry),
      finish("tool_calls"),
    ]);
    const { wire } = streamThrough(chat, sse);
    expect(wire).not.toMatch(/provider|x_request|obfuscation/);
    expect(wire).toContain('"extra_content":{"signature":"s"}');
  });

  test("array content becomes a string and its thinking reasoning", () => {
    const folded = foldStream("chat", streamThrough(chat, chatFixtures.arrayContent).wire);
    expect(folded).toMatchObject({ choices: [{ message: { content: "Hi", reasoning_content: "Hm" } }] });
  });

  test("a legacy function_call goes through, an empty stub does not", () => {
    expect(streamThrough(chat, chatFixtures.legacyCall).wire).toContain('"finish_reason":"function_call"');
    const stub = chatSse([
      delta({ role: "assistant", content: "Hi", function_call: { name: "", arguments: "" } }),
      finish("stop"),
    ]);
    expect(streamThrough(chat, stub).wire).not.toContain("function_call");
  });

  test("a chunk after the end says nothing", () => {
    const forwarder = createForwarder("chat", optionsFor(chat));
    for (const frame of framesFrom(bytesOf(chatFixtures.text))) forwarder.push(frame);
    expect(forwarder.push({ event: null, data: JSON.stringify(usageChunk({ prompt_tokens: 9 })) })).toEqual({
      wire: "",
      events: [],
    });
  });
});

describe("whole answers of the same protocol", () => {
  const completion = (message: JsonObject, finishReason: unknown) => ({
    id: "",
    object: "chat.completion",
    model: "up-model",
    provider: "P",
    choices: [
      { index: 0, message, finish_reason: finishReason, new_field: 1 },
      { index: 1, message: {}, finish_reason: "stop" },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  });

  test("a chat completion is repaired and keeps what is not known", () => {
    const call = { function: { name: "f", arguments: { a: 1 } } };
    const { body, events } = forwardWhole(
      "chat",
      completion(
        { content: [{ type: "text", text: "Hi" }], tool_calls: [call, { ...call }], new_too: 2 },
        "stop",
      ),
      optionsFor(chat),
    );
    expect(body).toMatchObject({
      id: "chatcmpl-own",
      model: "the-alias",
      choices: [
        {
          new_field: 1,
          finish_reason: "tool_calls",
          message: { role: "assistant", content: "Hi", new_too: 2 },
        },
      ],
    });
    expect(body).not.toHaveProperty("provider");
    const text = JSON.stringify(body);
    expect(text.match(/"type":"function"/g)).toHaveLength(2);
    expect(text.match(/\\"a\\":1/g)).toHaveLength(2);
    expect(new Set(text.match(/call_[a-z2-7]{24}/g)).size).toBe(2);
    expect(events.at(-1)).toEqual({ type: "end" });
  });

  test("finish reasons that say nothing are filled in", () => {
    for (const [word, wanted] of [
      ["", "stop"],
      [null, "stop"],
      ["eos", "stop"],
      ["length", "length"],
      ["MAX_TOKENS", "length"],
    ]) {
      const { body } = forwardWhole(
        "chat",
        completion({ role: "assistant", content: "Hi" }, word),
        optionsFor(chat),
      );
      expect(body).toMatchObject({ choices: [{ finish_reason: wanted }] });
    }
  });

  test("a message only changes its model", () => {
    const message = {
      id: "msg_up",
      type: "message",
      model: "up-model",
      content: [{ type: "new_block", x: 1 }],
      stop_reason: "end_turn",
      usage: { input_tokens: 1, output_tokens: 1 },
      new: [],
    };
    const { body } = forwardWhole("messages", structuredClone(message), optionsFor(messages));
    expect(body).toEqual({ ...message, model: "the-alias" });
  });

  test("EC-126: a whole answer where a stream was asked becomes a stream, an error a failure", () => {
    const message = {
      type: "message",
      id: "msg_up",
      model: "up-model",
      role: "assistant",
      content: [
        { type: "text", text: "Hi" },
        { type: "tool_use", id: "t", name: "f", input: { a: 1 } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    for (const [way, body] of [
      [chat, completion({ role: "assistant", content: "Hi" }, "stop")],
      [messages, message],
    ] as const) {
      const forwarder = createForwarder(way.client, optionsFor(way));
      const wire =
        wholeFrames(way.client, body)
          .map((frame) => forwarder.push(frame).wire)
          .join("") + forwarder.end().wire;
      expect(streamProblems(way.client, wire, { includeUsage: true, forwarded: true })).toEqual([]);
      expect(wire).toContain('"Hi"');
    }
    const failed = createForwarder("chat", optionsFor(chat));
    const events = wholeFrames("chat", { error: { message: "no", code: 429 } }).flatMap(
      (frame) => failed.push(frame).events,
    );
    expect(events).toMatchObject([{ type: "error", failure: { status: 429, message: "no" } }]);
  });
});

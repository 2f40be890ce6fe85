import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Protocol } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";
import { streamProblems } from "@/tests/support/stream-grammar";
import { optionsFor } from "./pipeline";

const chat = { upstream: "chat", client: "chat" } as const;
const messages = { upstream: "messages", client: "messages" } as const;

function forward(protocol: Protocol, sent: JsonObject, options: ReturnType<typeof optionsFor>) {
  const { wire, events } = protocols[protocol].direct.passWhole(
    JSON.stringify(sent),
    structuredClone(sent),
    options,
  );
  return { body: JSON.parse(wire()), events };
}

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
    const { body, events } = forward(
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
      const { body } = forward(
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
    const { body } = forward("messages", message, optionsFor(messages));
    expect(body).toEqual({ ...message, model: "the-alias" });
  });

  test("an answer that needs no repair keeps every byte but its model's name", () => {
    const choice = `{"index":0,"message":{"role":"assistant","content":"say \\"model\\": \\"up-model\\"" },"finish_reason":"stop","n":1.0}`;
    const json = `{ "id":"x", "big":12345678901234567890, "model" : "up-model",\n"choices":[${choice}]}\n`;
    const { wire } = protocols.chat.direct.passWhole(json, JSON.parse(json), optionsFor(chat));
    expect(wire()).toBe(json.replace('"model" : "up-model"', '"model" : "the-alias"'));
  });

  test("a model name that stands in several places is changed where it is the answer's own", () => {
    const sent = { echo: { model: "up-model" }, ...completion({ role: "assistant", content: "Hi" }, "stop") };
    const { body } = forward("chat", sent, optionsFor(chat));
    expect(body).toMatchObject({ echo: { model: "up-model" }, model: "the-alias" });
  });

  test("tool names are turned back and what the client must not get is taken out", () => {
    const toolNames = new Map([["f", "server.tool/f"]]);
    const call = (id: string) => ({ id, type: "function", function: { name: "f", arguments: "{}" } });
    const said = { role: "assistant", content: null, reasoning: "Hm", tool_calls: [call("a"), call("b")] };
    const options = optionsFor(chat, { toolNames, singleToolCall: true, hideReasoning: true });
    const { body } = forward("chat", completion(said, "tool_calls"), options);
    expect(body).toMatchObject({
      choices: [{ message: { tool_calls: [{ id: "a", function: { name: "server.tool/f" } }] } }],
    });
    expect(JSON.stringify(body)).not.toMatch(/"b"|Hm/);
    const use = { type: "tool_use", id: "t", name: "f", input: {} };
    const message = { type: "message", content: [use], stop_reason: "tool_use", usage: {} };
    expect(forward("messages", message, { ...optionsFor(messages), toolNames }).body).toMatchObject({
      content: [{ name: "server.tool/f" }],
    });
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
      const passthrough = protocols[way.client].direct.passthrough(optionsFor(way));
      const wire =
        protocols[way.client]
          .framesOfWhole(body, 1)
          .map((frame) => passthrough.push(frame).wire)
          .join("") + passthrough.end();
      expect(streamProblems(way.client, wire, { includeUsage: true, forwarded: true })).toEqual([]);
      expect(wire).toContain('"Hi"');
    }
    const failed = protocols.chat.direct.passthrough(optionsFor(chat));
    const events = protocols.chat
      .framesOfWhole({ error: { message: "no", code: 429 } }, 1)
      .flatMap((frame) => failed.push(frame).events);
    expect(events).toMatchObject([{ type: "error", failure: { status: 429, message: "no" } }]);
  });
});

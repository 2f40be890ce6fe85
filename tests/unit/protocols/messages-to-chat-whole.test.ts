import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { wholeThrough } from "./pipeline";

const way = { upstream: "messages", client: "chat" } as const;
const call = (id: string, name: string, json: string) => ({
  id,
  type: "function",
  function: { name, arguments: json },
});

describe("the whole answer of a messages upstream for a chat client", () => {
  const answer = (content: unknown, rest: JsonObject = {}) => ({
    id: "msg_up",
    type: "message",
    role: "assistant",
    model: "up-model",
    content,
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: 20,
      cache_creation_input_tokens: 300,
      cache_read_input_tokens: 4000,
      output_tokens: 150,
    },
    ...rest,
  });

  test("EC-150: content is a string, or null beside calls", () => {
    const texts = [
      { type: "text", text: "Hel" },
      { type: "text", text: "lo" },
    ];
    expect(wholeThrough(way, answer(texts)).body).toMatchObject({
      choices: [{ message: { content: "Hello" }, finish_reason: "stop" }],
    });
    const use = { type: "tool_use", id: "toolu_1", name: "f", input: {} };
    const called = wholeThrough(way, answer([use], { stop_reason: "tool_use" })).body;
    expect(called).toMatchObject({
      object: "chat.completion",
      model: "the-alias",
      choices: [
        { message: { content: null, tool_calls: [call("toolu_1", "f", "{}")] }, finish_reason: "tool_calls" },
      ],
    });
  });

  test("an empty answer is an empty string, not an error", () => {
    expect(wholeThrough(way, answer([])).body).toMatchObject({
      choices: [{ message: { content: "" }, finish_reason: "stop" }],
    });
  });

  test("citations keep their place and server tool blocks are left out", () => {
    const cited = {
      type: "text",
      text: "this",
      citations: [{ type: "web_search_result_location", url: "https://a.example/", title: "A" }],
    };
    const content = [
      { type: "text", text: "See " },
      { type: "server_tool_use", id: "s", name: "web_search", input: {} },
      cited,
    ];
    expect(wholeThrough(way, answer(content)).body).toMatchObject({
      choices: [
        {
          message: { content: "See this", annotations: [{ url_citation: { start_index: 4, end_index: 8 } }] },
        },
      ],
    });
  });

  test("EC-129: usage counts cached tokens into the prompt", () => {
    expect(wholeThrough(way, answer([])).body.usage).toMatchObject({
      prompt_tokens: 4320,
      total_tokens: 4470,
    });
  });

  test("compaction is counted in", () => {
    const usage = {
      input_tokens: 10,
      output_tokens: 2,
      iterations: [
        { type: "compaction", input_tokens: 100, output_tokens: 20 },
        { type: "message", input_tokens: 10, output_tokens: 2 },
        { type: "advisor_message", input_tokens: 7, output_tokens: 7 },
      ],
    };
    const { body } = wholeThrough(way, answer([{ type: "text", text: "Hi" }], { usage }));
    expect(body.usage).toMatchObject({ prompt_tokens: 110, completion_tokens: 22 });
  });

  test("what is no message is a failure", () => {
    for (const body of [null, "text", {}, { content: "text" }, { type: "error", error: { message: "no" } }]) {
      expect(wholeThrough(way, body).failure, JSON.stringify(body)).not.toBeNull();
    }
  });
});

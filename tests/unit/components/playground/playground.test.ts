import { describe, expect, test } from "vitest";
import { type Answer, addEvent, noAnswer, wholeAnswer } from "@/components/playground/answer";
import { callSnippet } from "@/components/playground/call-snippet";
import { bodyOf } from "@/components/playground/calls";
import { type Exchange, emptyAnswer, turnsFor } from "@/components/playground/conversation";
import { readTools } from "@/components/playground/tools";
import type { Protocol } from "@/lib/protocols/protocol";

const weather = { name: "weather", description: "Of a city", parameters: { type: "object" } };

function exchange(message: string, answers: Record<string, string>): Exchange {
  return {
    id: message,
    message,
    answers: Object.entries(answers).map(([model, text]) => ({
      ...emptyAnswer(model, "chat"),
      running: false,
      answer: { ...noAnswer, text },
    })),
  };
}

describe("the tools of the playground", () => {
  test.each([
    ["", { tools: [] }],
    ["[", { problem: { kind: "json" } }],
    ["{}", { problem: { kind: "list" } }],
    ['[{"name": "a"}, {"name": "not a name"}]', { problem: { kind: "name", index: 2 } }],
    ['[{"name": "a", "parameters": 5}]', { problem: { kind: "parameters", index: 1 } }],
    [JSON.stringify([weather]), { tools: [weather] }],
  ])("%j reads as %j", (text, expected) => {
    expect(readTools(text)).toEqual(expected);
  });

  test.each<[Protocol, object]>([
    ["chat", { type: "function", function: weather }],
    ["messages", { name: "weather", description: "Of a city", input_schema: { type: "object" } }],
    ["responses", { type: "function", ...weather }],
  ])("are sent in the form of %s", (protocol, expected) => {
    const input = { protocol, model: "m", system: "", maxTokens: 5, temperature: 1, stream: true, turns: [] };
    expect(bodyOf({ ...input, tools: [weather] }).tools).toEqual([expected]);
    expect(bodyOf({ ...input, tools: [] })).not.toHaveProperty("tools");
  });
});

describe("the turns of a conversation", () => {
  test("are a model's own answers, or the first model's where it was not asked", () => {
    const exchanges = [exchange("one", { a: "A1" }), exchange("two", { a: "A2", b: "B2" })];
    expect(turnsFor("b", exchanges).map(({ text }) => text)).toEqual(["one", "A1", "two", "B2"]);
  });

  test("leave out an answer without text", () => {
    expect(turnsFor("a", [exchange("one", { a: "" })])).toEqual([{ role: "user", text: "one" }]);
  });
});

describe("a call as code", () => {
  const body = {
    model: "m",
    stream: true,
    stream_options: {},
    messages: [{ role: "user", content: 'It\'s "x"' }],
  };

  test("is a shell command with the body as it would be sent", () => {
    const code = callSnippet("curl", "messages", "https://g", body);
    expect(code).toContain("https://g/v1/messages");
    expect(code).toContain("anthropic-version");
    expect(code).toContain("It'\\''s");
  });

  test.each<[Protocol, string, string]>([
    ["chat", "chat.completions.create", 'base_url="https://g/v1"'],
    ["responses", "responses.create", 'base_url="https://g/v1"'],
    ["messages", "messages.create", 'base_url="https://g"'],
  ])("is Python for %s, with Python's literals and no stream", (protocol, method, address) => {
    const code = callSnippet("python", protocol, "https://g", { ...body, store: false, nothing: null });
    for (const part of [method, address, "store=False", "nothing=None", 'content": "It\'s \\"x\\""'])
      expect(code).toContain(part);
    expect(code).not.toContain("stream");
  });
});

describe("calls of tools in an answer", () => {
  const expected = [{ name: "weather", input: '{"city":"Rome"}' }];
  const pieces = ['{"city":', '"Rome"}'];
  const streams: Record<Protocol, object[]> = {
    chat: [
      { choices: [{ delta: { tool_calls: [{ index: 0, function: { name: "weather", arguments: "" } }] } }] },
      ...pieces.map((piece) => ({
        choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: piece } }] } }],
      })),
    ],
    messages: [
      { type: "content_block_start", content_block: { type: "tool_use", name: "weather", input: {} } },
      ...pieces.map((piece) => ({ type: "content_block_delta", delta: { partial_json: piece } })),
    ],
    responses: [
      { type: "response.output_item.added", item: { type: "function_call", name: "weather" } },
      ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta", delta })),
    ],
  };
  const bodies: Record<Protocol, object> = {
    chat: {
      choices: [{ message: { tool_calls: [{ function: { name: "weather", arguments: pieces.join("") } }] } }],
    },
    messages: { content: [{ type: "tool_use", name: "weather", input: { city: "Rome" } }] },
    responses: { output: [{ type: "function_call", name: "weather", arguments: pieces.join("") }] },
  };

  test.each<Protocol>(["chat", "messages", "responses"])(
    "of %s are the same streamed and whole",
    (protocol) => {
      const streamed = streams[protocol].reduce<Answer>(
        (answer, event) => addEvent(answer, protocol, event),
        noAnswer,
      );
      expect(streamed.toolCalls).toEqual(expected);
      expect(wholeAnswer(protocol, bodies[protocol]).toolCalls).toEqual(expected);
    },
  );
});

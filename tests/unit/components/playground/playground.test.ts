import { describe, expect, test } from "vitest";
import { type Answer, addEvent, noAnswer, wholeAnswer } from "@/components/playground/answer";
import { noOptions } from "@/components/playground/call-options";
import { callSnippet, type SnippetLanguage } from "@/components/playground/call-snippet";
import { bodyOf, type CallInput } from "@/components/playground/calls";
import {
  type Exchange,
  emptyStep,
  tokensPerSecond,
  turnsFor,
  withResults,
} from "@/components/playground/conversation";
import { readTools, toolsOf } from "@/components/playground/tools";
import { stopsIn } from "@/components/playground/use-playground-storage";
import type { Protocol } from "@/lib/protocols/protocol";

const plainCall: CallInput = {
  protocol: "chat",
  model: "m",
  system: "",
  maxTokens: 5,
  temperature: 1,
  stop: [],
  ...noOptions,
  stream: true,
  json: false,
  schema: null,
  tools: [],
  turns: [],
};
const weather = { name: "weather", description: "Of a city", parameters: { type: "object" } };

function exchange(message: string, answers: Record<string, string>): Exchange {
  return {
    id: message,
    message,
    images: [],
    answers: Object.entries(answers).map(([model, text]) => ({
      model,
      protocol: "chat",
      steps: [{ ...emptyStep, running: false, answer: { ...noAnswer, text } }],
    })),
  };
}

describe("the tools of the playground", () => {
  test.each([
    ["", { tools: [] }],
    ["[", { problem: { kind: "jsonEnd", line: 1, column: 2, found: "" } }],
    ['[{"name": "a",}]', { problem: { kind: "json", line: 1, column: 15, found: "}" } }],
    ['[\n  {"name": tool}\n]', { problem: { kind: "json", line: 2, column: 12, found: "tool" } }],
    ['[\n  "名\n"]', { problem: { kind: "json", line: 2, column: 5, found: "\\n" } }],
    ['[{"a": [01]}] ', { problem: { kind: "json", line: 1, column: 10, found: "1" } }],
    ["[] []", { problem: { kind: "json", line: 1, column: 4, found: "[" } }],
    ["{}", { problem: { kind: "list" } }],
    ['[{"name": "a"}, {"name": "not a name"}]', { problem: { kind: "name", index: 2 } }],
    ['[{"name": "a", "parameters": 5}]', { problem: { kind: "parameters", index: 1 } }],
    [JSON.stringify([weather]), { tools: [weather] }],
    [JSON.stringify(toolsOf("chat", [weather])), { tools: [weather] }],
    [JSON.stringify(toolsOf("messages", [weather])), { tools: [weather] }],
    [JSON.stringify(toolsOf("responses", [weather])), { tools: [weather] }],
  ])("%j reads as %j", (text, expected) => {
    expect(readTools(text)).toEqual(expected);
  });

  test.each<[Protocol, object]>([
    ["chat", { type: "function", function: weather }],
    ["messages", { name: "weather", description: "Of a city", input_schema: { type: "object" } }],
    ["responses", { type: "function", ...weather }],
  ])("are sent in the form of %s", (protocol, expected) => {
    expect(bodyOf({ ...plainCall, protocol, tools: [weather] }).tools).toEqual([expected]);
    expect(bodyOf({ ...plainCall, protocol })).not.toHaveProperty("tools");
  });
});

describe("the parameters of a call", () => {
  const stop = stopsIn("END\n\n\\n\\n");

  test.each<[Protocol, object]>([
    ["chat", { temperature: 1.7, top_p: 0.5, stop: ["END", "\n\n"] }],
    ["messages", { temperature: 1, top_p: 0.5, stop_sequences: ["END", "\n\n"] }],
    ["responses", { temperature: 1.7, top_p: 0.5 }],
  ])("have the names and the range of %s, and are not sent while they are not set", (protocol, expected) => {
    const names = /^(temperature|top_p|stop|stop_sequences)$/;
    const sent = (call: Partial<CallInput>) => {
      const body = Object.entries(bodyOf({ ...plainCall, protocol, ...call }));
      return Object.fromEntries(body.filter(([name]) => names.test(name)));
    };
    expect(sent({ temperature: 1.7, topP: 0.5, stop })).toEqual(expected);
    expect(sent({})).toEqual({ temperature: 1 });
  });
});

describe("the turns of a conversation", () => {
  test("are a model's own answers, or the first model's where it was not asked", () => {
    const exchanges = [exchange("one", { a: "A1" }), exchange("two", { a: "A2", b: "B2" })];
    const texts = turnsFor("b", exchanges).map((turn) => "text" in turn && turn.text);
    expect(texts).toEqual(["one", "A1", "two", "B2"]);
  });

  test("leave out an answer without text", () => {
    expect(turnsFor("a", [exchange("one", { a: "" })])).toEqual([{ role: "user", text: "one", images: [] }]);
  });
});

describe("a call as code", () => {
  const body = {
    model: "m",
    stream: false,
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
  ])(
    "is Python for %s, with Python's literals and no stream where none is asked for",
    (protocol, method, address) => {
      const code = callSnippet("python", protocol, "https://g", { ...body, store: false, nothing: null });
      for (const part of [method, address, "store=False", "nothing=None", 'content": "It\'s \\"x\\""'])
        expect(code).toContain(part);
      expect(code).not.toContain("stream");
    },
  );

  test.each<[Protocol, string, string]>([
    ["chat", "for chunk in answer:", "chunk.choices[0]?.delta.content"],
    ["messages", 'event.delta.type == "text_delta"', 'event.delta.type === "text_delta"'],
    [
      "responses",
      'event.type == "response.output_text.delta"',
      'event.type === "response.output_text.delta"',
    ],
  ])("streams for %s in every language where that is asked for", (protocol, python, node) => {
    const code = (language: SnippetLanguage) =>
      callSnippet(language, protocol, "https://g", { ...body, stream: true });
    expect(code("curl")).toMatch(/^curl -N https:[\s\S]+"stream": true/);
    expect(code("python")).toContain("stream=True");
    expect(code("python")).toContain(python);
    expect(code("node")).toContain('"stream": true');
    expect(code("node")).toContain(node);
  });
});

describe("calls of tools in an answer", () => {
  const expected = [{ id: "call_a", name: "weather", input: '{"city":"Rome"}' }];
  const pieces = ['{"city":', '"Rome"}'];
  const streams: Record<Protocol, object[]> = {
    chat: [
      {
        choices: [
          {
            delta: { tool_calls: [{ index: 0, id: "call_a", function: { name: "weather", arguments: "" } }] },
          },
        ],
      },
      ...pieces.map((piece) => ({
        choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: piece } }] } }],
      })),
    ],
    messages: [
      {
        type: "content_block_start",
        content_block: { type: "tool_use", id: "call_a", name: "weather", input: {} },
      },
      ...pieces.map((piece) => ({ type: "content_block_delta", delta: { partial_json: piece } })),
    ],
    responses: [
      {
        type: "response.output_item.added",
        item: { type: "function_call", id: "fc_1", call_id: "call_a", name: "weather" },
      },
      ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta", delta })),
    ],
  };
  const bodies: Record<Protocol, object> = {
    chat: {
      choices: [
        {
          message: {
            tool_calls: [{ id: "call_a", function: { name: "weather", arguments: pieces.join("") } }],
          },
        },
      ],
    },
    messages: { content: [{ type: "tool_use", id: "call_a", name: "weather", input: { city: "Rome" } }] },
    responses: {
      output: [{ type: "function_call", call_id: "call_a", name: "weather", arguments: pieces.join("") }],
    },
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

  const asking: Exchange = {
    id: "1",
    message: "Rome?",
    images: [],
    answers: [
      {
        model: "m",
        protocol: "chat",
        steps: [
          { ...emptyStep, running: false, answer: { ...noAnswer, text: "Let me see", toolCalls: expected } },
        ],
      },
    ],
  };

  test("are left out of the next call while they have no result", () => {
    expect(turnsFor("m", [asking])).toEqual([
      { role: "user", text: "Rome?", images: [] },
      { role: "assistant", text: "Let me see", calls: [] },
    ]);
  });

  const result = "21 degrees";
  const [call] = expected;
  test.each<[Protocol, string, object[]]>([
    [
      "chat",
      "messages",
      [
        { role: "user", content: "Rome?" },
        {
          role: "assistant",
          content: "Let me see",
          tool_calls: [
            { id: "call_a", type: "function", function: { name: "weather", arguments: call?.input } },
          ],
        },
        { role: "tool", tool_call_id: "call_a", content: result },
      ],
    ],
    [
      "messages",
      "messages",
      [
        { role: "user", content: "Rome?" },
        {
          role: "assistant",
          content: [
            { type: "text", text: "Let me see" },
            { type: "tool_use", id: "call_a", name: "weather", input: { city: "Rome" } },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "call_a", content: result }] },
      ],
    ],
    [
      "responses",
      "input",
      [
        { role: "user", content: "Rome?" },
        { role: "assistant", content: "Let me see" },
        { type: "function_call", call_id: "call_a", name: "weather", arguments: call?.input },
        { type: "function_call_output", call_id: "call_a", output: result },
      ],
    ],
  ])("are sent back with their results in the form of %s", (protocol, field, turns) => {
    const all = withResults([asking], "1", "m", [result]);
    expect(bodyOf({ ...plainCall, protocol, turns: turnsFor("m", all) })[field]).toEqual(turns);
  });
});

test("tokens per second are those after the first one, and none are told of an answer that came at once", () => {
  const rate = (firstTokenMs: number | null, durationMs: number | null, outputTokens: number | null = 20) =>
    tokensPerSecond({ ...emptyStep, answer: { ...noAnswer, outputTokens }, firstTokenMs, durationMs });
  expect(rate(200, 700)).toBe(40);
  expect([rate(204, 204), rate(null, 900), rate(180, 204), rate(null, null), rate(200, 700, null)]).toEqual(
    Array(5).fill(null),
  );
});

import { describe, expect, test } from "vitest";
import { noAnswer } from "@/components/playground/answer";
import {
  type Exchange,
  emptyStep,
  tokensPerSecond,
  turnsFor,
  withResults,
} from "@/components/playground/conversation";
import { stopsIn } from "@/components/playground/texts";
import { readTools } from "@/components/playground/tools";
import { bodyOf } from "@/lib/protocols/kit/call-body";
import { protocolKits } from "@/lib/protocols/kit/kits";
import type { Protocol } from "@/lib/protocols/protocol";
import { plainCall } from "../../protocols/kit/plain-call";

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
    [JSON.stringify([protocolKits.chat.tool(weather)]), { tools: [weather] }],
    [JSON.stringify([protocolKits.messages.tool(weather)]), { tools: [weather] }],
    [JSON.stringify([protocolKits.responses.tool(weather)]), { tools: [weather] }],
  ])("%j reads as %j", (text, expected) => {
    expect(readTools(text)).toEqual(expected);
  });
});

test("stop sequences are lines, in which escapes are written out", () => {
  expect(stopsIn("END\n\n\\n\\n")).toEqual(["END", "\n\n"]);
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

describe("calls of tools in a conversation", () => {
  const expected = [{ id: "call_a", name: "weather", input: '{"city":"Rome"}' }];
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

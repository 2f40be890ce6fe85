import { expect } from "vitest";
import type { FinishReason, GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";

const usage: PartialUsage = { inputUncached: 90, cacheRead: 7, cacheWrite: 3, output: 20, reasoning: 6 };

/** The counts as a protocol tells them that has no field for tokens written to a cache. */
function withoutWrites({ inputUncached = 0, cacheWrite = 0, ...others }: PartialUsage): PartialUsage {
  return { ...others, inputUncached: inputUncached + cacheWrite, cacheWrite: 0 };
}

/** What a reader of an answer ends with, whatever its protocol. */
export interface Reading {
  text: string;
  reasoning: string;
  refusal: string;
  tools: { name: string; text: string; id: string }[];
  finish: FinishReason | null;
  usage: PartialUsage;
  failure: string | null;
}

/** One answer as its events, with what every reader must find. */
export interface Scenario {
  name: string;
  events: GenerationEvent[];
  check(reading: Reading): void;
}

/** How every answer begins. */
export const start: GenerationEvent = { type: "start", id: "node-1", model: "node-model" };

/** A whole answer of these parts. */
export function answer(
  parts: GenerationEvent[],
  reason: FinishReason,
  rest: { explanation?: string } = {},
): GenerationEvent[] {
  const finish: GenerationEvent = { type: "finish", reason, native: reason, ...rest };
  return [start, ...parts, { type: "usage", usage }, finish, { type: "end" }];
}

/** One function call, its arguments in pieces. */
export function call(slot: number, name: string, ...pieces: string[]): GenerationEvent[] {
  return [
    { type: "tool_open", slot, id: `id_${slot}`, name, kind: "function" },
    ...pieces.map((text): GenerationEvent => ({ type: "tool_args", slot, text })),
    { type: "tool_close", slot },
  ];
}

/** What a model writes for a custom tool. */
const input = 'ls "x"\n';

/** Text in pieces. */
export const say = (...texts: string[]) => texts.map((text): GenerationEvent => ({ type: "text", text }));

/** Reasons that a protocol may have one word for. */
const alike: Readonly<Record<FinishReason, readonly FinishReason[]>> = {
  end: ["end"],
  stop_sequence: ["end", "stop_sequence"],
  pause: ["end", "pause"],
  length: ["length"],
  context_window: ["length", "context_window"],
  tool_use: ["tool_use"],
  refusal: ["refusal"],
};

/** Every answer that each pair of protocols must carry. */
export const scenarios: readonly Scenario[] = [
  {
    name: "text, whatever it is made of",
    events: answer(say("One ", "two\n\n", '"three" \\ ', "\u2028 🌏 data: x\n"), "end"),
    check: (reading) => {
      expect(reading.text).toBe('One two\n\n"three" \\ \u2028 🌏 data: x\n');
      expect(reading).toMatchObject({ finish: "end", tools: [] });
      expect([expect.objectContaining(usage), expect.objectContaining(withoutWrites(usage))]).toContainEqual(
        reading.usage,
      );
    },
  },
  {
    name: "text and several tool calls",
    events: answer(
      [
        ...say("Let me see."),
        ...call(0, "first", '{"a":', '"1"}'),
        ...call(1, "second", "{}"),
        ...call(2, "first", '{"b":[2]}'),
      ],
      "tool_use",
    ),
    check: (reading) => {
      expect(reading.text).toBe("Let me see.");
      const calls = reading.tools.map(({ name, text }) => [name, JSON.parse(text)]);
      expect(calls).toEqual([
        ["first", { a: "1" }],
        ["second", {}],
        ["first", { b: [2] }],
      ]);
      expect(new Set(reading.tools.map(({ id }) => id)).size).toBe(3);
      expect(reading.finish).toBe("tool_use");
    },
  },
  {
    name: "reasoning before text",
    events: answer(
      [{ type: "reasoning", text: "Hm, " }, { type: "reasoning", text: "yes." }, ...say("Yes")],
      "end",
    ),
    check: (reading) => expect(reading).toMatchObject({ reasoning: "Hm, yes.", text: "Yes", finish: "end" }),
  },
  {
    name: "a refusal",
    events: answer([{ type: "refusal", text: "I will not." }], "refusal", { explanation: "I will not." }),
    check: (reading) => {
      expect(reading.refusal + reading.text).toContain("I will not.");
      expect(reading.finish).toBe("refusal");
    },
  },
  {
    name: "a custom tool's plain input",
    events: answer(
      [
        { type: "tool_open", slot: 0, id: "id_0", name: "shell", kind: "custom" },
        { type: "tool_args", slot: 0, text: 'ls "' },
        { type: "tool_args", slot: 0, text: 'x"\n' },
        { type: "tool_close", slot: 0 },
      ],
      "tool_use",
    ),
    check: ({ tools, finish }) => {
      expect(tools).toHaveLength(1);
      expect([input, JSON.stringify({ input })]).toContain(tools[0]?.text);
      expect(finish).toBe("tool_use");
    },
  },
  ...(Object.keys(alike) as FinishReason[]).map((reason) => ({
    name: `an end with the reason ${reason}`,
    events: answer(reason === "tool_use" ? call(0, "f", "{}") : say("So far"), reason),
    check: (reading: Reading) => expect(alike[reason]).toContain(reading.finish),
  })),
];

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { withoutFence } from "@/lib/protocols/passes/fenced-json";
import { prepareFor, validated } from "./requests/support";

/** The text of an answer in pieces, as it comes out. */
function said(pieces: readonly string[]): string {
  const texts = pieces.map((text): GenerationEvent => ({ type: "text", text }));
  const events = withoutFence([...texts, { type: "finish", reason: "end", native: "stop" }]);
  expect(events.at(-1)?.type).toBe("finish");
  return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}

const json = fc.json({ maxDepth: 2 });
const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
const cut = (text: string, at: readonly number[]) => {
  const places = [
    0,
    ...at.map((share) => Math.floor(share * text.length)).sort((a, b) => a - b),
    text.length,
  ];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
};

/** Source: docs/protocols.md#s5-7. */
describe("JSON that a node was asked for in words", () => {
  test("is taken out of the fence around it, however the text is cut", () => {
    const before = fc.constantFrom("```json\n", "```\n", "\n```JSON \r\n", "  ```json\n  ");
    const after = fc.constantFrom("\n```", "```", "\n```\n\n", "");
    fc.assert(
      fc.property(json, before, after, shares, (value, head, tail, at) => {
        expect(said(cut(head + value + tail, at)).trim()).toBe(value.trim());
      }),
      { numRuns: 2_000 },
    );
  });

  test("and what has no fence, or text around it, comes as it is", () => {
    const others = fc.oneof(
      json,
      fc.string({ unit: "grapheme" }).filter((text) => !/^\s*```/.test(text)),
      fc.constantFrom("", "``", "```", "```js\nx\n```", "`a`", "Here: ```json\n{}\n```"),
    );
    fc.assert(
      fc.property(others, shares, (text, at) => {
        expect(said(cut(text, at))).toBe(text);
      }),
    );
    for (const at of [[], [0.3, 0.6, 0.7], [0.5, 0.52, 0.54, 0.56]])
      expect(said(cut("```json\n{}\n```\nThat is all.", at))).toBe("{}\nThat is all.");
  });

  test("waits for no more than a few characters, and keeps what is told of its tokens", () => {
    const spaces = Array.from({ length: 200_000 }, () => "\n");
    expect(said(spaces)).toBe(spaces.join(""));
    expect(said(["```json\n", ...spaces, "{}"])).toBe(`${spaces.join("")}{}`);
    const token = { token: "{}", logprob: -1, bytes: [123, 125], top_logprobs: [] };
    const text: GenerationEvent = { type: "text", text: "{}", logProbabilities: [token] };
    const finish: GenerationEvent = { type: "finish", reason: "end", native: "stop" };
    expect(withoutFence([{ type: "text", text: " " }, text, finish])).toEqual([
      { type: "text", text: " {}", logProbabilities: [token] },
      finish,
    ]);
  });

  test("is marked where the request had to be put in words, and nowhere else", () => {
    const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
    const ask = (response_format?: unknown) =>
      validated({ model: "a", messages: [{ role: "user", content: "hi" }], response_format }, "chat");
    const format = { type: "json_schema", json_schema: { name: "s", schema } };
    const marked = (body: ReturnType<typeof ask>, structuredOutput: boolean) =>
      prepareFor(body, { profile: { structuredOutput } }).jsonInWords;
    expect(marked(ask(format), false)).toBe(true);
    expect(marked(ask({ type: "json_object" }), true)).toBe(true);
    expect(marked(ask(format), true)).toBeUndefined();
    expect(marked(ask(), false)).toBeUndefined();
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateInputTokens } from "@/lib/billing/token-estimate";
import { parseExact, parseValue, printJson, scanJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import { printJsonBytes } from "@/lib/kernel/print-json-bytes";

const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,24})$/);
const number = fc
  .tuple(
    fc.constantFrom("", "-"),
    digits,
    fc.constantFrom("", ".0", ".90", ".1234567890123456789"),
    fc.constantFrom("", "e5", "E400", "e-07"),
  )
  .map((parts) => parts.join(""));
const name = fc.oneof(
  fc.stringMatching(/^[a-z]{1,3}$/),
  digits,
  fc.string({ unit: "grapheme", maxLength: 5 }),
);
const quoted = fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => JSON.stringify(text));

/** Texts of JSON without spaces, whose objects name each member once. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(number, quoted, fc.constantFrom("true", "null")),
    fc.array(tie("json"), { maxLength: 4 }).map((entries) => `[${entries.join(",")}]`),
    fc
      .uniqueArray(fc.tuple(name, tie("json")), { maxLength: 5, selector: ([key]) => key })
      .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`),
  ),
}));

/** Source: docs/protocols.md#s6-4. */
describe("values of clients and models", () => {
  test("any of 5,000 is written as it was read", () => {
    fc.assert(
      fc.property(json, (text) => {
        fc.pre(!text.includes('"__proto__"'));
        expect(printJson(parseValue(text))).toBe(text);
        const body = `{"temperature":0.70,"messages":[{"input":{"a":${text}}}]}`;
        const parsed = parseExact(body) as { temperature: number } & JsonObject;
        expect(parsed.temperature).toBe(0.7);
        expect(printJson(parsed)).toBe(body.replace("0.70", "0.7"));
        expect(printJsonBytes(parsed).toString()).toBe(printJson(parsed));
      }),
      { numRuns: 5_000 },
    );
  });

  test("are printed in parts as they are printed at once, whatever an object holds", () => {
    const value = fc.oneof(fc.jsonValue({ stringUnit: "binary" }), fc.constant(undefined));
    const object = fc.dictionary(fc.string({ unit: "binary" }), fc.oneof(value, fc.array(value)));
    fc.assert(
      fc.property(object, (any) => {
        expect(printJsonBytes(any).toString()).toBe(printJson(any));
      }),
      { numRuns: 1_000, examples: [[{}], [{ a: undefined, b: [] }], [{ a: [undefined] }]] },
    );
  });

  test("outside of them numbers are numbers and names are names", () => {
    const text =
      '{"logit_bias":{"50256":-100,"7":1.0},"input":[1.0,{"x":1E2}],"seed":-0,"parameters":{"10":1.0}}';
    const { parameters: _kept, ...others } = parseExact(text) as Record<string, unknown>;
    expect(others).toEqual({
      logit_bias: { "50256": -100, "7": 1 },
      input: [1, { x: 100 }],
      seed: -0,
    });
  });

  test.each([
    '{"input":{1.0:2}}',
    '{"input":{"a":01}}',
    '{"input":{"a":1.}}',
    '{"input":{"a":- 1}}',
    "1.0 2.0",
  ])("%s is not JSON, with all kept texts too", (text) => {
    expect(() => parseExact(text)).toThrow(SyntaxError);
    expect(parseValue(text)).toBeUndefined();
  });

  test("what is kept in one text says nothing about the texts beside it", () => {
    const texts = ["\uFDD0json:5", '"\uFDD0json:5', "\uFDD05", '"1.0', "1.0"];
    for (const text of texts) {
      const body = `{"messages":[{"content":${JSON.stringify(text)}}],"input":{"a":1.0,"b":${JSON.stringify(text)}}}`;
      expect(printJson(parseExact(body))).toBe(body);
    }
  });

  test("numbers of arguments count as little in a prompt as before, and names in schemas stay comparable", () => {
    const count = (body: object) =>
      estimateInputTokens(body as JsonObject, { turns: "messages", content: ["messages"], json: ["tools"] });
    const numbers = Array.from({ length: 200 }, (_, at) => `${at}.50`).join(",");
    const body = `{"messages":[{"input":{"p":[${numbers}]}}],"tools":[{"parameters":{"enum":[${numbers}]}}]}`;
    expect(count(parseExact(body) as object) / count(JSON.parse(body))).toBeLessThan(1.3);
    const schema = '{"parameters":{"properties":{"2":{"maximum":1.0},"1":{}},"required":["2","1"]}}';
    const { parameters } = parseExact(schema) as { parameters: { properties: object } };
    expect(Object.keys(parameters.properties)).toEqual(["1", "2"]);
    expect(printJson(parameters)).toContain('"maximum":1.0');
  });

  test("a text in which nothing would change has nothing kept", () => {
    const text = '{"a":[0,-1,1.5,1e+21,123456789012345,"1.0"],"b1":{"c":"\\"10\\":1.0"}}';
    expect(scanJson(text).literals).toEqual([]);
    expect(printJson(parseExact(text))).toBe(text);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renamedBytes } from "@/lib/kernel/model-name";
import { readJson } from "@/lib/kernel/read-json";

/** The body with another model name; null where it must be printed anew. */
function renamed(json: string, name = "other"): string | null {
  const { bytes, model } = readJson(Buffer.from(json));
  return model && renamedBytes({ bytes, model }, name).toString();
}

test("a second byte order mark is refused, so no place is taken for another", () => {
  expect(() => readJson(Buffer.from('\uFEFF\uFEFF{"model":"alias"}'))).toThrow("not valid JSON");
});

/** Source: docs/protocols.md#s6-1. */
describe("the bytes of a request with another model name", () => {
  test("keep every other byte, wherever the name stands and whatever stands around it", () => {
    const value = fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" });
    const name = fc.string({ unit: "grapheme", maxLength: 6 }).filter((text) => text !== "model");
    const members = fc.uniqueArray(fc.tuple(name, value), { maxLength: 4, selector: ([key]) => key });
    const space = fc.stringMatching(/^[ \n\t]{0,2}$/);
    const model = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(members, members, space, model, model, (before, after, gap, old, wanted) => {
        const written = ([key, member]: [string, unknown]) =>
          `${JSON.stringify(key)}${gap}:${gap}${JSON.stringify({ model: member })}`;
        const others = new Set(before.map(([key]) => key));
        const rest = after.filter(([key]) => !others.has(key));
        const bodyOf = (text: string) =>
          `${gap}{${[...before.map(written), `"model"${gap}:${gap}${JSON.stringify(text)}`, ...rest.map(written)].join(`${gap},`)}}${gap}`;
        expect(renamed(bodyOf(old), wanted)).toBe(bodyOf(wanted));
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    [
      '{"a":{"model":"x"},"b":"狐 \\"model\\":","model":"y"}',
      '{"a":{"model":"x"},"b":"狐 \\"model\\":","model":"other"}',
    ],
    ['{"b":"model","model":"y\\u0022"}', '{"b":"model","model":"other"}'],
    ['\uFEFF{"b":"狐","model":"x"}', '{"b":"狐","model":"other"}'],
    ['{"a":{"model":"x"}}', null],
    ['{"model":1}', null],
    ['{"mo\\u0064el":"x"}', null],
  ])("%s", (json, expected) => {
    expect(renamed(json)).toBe(expected);
  });
});

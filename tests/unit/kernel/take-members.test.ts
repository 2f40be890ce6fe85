import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { takeMembers } from "@/lib/kernel/take-members";

const names = { taken: new Set(["type", "stream"]), read: new Set(["seen"]) };
const take = (text: string) => takeMembers(Buffer.from(text), names);

/** What is left, as an object. */
function restOf(text: string): string {
  return `{${take(text)?.rest.map(String).join(",")}}`;
}

function valuesOf(text: string): Record<string, unknown> {
  return Object.fromEntries(
    [...(take(text)?.values ?? [])].map(([name, json]) => [name, JSON.parse(String(json))]),
  );
}

describe("members that are taken out of a JSON object", () => {
  test("are its outermost ones, and the rest keeps every byte", () => {
    const text =
      '{ "a" : 1.0 , "type":"x" ,"b":{"type":1,"stream":[2]}, "seen" :  [ "}" ] , "stream" : true }';
    expect(valuesOf(text)).toEqual({ type: "x", seen: ["}"], stream: true });
    expect(take(text)?.rest.map(String)).toEqual([
      '"a" : 1.0 ',
      '"b":{"type":1,"stream":[2]}, "seen" :  [ "}" ] ',
    ]);
  });

  test("are known by escaped names too, and a repeated one by its last value", () => {
    const text = '{"\\u0074ype":1,"type":2,"ty\\npe":3}';
    expect(valuesOf(text)).toEqual({ type: 2 });
    expect(restOf(text)).toBe('{"ty\\npe":3}');
  });

  test("of any object are what parsing finds", () => {
    const key = fc.oneof(fc.constantFrom("type", "stream", "seen", "a", 'q"', "\\"), fc.string());
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.jsonValue()),
        fc.constantFrom(undefined, 1, "\t"),
        (object, space) => {
          const text = JSON.stringify(object, null, space);
          const { type, stream, ...rest } = JSON.parse(text);
          expect(JSON.parse(restOf(text))).toEqual(rest);
          const known = Object.fromEntries(
            Object.entries({ type, stream }).filter(([, value]) => value !== undefined),
          );
          expect(valuesOf(text)).toEqual(Object.hasOwn(rest, "seen") ? { ...known, seen: rest.seen } : known);
        },
      ),
    );
  });

  test.each([
    "",
    "[]",
    "1",
    '"{}"',
    "{",
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    "{a:1}",
    '{"a" 1}',
    '{"a":}',
    '{"a":1}x',
    '{"a":"',
    '{"a":1 2}{',
    '{"a":[}',
  ])("of %j are none, because it is no object", (text) => {
    expect(take(text)).toBeNull();
  });

  test("of an empty object are none", () => {
    expect(take(" {} ")).toEqual({ values: new Map(), rest: [] });
  });
});

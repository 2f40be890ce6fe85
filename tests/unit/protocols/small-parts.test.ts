import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printJson } from "@/lib/kernel/exact-json";
import { objectPrefix } from "@/lib/protocols/messages/client/fold";
import { toolCallId } from "@/lib/protocols/passes/rendering";
import { DeltaFastPath } from "@/lib/protocols/sse/delta-fast-path";
import { JsonScan } from "@/lib/protocols/sse/payloads";

describe("tool call ids", () => {
  test("legal ones stay, others become the same legal id every time", () => {
    expect(toolCallId("call_", "call_Ab-1", "r", 0)).toBe("call_Ab-1");
    const long = "x".repeat(41);
    expect(toolCallId("call_", long, "r", 0)).toBe(toolCallId("call_", long, "other", 5));
    expect(toolCallId("toolu_", "a.b", "r", 0)).not.toBe(toolCallId("toolu_", "a:b", "r", 0));
    fc.assert(
      fc.property(fc.string(), (id) => {
        expect(toolCallId("toolu_", id, "r", 1)).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
      }),
    );
  });

  test("missing ones follow from the response and the ordinal", () => {
    expect(toolCallId("call_", "", "r", 0)).toMatch(/^call_[a-z2-7]{24}$/);
    expect(toolCallId("call_", "", "r", 0)).not.toBe(toolCallId("call_", "", "r", 1));
    expect(toolCallId("call_", "", "r", 0)).not.toBe(toolCallId("call_", "", "s", 0));
  });
});

describe("the prefix of a cut object", () => {
  test.each([
    ["", {}],
    ["{", {}],
    ['{"a"', {}],
    ['{"a":1', {}],
    ['{"a":1,', { a: 1 }],
    ['{"a":"b', {}],
    ['{"a":"b","c', { a: "b" }],
    ['{"a":"\\"","c":tru', { a: '"' }],
    ['{"a":true', { a: true }],
    ['{"a":[1,2', { a: [1] }],
    ['{"a":{"b":"c"', { a: { b: "c" } }],
    ['{"a":{"b":1}}', { a: { b: 1 } }],
    ["[1,2", {}],
    ["nonsense", {}],
    ['{"a":1}}', {}],
  ])("%s", (json, wanted) => {
    expect(objectPrefix(json)).toEqual(wanted);
  });

  test("of any object, cut anywhere, holds nothing that the object does not", () => {
    const objects = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string())),
    );
    fc.assert(
      fc.property(objects, fc.nat(), (value, seed) => {
        const json = JSON.stringify(value);
        const prefix = JSON.parse(printJson(objectPrefix(json.slice(0, seed % (json.length + 1)))));
        for (const [key, item] of Object.entries(prefix)) {
          const whole = value[key];
          if (Array.isArray(item)) expect(Array.isArray(whole) && whole.slice(0, item.length)).toEqual(item);
          else expect(item).toEqual(whole);
        }
      }),
    );
  });
});

describe("the scan for the end of an object", () => {
  test("finds it however the text is cut, and is not fooled by strings", () => {
    const json = JSON.stringify({ a: '}"\\', b: [{ c: "{" }] });
    for (let at = 0; at <= json.length; at += 1) {
      const scan = new JsonScan();
      scan.push(json.slice(0, at));
      expect(scan.complete).toBe(at === json.length);
      scan.push(json.slice(at));
      expect(scan.complete).toBe(true);
    }
  });
});

describe("the template of frames that differ in one string", () => {
  const frame = (text: string) => JSON.stringify({ model: "up", delta: { content: text }, last: 1 });
  const wire = (text: string) =>
    `data: ${JSON.stringify({ model: "alias", delta: { content: text }, last: 1 })}\n\n`;

  test("gives exactly what parsing and writing gives", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: "binary" }),
        fc.string({ minLength: 1, unit: "binary" }),
        (first, second) => {
          const template = DeltaFastPath.learn(frame(first), wire(first), "content", first);
          expect(template?.match(frame(second))).toBe(wire(second));
          expect(template?.text).toBe(second);
        },
      ),
    );
  });

  test("leaves everything else to the parser", () => {
    const template = DeltaFastPath.learn(frame("a"), wire("a"), "content", "a");
    const others = [
      frame(""),
      frame("b").slice(0, -1),
      frame("b").replace("up", "other"),
      `${frame("b").slice(0, -10)}","x":"${frame("b").slice(-10)}`,
      "",
    ];
    for (const other of others) expect(template?.match(other)).toBeNull();
    expect(DeltaFastPath.learn('{"content":"a","x":{"content":"a"}}', wire("a"), "content", "a")).toBeNull();
  });
});

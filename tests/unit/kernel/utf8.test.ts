import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countNonAscii } from "@/lib/kernel/count-non-ascii";
import { encodeUtf8, withoutByteOrderMark } from "@/lib/kernel/utf8";

/** A short text, and the same repeated until other ways of reading it are taken. */
const texts = fc
  .tuple(fc.string({ unit: fc.constantFrom("a", '"', "é", "狐", "👀", "\0"), maxLength: 9 }), fc.nat(12_000))
  .map(([text, times]) => text.repeat(times));

/** Source: docs/performance.md#s5. */
describe("text and its UTF-8 bytes", () => {
  test("are the same, short and long", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(encodeUtf8(text).equals(Buffer.from(text))).toBe(true);
      }),
      { numRuns: 300, examples: [[""], ["狐".repeat(40_000)], [`${"a".repeat(99_999)}狐`]] },
    );
  });

  test("lose the byte order mark at their start, and no other", () => {
    expect(withoutByteOrderMark(Buffer.from("\uFEFF{}\uFEFF")).toString()).toBe("{}\uFEFF");
    expect(withoutByteOrderMark(Buffer.from("{}")).toString()).toBe("{}");
  });

  test("are counted by units that are not ASCII", () => {
    const alone = fc.string({
      unit: fc.constantFrom("a", "\x7f", "\x80", "é", "狐", "👀", "\ud83d"),
      maxLength: 50,
    });
    fc.assert(
      fc.property(fc.oneof(alone, texts), (text) => {
        let count = 0;
        for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) count += 1;
        expect(countNonAscii(text)).toBe(count);
      }),
      { numRuns: 500 },
    );
  });
});

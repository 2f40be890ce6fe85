import fc from "fast-check";
import { expect, test } from "vitest";
import { countNonAscii } from "@/lib/kernel/count-non-ascii";

test("the units of a text that are not ASCII are counted, of short and long texts", () => {
  const unit = fc.constantFrom("a", "\x7f", "\x80", "é", "狐", "👀", "\ud83d");
  const short = fc.string({ unit, maxLength: 50 });
  const long = fc.tuple(short, fc.nat(12_000)).map(([text, times]) => text.repeat(times));
  fc.assert(
    fc.property(fc.oneof(short, long), (text) => {
      let count = 0;
      for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) count += 1;
      expect(countNonAscii(text)).toBe(count);
    }),
    { numRuns: 500, examples: [[""], ["狐".repeat(40_001)]] },
  );
});

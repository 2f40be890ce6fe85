import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cover, coverOf } from "@/lib/accounts/rollup-cover";

const HOUR_MS = 3_600_000;
const at = (hours: number) => hours * HOUR_MS;
const inHours = ({ fourHours, quarters }: Cover) => {
  const text = (list: Cover["quarters"]) =>
    list.map(({ index, first, last }) => `${index}: ${first / HOUR_MS}-${last / HOUR_MS}`);
  return { fourHours: text(fourHours), quarters: text(quarters) };
};

describe("the cover of some buckets", () => {
  test("takes whole 4-hour roll-ups inside a bucket and 15-minute ones at its edges", () => {
    const cover = coverOf([at(23), at(47)], at(54.1), at(48));
    expect(inHours(cover)).toEqual({
      fourHours: ["0: 24-44"],
      quarters: ["0: 23-24", "0: 44-47", "1: 47-54.1"],
    });
  });

  test("takes none of a time that is not complete, and none for buckets of an hour", () => {
    expect(inHours(coverOf([at(0)], at(24), 0)).fourHours).toEqual([]);
    expect(inHours(coverOf([0, 1, 2, 3].map(at), at(4), at(100))).fourHours).toEqual([]);
  });

  test("has every moment exactly once, under its bucket, whatever the cuts", () => {
    const quarter = HOUR_MS / 4;
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: 800 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(cuts, fc.integer({ min: 0, max: 60 }), (found, folded) => {
        const sorted = found.sort((a, b) => a - b).map((cut) => cut * quarter);
        const to = sorted.pop() ?? 0;
        const { fourHours, quarters } = coverOf(sorted, to, at(folded * 4));
        const all = [...fourHours, ...quarters].sort((a, b) => a.first - b.first);
        expect(all[0]?.first).toBe(sorted[0]);
        expect(all.at(-1)?.last).toBe(to);
        for (const [place, { index, first, last }] of all.entries()) {
          expect(last).toBeGreaterThan(first);
          if (place > 0) expect(first).toBe(all[place - 1]?.last);
          expect(first).toBeGreaterThanOrEqual(sorted[index] ?? Number.NaN);
          expect(last).toBeLessThanOrEqual(sorted[index + 1] ?? to);
        }
        for (const { first, last } of fourHours) {
          expect([first % at(4), last % at(4)]).toEqual([0, 0]);
          expect(last).toBeLessThanOrEqual(at(folded * 4));
        }
      }),
    );
  });
});

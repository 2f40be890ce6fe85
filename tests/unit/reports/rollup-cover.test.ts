import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOUR_MS } from "@/lib/kernel/durations";
import { coverOf } from "@/lib/reports/covering-rollups";

const QUARTER_MS = HOUR_MS / 4;
const at = (hours: number) => hours * HOUR_MS;
const quartersOf = (from: number, to: number) =>
  Array.from({ length: (to - from) * 4 }, (_, n) => at(from) + n * QUARTER_MS);

describe("the cover of some buckets", () => {
  test("takes whole 4-hour roll-ups inside a bucket and 15-minute ones at its edges", () => {
    expect(coverOf([at(23), at(47)], at(54), at(48))).toEqual({
      fourHours: [24, 28, 32, 36, 40].map(at),
      quarters: [...quartersOf(23, 24), ...quartersOf(44, 54)],
    });
  });

  test("takes the roll-up in which the range ends", () => {
    expect(coverOf([0], QUARTER_MS + 1, 0).quarters).toEqual([0, QUARTER_MS]);
    expect(coverOf([0], QUARTER_MS, 0).quarters).toEqual([0]);
  });

  test("takes none of a time that is not complete, and none for buckets of an hour", () => {
    expect(coverOf([at(0)], at(24), 0).fourHours).toEqual([]);
    expect(coverOf([0, 1, 2, 3].map(at), at(4), at(100)).fourHours).toEqual([]);
  });

  test("has every quarter of an hour exactly once, under its bucket, whatever the cuts", () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: 800 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(cuts, fc.integer({ min: 0, max: 60 }), (found, folded) => {
        const starts = found.sort((a, b) => a - b).map((cut) => cut * QUARTER_MS);
        const to = starts.pop() ?? 0;
        const { fourHours, quarters } = coverOf(starts, to, at(folded * 4));
        const inside = fourHours.flatMap((moment) =>
          Array.from({ length: 16 }, (_, n) => moment + n * QUARTER_MS),
        );
        const all = [...inside, ...quarters].sort((a, b) => a - b);
        expect(all).toEqual(quartersOf((starts[0] ?? 0) / HOUR_MS, to / HOUR_MS));
        for (const moment of fourHours) {
          expect(moment % at(4)).toBe(0);
          expect(moment + at(4)).toBeLessThanOrEqual(at(folded * 4));
          expect(starts.some((start) => start > moment && start < moment + at(4))).toBe(false);
        }
      }),
    );
  });
});

import { describe, expect, test } from "vitest";
import { axisTicks, bucketRange, makeBucketLabel, valueAxisWidth } from "@/components/charts/axis-labels";
import { yuanTicks } from "@/components/i18n/money";

const labels = (yuan: number) => {
  const ticks = axisTicks(yuan, false);
  return ticks.map(yuanTicks(ticks, "en"));
};

describe("a value axis", () => {
  test("reaches its largest value in two to four equal steps, whole ones for whole values", () => {
    expect(axisTicks(41, true)).toEqual([0, 20, 40, 60]);
    expect(axisTicks(3, true)).toEqual([0, 1, 2, 3]);
    expect(axisTicks(9, true)).toEqual([0, 3, 6, 9]);
    for (const max of [0, 0.0000004, 0.0005, 0.37, 8, 12_345, 98_765_432]) {
      const ticks = axisTicks(max, false);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
      expect(ticks.length, String(max)).toBeLessThanOrEqual(5);
    }
  });

  test("has the same number of decimals on every tick of money", () => {
    expect(labels(0.41)).toEqual(["¥0.00", "¥0.20", "¥0.40", "¥0.60"]);
    expect(labels(0.009)).toEqual(["¥0.0000", "¥0.0025", "¥0.0050", "¥0.0075", "¥0.0100"]);
    expect(labels(8)).toEqual(["¥0", "¥2", "¥4", "¥6", "¥8"]);
    expect(labels(40_000)).toEqual(["¥0", "¥10K", "¥20K", "¥30K", "¥40K"]);
  });

  test("has room for every label", () => {
    for (const max of [0, 0.0000004, 0.0005, 0.37, 8, 12_345, 98_765_432])
      for (const label of labels(max)) expect(valueAxisWidth(labels(max))).toBeGreaterThan(7 * label.length);
  });
});

test("days read alike on an axis, in the range of a bucket and in a sentence", () => {
  const start = Date.UTC(2026, 10, 5, 3);
  const hour = start + 3_600_000;
  const day = start + 86_400_000;
  const zone = "Asia/Shanghai";
  expect(makeBucketLabel("day", 30, "zh-CN", zone)(start)).toBe("11月5日");
  expect(bucketRange(start, hour, "zh-CN", zone)).toBe("11月5日 11:00 – 12:00");
  expect(bucketRange(start, day, "zh-CN", zone)).toBe("11月5日 11:00 – 11月6日 11:00");
  expect(makeBucketLabel("day", 30, "en", zone)(start)).toBe("Nov 5");
  expect(bucketRange(start, hour, "en", zone)).toBe("Nov 5, 11:00 – 12:00");
});

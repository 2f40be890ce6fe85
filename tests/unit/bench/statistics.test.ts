import { describe, expect, test } from "vitest";
import { estimate, median, quantile, shuffled } from "@/bench/statistics";

describe("the median", () => {
  test("is the middle value, or the mean of the two middle ones", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  test("of nothing is refused", () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

test("a quantile is interpolated between its neighbours", () => {
  expect(quantile([0, 10], 0.25)).toBe(2.5);
  expect(quantile([5], 0.99)).toBe(5);
});

describe("the bootstrap interval", () => {
  const ratios = [0.41, 0.4, 0.43, 0.39, 0.42, 0.4, 0.44];

  test("surrounds the median and stays inside the values", () => {
    const found = estimate(ratios);
    expect(found.median).toBe(0.41);
    expect(found.low).toBeLessThanOrEqual(found.median);
    expect(found.high).toBeGreaterThanOrEqual(found.median);
    expect(found.low).toBeGreaterThanOrEqual(0.39);
    expect(found.high).toBeLessThanOrEqual(0.44);
  });

  test("is the same for the same values", () => {
    expect(estimate(ratios)).toEqual(estimate([...ratios]));
  });

  test("has no width when all rounds agree", () => {
    expect(estimate([2, 2, 2])).toEqual({ median: 2, low: 2, high: 2, count: 3 });
  });

  test("gets narrower with more rounds of the same spread", () => {
    const width = (values: number[]) => estimate(values).high - estimate(values).low;
    const many = Array.from({ length: 10 }, () => ratios).flat();
    expect(width(many)).toBeLessThan(width(ratios));
  });

  test("covers the true median in about 95 of 100 samples", () => {
    let state = 1;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const covered = Array.from({ length: 100 }, () => {
      const { low, high } = estimate(Array.from({ length: 15 }, random));
      return low <= 0.5 && high >= 0.5;
    }).filter(Boolean).length;
    expect(covered).toBeGreaterThanOrEqual(88);
  });
});

test("shuffling keeps every arm and follows the random numbers", () => {
  const places = [0.9, 0.1, 0.5];
  expect(shuffled(["a", "b", "c"], () => places.shift() ?? 0)).toEqual(["b", "c", "a"]);
});

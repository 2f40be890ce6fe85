import { describe, expect, test } from "vitest";
import { AdaptiveConcurrencyLimit } from "@/lib/kernel/adaptive-concurrency";

const OPTIONS = { slowMs: [40, 250], sustainedMs: 1_000, minLimit: 4, slowLimit: 4, maxLimit: 100 } as const;

function begun(gate: AdaptiveConcurrencyLimit, holds: number, nowMs = 0): AdaptiveConcurrencyLimit {
  for (let hold = 0; hold < holds; hold++) gate.begin(nowMs);
  return gate;
}

/** Fifty holds at once, all of which take so long: each batch ends before the next one begins. Returns the limit. */
function afterBatches(gate: AdaptiveConcurrencyLimit, batches: number, durationMs: number, fromMs = 0) {
  for (let batch = 1; batch <= batches; batch++) {
    const endMs = fromMs + batch * durationMs;
    let held = 0;
    for (; held < 50 && !gate.full; held++) gate.begin(endMs - durationMs);
    for (; held > 0; held--) gate.end(durationMs, endMs);
  }
  return gate.limit;
}

/** Source: docs/reliability.md#s2-11. */
describe("the limit of holds in flight", () => {
  test("is reached when as many are in flight as can ever be", () => {
    const gate = begun(new AdaptiveConcurrencyLimit(OPTIONS), 99);
    expect(gate.full).toBe(false);
    gate.begin(0);
    expect(gate.full).toBe(true);
    gate.end(1, 0);
    expect(gate.full).toBe(false);
  });

  test("falls when holds take long, ten times a second to a fifth less than were in flight", () => {
    const gate = begun(new AdaptiveConcurrencyLimit(OPTIONS), 50);
    for (let at = 200; at <= 1_000; at += 200) begun(gate, 1, at).end(10, at);
    for (let hold = 0; hold < 10; hold++) gate.end(400, 1_100);
    expect(gate.limit).toBe(40);
    gate.end(400, 1_150);
    expect(gate.limit).toBe(40);
  });

  test("falls although each batch of holds ends before the next one begins", () => {
    expect(afterBatches(new AdaptiveConcurrencyLimit(OPTIONS), 8, 200)).toBe(100);
    const quick = new AdaptiveConcurrencyLimit(OPTIONS);
    begun(quick, 1).end(5, 0);
    expect(afterBatches(quick, 20, 50)).toBeLessThan(50);
  });

  test("follows the database: what is slow is four times the shortest hold, between 40 and 250 ms", () => {
    const slow = new AdaptiveConcurrencyLimit(OPTIONS);
    begun(slow, 1).end(60, 0);
    expect(afterBatches(slow, 20, 230)).toBe(100);
    const slower = new AdaptiveConcurrencyLimit(OPTIONS);
    begun(slower, 1).end(100, 0);
    expect(afterBatches(slower, 20, 240)).toBe(100);
    expect(afterBatches(slower, 40, 260, 4_800)).toBeLessThan(50);
  });

  test("forgets a shortest hold after ten seconds", () => {
    const gate = new AdaptiveConcurrencyLimit(OPTIONS);
    begun(gate, 1).end(5, 0);
    expect(afterBatches(gate, 40, 100)).toBeLessThan(50);
    expect(afterBatches(gate, 300, 100, 4_000)).toBe(100);
  });

  test("falls to its least only when holds stall, not for a pause", () => {
    const options = { ...OPTIONS, slowLimit: 45 };
    const slow = new AdaptiveConcurrencyLimit(options);
    begun(slow, 1).end(5, 0);
    expect(afterBatches(slow, 40, 50)).toBe(45);
    begun(slow, 30, 2_050);
    for (let hold = 0; hold < 30; hold++) slow.end(350, 2_400);
    expect(slow.limit).toBe(45);
    expect(afterBatches(slow, 20, 300, 2_400)).toBeLessThan(20);
  });

  test("admits a crowd that is gone soon, and counts the next one anew", () => {
    const gate = begun(new AdaptiveConcurrencyLimit(OPTIONS), 50);
    for (let hold = 0; hold < 50; hold++) gate.end(400, 999);
    begun(gate, 50, 1_500);
    for (let hold = 0; hold < 50; hold++) gate.end(400, 2_400);
    expect(gate.limit).toBe(100);
  });

  test("never reaches zero: some are always admitted, and their time tells when it is over", () => {
    const gate = new AdaptiveConcurrencyLimit(OPTIONS);
    for (let at = 0; at <= 20_000; at += 100) {
      while (!gate.full) gate.begin(at);
      gate.end(10_000, at);
    }
    expect(gate.limit).toBe(4);
    gate.end(10_000, 20_050);
    expect(gate.full).toBe(false);
  });

  test("admits everybody when one of a few is slow: that is no crowd", () => {
    const gate = begun(new AdaptiveConcurrencyLimit(OPTIONS), 4);
    gate.end(10_000, 1_000);
    expect(gate.limit).toBe(100);
  });

  test("rises by a tenth, ten times a second, while no hold is slow", () => {
    const gate = new AdaptiveConcurrencyLimit(OPTIONS);
    for (let at = 0; at <= 20_000; at += 100) {
      while (!gate.full) gate.begin(at);
      gate.end(10_000, at);
    }
    gate.end(20, 20_100);
    const limits = [20_200, 20_300, 20_350].map((at) => {
      gate.end(20, at);
      return gate.limit;
    });
    expect(limits).toEqual([4, 5, 5]);
  });
});

import { describe, expect, test } from "vitest";
import { AdaptiveConcurrencyLimit } from "@/lib/kernel/concurrency";

const OPTIONS = { slowMs: 250, sustainedMs: 1_000, minLimit: 4, maxLimit: 100 };

function entered(gate: AdaptiveConcurrencyLimit, holds: number): AdaptiveConcurrencyLimit {
  for (let hold = 0; hold < holds; hold++) gate.begin(0);
  return gate;
}

/** Source: docs/reliability.md#s2-11. */
describe("the gate of the holds", () => {
  test("is open until as many are under way as can ever be", () => {
    const gate = entered(new AdaptiveConcurrencyLimit(OPTIONS), 99);
    expect(gate.full).toBe(false);
    gate.begin(0);
    expect(gate.full).toBe(true);
    gate.end(1, 0);
    expect(gate.full).toBe(false);
  });

  test("lets fewer in when holds take long: a fifth less than were under way, once for each batch", () => {
    const gate = entered(new AdaptiveConcurrencyLimit(OPTIONS), 50);
    for (let hold = 0; hold < 10; hold++) gate.end(400, 1_000);
    expect(gate.limit).toBe(40);
    expect(gate.full).toBe(true);
    gate.end(400, 1_100);
    expect(gate.limit).toBe(32);
  });

  test("lets a crowd in that is gone soon, and counts the next one anew", () => {
    const gate = entered(new AdaptiveConcurrencyLimit(OPTIONS), 50);
    gate.end(400, 999);
    expect(gate.limit).toBe(100);
    for (let hold = 0; hold < 45; hold++) gate.end(400, 999);
    for (let hold = 0; hold < 46; hold++) gate.begin(1_500);
    gate.end(400, 2_499);
    expect(gate.limit).toBe(100);
    gate.end(400, 2_500);
    expect(gate.limit).toBe(39);
  });

  test("never closes: some are always let in, and their time tells when it is over", () => {
    const gate = new AdaptiveConcurrencyLimit(OPTIONS);
    for (let batch = 0; batch < 50; batch++) {
      while (!gate.full) gate.begin(0);
      gate.end(10_000, batch * 1_000);
      while (gate.limit <= 4 && gate.full) gate.end(10_000, batch * 1_000);
    }
    expect(gate.limit).toBe(4);
    expect(gate.full).toBe(false);
  });

  test("lets everybody in when one of a few is slow: that is no crowd", () => {
    const gate = entered(new AdaptiveConcurrencyLimit(OPTIONS), 4);
    gate.end(10_000, 1_000);
    expect(gate.limit).toBe(100);
  });

  test("opens by one for each quick hold, up to the most", () => {
    const gate = entered(new AdaptiveConcurrencyLimit(OPTIONS), 10);
    gate.end(400, 1_000);
    expect(gate.limit).toBe(8);
    for (let hold = 0; hold < 200; hold++) {
      while (!gate.full) gate.begin(0);
      gate.end(20, 2_000);
    }
    expect(gate.limit).toBe(100);
  });
});

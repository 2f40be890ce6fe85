import { describe, expect, test } from "vitest";
import { turnWaits } from "@/components/playground/turn-waits";

const none = { limit: null, used: 0 };

describe("calls that are made together", () => {
  test("begin at once where the key has no limits, or they are not known", () => {
    expect(turnWaits(3, { qps: none, rpm: none })).toEqual([0, 0, 0]);
    expect(turnWaits(3, null)).toEqual([0, 0, 0]);
  });

  test("wait for their second when the key may begin fewer, and count what it has begun", () => {
    const rpm = { limit: 20, used: 0 };
    const [first, second, third] = turnWaits(3, { qps: { limit: 2, used: 0 }, rpm });
    expect([first, second]).toEqual([0, 0]);
    expect(third).toBeGreaterThan(1_000);
    const [now, later, last] = turnWaits(3, { qps: { limit: 1, used: 0 }, rpm });
    expect(now).toBe(0);
    expect(later).toBeGreaterThan(1_000);
    expect(last).toBeGreaterThan(2_000);
    expect(turnWaits(1, { qps: { limit: 1, used: 1 }, rpm })[0]).toBeGreaterThan(1_000);
  });

  test("wait for their minute when that is full", () => {
    const [first, second] = turnWaits(2, { qps: none, rpm: { limit: 20, used: 19 } });
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(60_000);
  });
});

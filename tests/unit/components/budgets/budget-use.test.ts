import { describe, expect, test } from "vitest";
import { leftOf, paceOf, shareOf, stateOfUse } from "@/components/budgets/budget-use";
import { HOUR_MS } from "@/lib/kernel/durations";

const STARTS_AT = "2026-11-02T00:00:00.000Z";
const STARTS_MS = Date.parse(STARTS_AT);
const week = {
  startsAt: STARTS_AT,
  endsAt: "2026-11-09T00:00:00.000Z",
  limit: 1000,
  extra: 0,
  used: 100,
  held: 0,
};
const budget = { unit: "money", each: "none", createdAt: "2026-11-01T12:00:00.000Z" } as const;

describe("a counter of a budget", () => {
  test.each([
    ["normal", { used: 799 }, "stop"],
    ["near", { used: 800 }, "stop"],
    ["reserved", { used: 600, held: 400 }, "stop"],
    ["usedUp", { used: 1000 }, "hard"],
    ["usedUp", { used: 0, limit: 0 }, "stop"],
    ["near", { used: 1000 }, "warn"],
    ["over", { used: 1001 }, "warn"],
    ["normal", { used: 5000, limit: null }, "stop"],
  ] as const)("is %s with %o in the mode %s", (state, change, mode) => {
    expect(stateOfUse({ ...week, ...change }, mode)).toBe(state);
  });

  test("has nothing left above its limit, and no share without one", () => {
    expect(leftOf({ used: 1200, limit: 1000 })).toBe(0);
    expect(leftOf({ used: 1200, limit: null })).toBeNull();
    expect(shareOf({ used: 5, limit: 0 })).toBe(1);
    expect(shareOf({ used: 5, limit: null })).toBeNull();
  });
});

describe("the pace of a counter", () => {
  const at = (hours: number) => STARTS_MS + hours * HOUR_MS;

  test("tells when it is used up at the rate of its period, from six hours on", () => {
    expect(paceOf(week, budget, at(5.9))).toBeNull();
    expect(paceOf(week, budget, at(6))).toBe(at(60));
  });

  test("says that it lasts where its period ends before", () => {
    expect(paceOf({ ...week, used: 10 }, budget, at(10))).toBe("lasts");
  });

  test("needs twenty requests where requests are counted", () => {
    const requests = { ...budget, unit: "requests" } as const;
    expect(paceOf({ ...week, used: 19 }, requests, at(6))).toBeNull();
    expect(paceOf({ ...week, used: 20 }, requests, at(6))).toBe("lasts");
  });

  test("counts from the making of a budget whose counters began with nothing then", () => {
    const each = { ...budget, each: "account", createdAt: "2026-11-02T12:00:00.000Z" } as const;
    expect(paceOf(week, each, at(17))).toBeNull();
    expect(paceOf(week, each, at(18))).toBe(at(18 + 54));
  });

  test("is unknown when it is used up, unlimited, unused, or has no beginning", () => {
    expect(paceOf({ ...week, used: 1000 }, budget, at(48))).toBeNull();
    expect(paceOf({ ...week, limit: null }, budget, at(48))).toBeNull();
    expect(paceOf({ ...week, used: 0 }, budget, at(48))).toBeNull();
    expect(paceOf({ ...week, startsAt: null, endsAt: null }, budget, at(48))).toBeNull();
  });
});

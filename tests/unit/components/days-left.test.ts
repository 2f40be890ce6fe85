import { describe, expect, test } from "vitest";
import { overview } from "@/components/i18n/en/overview";
import { daysLeft, daysLeftText } from "@/components/overview/days-left";

const week = { from: "2026-05-01T00:00:00.000Z", to: "2026-05-08T00:00:00.000Z" };
const old = { createdAt: "2025-01-01T00:00:00.000Z" };
// The function reads only the cost of the totals.
const costing = (cost: string) => ({ ...week, totals: { cost } as Parameters<typeof daysLeft>[1]["totals"] });

describe("how long a balance lasts", () => {
  test("it lasts for as many days as a day of the week costs", () =>
    expect(daysLeft("300", costing("70"), old)).toBeCloseTo(30, 4));

  test("an account younger than the week spent it in its own days", () =>
    expect(daysLeft("300", costing("70"), { createdAt: "2026-05-06T00:00:00.000Z" })).toBeCloseTo(8.57, 2));

  test("an account of this hour is taken as one day old", () =>
    expect(daysLeft("300", costing("100"), { createdAt: "2026-05-07T23:30:00.000Z" })).toBe(3));

  test("it is not known while nothing is spent", () => expect(daysLeft("300", costing("0"), old)).toBeNull());

  test("an overdrawn balance lasts no day", () => expect(daysLeft("-5", costing("70"), old)).toBe(0));

  test("it is told in words, never as 0 days", () =>
    expect([null, 0, 0.3, 1, 30.4, 366].map((days) => daysLeftText(days, overview, "en"))).toEqual([
      overview.nothingSpent,
      "Nothing left",
      "Less than a day left at this rate",
      "About 1 day left at this rate",
      "About 30 days left at this rate",
      "More than a year left at this rate",
    ]));
});

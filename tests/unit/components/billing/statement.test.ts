import { expect, test } from "vitest";
import { creditsOf, daysOf, linesOf, promptTokensOf } from "@/components/billing/statement";

const sums = {
  requestCount: 3,
  inputTokens: 10,
  cacheReadTokens: 7,
  cacheWriteTokens: 2,
  outputTokens: 5,
  cost: "0.5",
};
const grant = (id: string, type: "signup" | "grant" | "adjustment", amount: string) => ({
  id,
  type,
  amount,
  createdAt: "2026-11-03T00:00:00.000Z",
  reason: "",
});

test("grants are summed by type, exactly, in the order of the summary", () => {
  const grants = [
    grant("1", "adjustment", "-1.5"),
    grant("2", "grant", "0.75"),
    grant("3", "grant", "0.000001"),
  ];
  expect(creditsOf({ grants })).toEqual([
    { type: "grant", amount: "0.750001" },
    { type: "adjustment", amount: "-1.5" },
  ]);
});

test("what a part does not list is its last line", () => {
  const row = { ...sums, id: "a", name: "a", keyPrefix: null, ofMonth: null };
  expect(linesOf({ rows: [row], others: null })).toEqual([row]);
  const lines = linesOf({ rows: [row], others: { ...sums, count: 4, cost: "0.05" } });
  expect(lines.map(({ id, cost }) => [id, cost])).toEqual([
    ["a", "0.5"],
    ["others", "0.05"],
  ]);
});

test("tokens of the cache are tokens of the prompt", () => {
  expect(promptTokensOf(sums)).toBe(19);
});

test("a month ends with its last day, in leap years too", () => {
  expect(daysOf("2028-02")).toEqual({ from: "2028-02-01", to: "2028-02-29" });
  expect(daysOf("2026-12")).toEqual({ from: "2026-12-01", to: "2026-12-31" });
});

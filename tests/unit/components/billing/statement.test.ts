import { expect, test } from "vitest";
import type { LedgerEntry, Stats } from "@/components/api/types";
import { creditsOf, monthsSince, statementFile, statementOf } from "@/components/billing/statement";

const now = Date.parse("2026-11-28T10:00:00Z");

const movement = (id: string, type: LedgerEntry["type"], amount: string, createdAt: string): LedgerEntry => ({
  id,
  type,
  amount,
  createdAt,
  balanceAfter: "0",
  reason: `reason ${id}`,
  date: null,
  tokenId: null,
  tokenName: null,
  keyPrefix: null,
  requestCount: null,
});

const counts = (cost: string, requestCount: number) => ({
  cost,
  requestCount,
  promptTokens: requestCount * 10,
  completionTokens: requestCount,
});

const stats = {
  totals: counts("0.75", 3),
  modelBreakdown: [
    { model: "a", ...counts("0.5", 1) },
    { model: "b", ...counts("0.25", 2) },
  ],
  groups: {
    by: "key",
    rows: [{ id: "k", name: "Key", keyPrefix: "tgw-1", ...counts("0.7", 2) }],
    others: { count: 4, ...counts("0.05", 1) },
  },
} as unknown as Stats;

const month = (name: string, balanceAfter: string, added: string, charged: string) => ({
  month: name,
  balanceAfter,
  added,
  charged,
  requestCount: 3,
});

const statement = statementOf("2026-11", {
  months: [month("2026-11", "99.25", "-0.5", "0.75"), month("2026-10", "100.5", "100.5", "0")],
  movements: [
    movement("2", "adjustment", "-1.5", "2026-11-20T00:00:00.000Z"),
    movement("1", "grant", "0.75", "2026-11-03T00:00:00.000Z"),
  ],
  stats,
});

test("opening balance, movements and usage add up to the balance of the ledger at the end of the month", () => {
  expect(statement.opening).toBe("100.5");
  expect(statement.closing).toBe("99.25");
  expect(creditsOf(statement)).toEqual([
    { type: "grant", amount: "0.75" },
    { type: "adjustment", amount: "-1.5" },
  ]);
  expect(
    statement.movements.map(({ id }) => id),
    "oldest first",
  ).toEqual(["1", "2"]);
  expect(statement.others, "movements that are not listed are one line").toBe("0.25");
});

test("a month without movements keeps the balance of the one before", () => {
  const none = {
    ...stats,
    totals: counts("0", 0),
    modelBreakdown: [],
    groups: undefined,
  } as unknown as Stats;
  const months = [month("2026-09", "7.5", "7.5", "0")];
  const quiet = statementOf("2026-11", { months, movements: [], stats: none });
  expect([quiet.opening, quiet.closing, quiet.others]).toEqual(["7.5", "7.5", "0"]);
  const unborn = statementOf("2026-11", { months: [], movements: [], stats: none });
  expect([unborn.opening, unborn.closing]).toEqual(["0", "0"]);
});

test("the file has the same lines, whose amounts add up in either order of usage", () => {
  const parts = { opening: "Opening", closing: "Closing", others: "Other", models: "Models", keys: "Keys" };
  const columns = {
    part: "Type",
    date: "Date",
    name: "Name",
    prefix: "Prefix",
    requests: "Requests",
    input: "In",
    output: "Out",
    amount: "Amount",
  };
  const name = (line: { name: string }) => line.name || "others";
  const words = { columns, parts, typeOf: (type: string) => type, nameOf: { model: name, key: name } };
  const [head, ...lines] = statementFile("2026-11", statement, words);
  expect(lines.every((line) => line.length === head?.length)).toBe(true);
  const sum = (without: string[]) =>
    lines
      .filter(([part]) => !without.includes(String(part)))
      .reduce((total, line) => total + Math.round(Number(line.at(-1)) * 1e6), 0);
  const closing = Math.round(Number(lines.at(-1)?.at(-1)) * 1e6);
  expect(closing).toBe(992_500);
  expect(sum(["Closing", "Keys"])).toBe(closing);
  expect(sum(["Closing", "Models"])).toBe(closing);
});

test("months reach from the first of the account to the running one", () => {
  expect(monthsSince("2026-09-30T23:59:59.000Z", now, "UTC")).toEqual(["2026-11", "2026-10", "2026-09"]);
  expect(monthsSince("2026-11-01T00:00:00.000Z", now, "UTC")).toEqual(["2026-11"]);
});

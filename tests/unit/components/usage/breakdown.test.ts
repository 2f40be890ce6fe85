import { describe, expect, test } from "vitest";
import type { Stats } from "@/components/api/types";
import {
  answeredShare,
  breakdownFile,
  breakdownRows,
  shownGrouping,
  totalRow,
} from "@/components/usage/breakdown";

const figures = {
  requestCount: 4,
  errorCount: 1,
  promptTokens: 10,
  completionTokens: 5,
  cacheReadTokens: 3,
  cacheWriteTokens: 0,
  cost: "194.02394049",
};
const unmeasured = { averageLatencyMs: null, p50Ms: null, p95Ms: null };
const measured = { averageLatencyMs: 120, p50Ms: 90, p95Ms: 400 };
const all = { ...figures, ...measured, cacheSaving: "0", errors: {} };
const key = {
  ...figures,
  ...measured,
  id: "k1",
  name: "=SUM(1)",
  keyPrefix: "gw-1",
  owner: null,
  deleted: true,
};
const stats: Stats = {
  period: "7d",
  bucket: "day",
  inProgress: true,
  timezone: "UTC",
  from: "2026-11-20T00:00:00.000Z",
  to: "2026-11-21T10:00:00.000Z",
  totalRequests: 4,
  totals: all,
  previous: { ...all, from: "", to: "", partial: false },
  dailyBreakdown: [],
  modelBreakdown: [{ ...all, model: "m" }],
  series: [],
  buckets: ["2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z"].map((bucketStart) => ({
    ...all,
    bucketStart,
    date: bucketStart.slice(0, 10),
    previous: null,
  })),
  groups: { by: "key", rows: [key], others: { ...figures, ...unmeasured, count: 3, cost: "0" }, series: [] },
};
const heads = {
  requests: "Requests",
  failed: "Failed",
  answered: "Answered",
  average: "Average",
  p50: "p50",
  p95: "p95",
  input: "In",
  output: "Out",
  cached: "Cached",
  cost: "Cost",
  share: "Share",
  prefix: "Prefix",
  account: "Account",
};

describe("the breakdown", () => {
  test("has the rows of the grouping, times newest first, and the others as one row", () => {
    expect(breakdownRows(stats, "model").map(({ id }) => id)).toEqual(["m"]);
    expect(breakdownRows(stats, "day").map(({ id }) => id.slice(0, 10))).toEqual([
      "2026-11-21",
      "2026-11-20",
    ]);
    expect(breakdownRows(stats, "key").map(({ kind, count }) => [kind, count])).toEqual([
      ["one", 1],
      ["others", 3],
    ]);
    expect(totalRow(stats)).toMatchObject({ kind: "total", cost: "194.02394049" });
  });

  test("is by model until the statistics of another grouping have come", () => {
    expect(shownGrouping(stats, "user")).toBe("model");
    expect(shownGrouping(stats, "key")).toBe("key");
    expect(shownGrouping({ ...stats, groups: null }, "day")).toBe("day");
  });

  test("knows no share of answered requests without any", () => {
    expect(answeredShare({ ...figures, requestCount: 0, errorCount: 0 })).toBeNull();
    expect(answeredShare(figures)).toBe(0.75);
  });

  test("goes out as it is shown, with exact amounts and without an account where none is told", () => {
    const rows = [...breakdownRows(stats, "key"), totalRow(stats)];
    const nameOf = (row: { kind: string; name: string }) => (row.kind === "one" ? row.name : row.kind);
    const file = breakdownFile(rows, { by: "key", first: "Key", nameOf, heads });
    expect(file).toEqual([
      [
        "Key",
        "Prefix",
        "Requests",
        "Failed",
        "Answered %",
        "Average ms",
        "p50 ms",
        "p95 ms",
        "In",
        "Out",
        "Cached",
        "Cost CNY",
        "Share %",
      ],
      ["=SUM(1)", "gw-1", 4, 1, "75.00", 120, 90, 400, 10, 5, 3, "1.9402394049", "100.00"],
      ["others", "", 4, 1, "75.00", "", "", "", 10, 5, 3, "0", "0.00"],
      ["total", "", 4, 1, "75.00", 120, 90, 400, 10, 5, 3, "1.9402394049", "100.00"],
    ]);
    const owned = rows.map((row) => ({ ...row, owner: row.kind === "one" ? "alice" : null }));
    expect(breakdownFile(owned, { by: "key", first: "Key", nameOf, heads })[1]?.[2]).toBe("alice");
  });
});

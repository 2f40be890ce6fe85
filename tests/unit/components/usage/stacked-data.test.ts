import { describe, expect, test } from "vitest";
import type { SeriesPoint, Stats, StatTotals } from "@/components/api/types";
import { OTHER_ID } from "@/components/charts/chart-model";
import { stackedData } from "@/components/usage/stacked-data";

const names = { other: "Other", input: "Input", output: "Output" };
const starts = ["2026-11-20T16:00:00.000Z", "2026-11-21T16:00:00.000Z"];

function figures(change: Partial<StatTotals>): StatTotals {
  return {
    requestCount: 0,
    errorCount: 0,
    promptTokens: 0,
    completionTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    cost: "0",
    averageLatencyMs: null,
    p50Ms: null,
    p95Ms: null,
    errors: {},
    ...change,
  };
}

function statsOf(series: SeriesPoint[]): Stats {
  const models = [...new Set(series.map((point) => point.model))];
  return {
    period: "7d",
    bucket: "day",
    timezone: "Asia/Shanghai",
    from: starts[0] ?? "",
    to: "2026-11-22T05:00:00.000Z",
    totalRequests: 0,
    totals: figures({}),
    previous: { ...figures({}), from: "", to: "" },
    dailyBreakdown: [],
    modelBreakdown: models.map((model) => ({ model, ...figures({}) })),
    series,
    buckets: starts.map((bucketStart) => ({ bucketStart, date: "2026-11-21", ...figures({}) })),
  };
}

function point(index: number, model: string, change: Partial<StatTotals>): SeriesPoint {
  return { bucketStart: starts[index] ?? "", model, ...figures(change) };
}

describe("the data of a stacked chart", () => {
  test("five models keep their name, the rest is one series, and nothing is lost", () => {
    const models = ["a", "b", "c", "d", "e", "f", "g"];
    const stats = statsOf(
      models.flatMap((model) => [0, 1].map((index) => point(index, model, { cost: "0.1" }))),
    );
    const data = stackedData(stats, "cost", "model", names);
    expect(data.series.map((one) => one.id)).toEqual(["a", "b", "c", "d", "e", OTHER_ID]);
    expect(data.series.at(-1)).toMatchObject({ name: "Other", total: "0.4" });
    expect(data.total).toBe("1.4");
    expect(data.buckets.map((bucket) => bucket.total)).toEqual(["0.7", "0.7"]);
  });

  test("costs are summed as decimals: a tenth ten times is one", () => {
    const stats = statsOf(Array.from({ length: 10 }, () => point(0, "a", { cost: "0.1" })));
    expect(stackedData(stats, "cost", "model", names).total).toBe("1");
  });

  test("a model has one colour for every metric", () => {
    const stats = statsOf([
      point(0, "dear", { cost: "9", requestCount: 1 }),
      point(0, "busy", { cost: "1", requestCount: 9 }),
    ]);
    const colorsOf = (metric: "cost" | "requests") =>
      Object.fromEntries(stackedData(stats, metric, "model", names).series.map((one) => [one.id, one.color]));
    expect(colorsOf("requests")).toEqual(colorsOf("cost"));
  });

  test("tokens split by direction, errors by code", () => {
    const stats = statsOf([
      point(0, "a", { promptTokens: 10, completionTokens: 4, errors: { RATE_LIMITED: 3 } }),
      point(1, "b", { promptTokens: 5, completionTokens: 1, errors: { UPSTREAM_ERROR: 5 } }),
    ]);
    const tokens = stackedData(stats, "tokens", "direction", names);
    expect(tokens.series.map((one) => [one.id, one.total])).toEqual([
      ["Input", "15"],
      ["Output", "5"],
    ]);
    const errors = stackedData(stats, "errors", "model", names);
    expect(errors.series.map((one) => [one.id, one.total])).toEqual([
      ["UPSTREAM_ERROR", "5"],
      ["RATE_LIMITED", "3"],
    ]);
  });

  test("only the bucket that is not over is partial, and it ends now", () => {
    const { buckets } = stackedData(statsOf([point(0, "a", { cost: "1" })]), "cost", "model", names);
    expect(buckets.map((bucket) => bucket.partial)).toEqual([false, true]);
    expect(buckets[0]?.endMs).toBe(Date.parse(starts[1] ?? ""));
    expect(buckets[1]?.endMs).toBe(Date.parse("2026-11-22T05:00:00.000Z"));
  });
});

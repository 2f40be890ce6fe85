import { describe, expect, test } from "vitest";
import type { SeriesPoint, Stats, StatTotals } from "@/components/api/types";
import { OTHER_ID } from "@/components/charts/chart-model";
import { usage } from "@/components/i18n/en/usage";
import { makeFormat } from "@/components/i18n/format";
import { stackedSentence } from "@/components/usage/sentences";
import { stackedData } from "@/components/usage/stacked-data";

const names = { other: "Other", input: "Input", output: "Output", total: "Total" };
const starts = ["2026-11-20T16:00:00.000Z", "2026-11-21T16:00:00.000Z"];

function figures(change: Partial<StatTotals>): StatTotals {
  return {
    requestCount: 0,
    errorCount: 0,
    promptTokens: 0,
    completionTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    cacheSaving: "0",
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
    previous: { ...figures({}), from: "", to: "", partial: false },
    dailyBreakdown: [],
    modelBreakdown: models.map((model) => ({ model, ...figures({}) })),
    series,
    buckets: starts.map((bucketStart) => bucketOf(bucketStart, {})),
    inProgress: true,
    groups: null,
  };
}

function bucketOf(bucketStart: string, change: Partial<StatTotals>): Stats["buckets"][number] {
  return { bucketStart, date: "2026-11-21", previous: null, ...figures(change) };
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

  test("each metric tells those apart that have most of it", () => {
    const models = ["a", "b", "c", "d", "e", "f", "talker"];
    const amounts = (model: string) =>
      model === "talker" ? { cost: "0.01", completionTokens: 900 } : { cost: "1", completionTokens: 5 };
    const stats: Stats = {
      ...statsOf(models.map((model) => point(0, model, amounts(model)))),
      modelBreakdown: models.map((model) => ({ model, ...figures(amounts(model)) })),
    };
    const namesOf = (metric: "cost" | "tokens") =>
      stackedData(stats, metric, "model", names).series.map(({ id }) => id);
    expect(namesOf("cost")).not.toContain("talker");
    expect(namesOf("tokens")[0]).toBe("talker");
  });

  test("the sentence names the largest series, not the rest, which is larger", () => {
    const models = Array.from({ length: 9 }, (_, at) => `model-${at}`);
    const stats = statsOf(models.map((model, at) => point(0, model, { cost: at === 0 ? "2" : "1" })));
    const data = stackedData(stats, "cost", "model", names);
    expect(data.series.at(-1)).toMatchObject({ id: OTHER_ID, total: "4" });
    const shown = (value: unknown) => String(value);
    const words = {
      label: shown,
      range: shown,
      value: shown,
      percent: shown,
      more: shown,
      ticks: () => shown,
      full: () => shown,
      total: "Total",
      inProgress: "",
    };
    const format = makeFormat("en", "UTC", "full");
    expect(stackedSentence(data, "cost", stats, words, usage, format, "7 days")).toContain(
      "most on model-0 (20.0%).",
    );
  });

  test("the sentence names the day of an hour that the chart has twice", () => {
    const hours = ["2026-11-20T10:00:00.000Z", "2026-11-21T10:00:00.000Z"];
    const stats: Stats = {
      ...statsOf([]),
      period: "24h",
      bucket: "hour",
      timezone: "UTC",
      buckets: hours.map((bucketStart) => bucketOf(bucketStart, {})),
      series: [{ ...point(0, "a", { cost: "1" }), bucketStart: hours[0] ?? "" }],
    };
    const shown = (value: unknown) => String(value);
    const words = {
      label: () => "10:00",
      range: shown,
      value: shown,
      percent: shown,
      more: shown,
      ticks: () => shown,
      full: () => shown,
      total: "Total",
      inProgress: "",
    };
    const data = stackedData(stats, "cost", "model", names);
    const said = stackedSentence(
      data,
      "cost",
      stats,
      words,
      usage,
      makeFormat("en", "UTC", "full"),
      "24 hours",
    );
    expect(said).toContain("peak 1 on Nov 20 at 10:00");
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

  test("a model has the colour of its name, or the next one where a name before it in the chart has that", () => {
    const models = Array.from({ length: 12 }, (_, at) => `model-${at}`);
    const colorsOf = (shown: string[]) => {
      const stats = statsOf(shown.map((model) => point(0, model, { cost: "1" })));
      const { series } = stackedData(stats, "cost", "model", names);
      return new Map(series.map((one) => [one.id, one.color]));
    };
    const own = new Map(models.map((model) => [model, colorsOf([model]).get(model)]));
    for (const first of models)
      for (const second of models.filter((model) => model > first)) {
        const both = colorsOf([second, first]);
        expect(both).toEqual(colorsOf([first, second]));
        expect(both.get(first)).toBe(own.get(first));
        if (own.get(first) !== own.get(second)) expect(both.get(second)).toBe(own.get(second));
      }
  });

  test("no two models of one chart share a colour, however many there are", () => {
    const models = Array.from({ length: 23 }, (_, at) => `model-${at}`);
    for (let from = 0; from + 5 <= models.length; from += 1) {
      const shown = models.slice(from, from + 5);
      const stats = statsOf(shown.map((model) => point(0, model, { cost: "1" })));
      const { series } = stackedData(stats, "cost", "model", names);
      expect(new Set(series.map((one) => one.color)).size).toBe(5);
    }
  });

  test("by day, tokens split by direction and the rest is one series; errors split by code", () => {
    const stats = statsOf([]);
    const days: Partial<StatTotals>[] = [
      { promptTokens: 10, completionTokens: 4, errors: { RATE_LIMITED: 3 }, cost: "0.25" },
      { promptTokens: 5, completionTokens: 1, errors: { UPSTREAM_ERROR: 5 }, cost: "0.5" },
    ];
    stats.buckets = days.map((change, index) => bucketOf(starts[index] ?? "", change));
    const seriesOf = (metric: "tokens" | "errors" | "cost") =>
      stackedData(stats, metric, "day", names).series.map((one) => [one.id, one.total]);
    expect(seriesOf("tokens")).toEqual([
      ["Input", "15"],
      ["Output", "5"],
    ]);
    expect(seriesOf("cost")).toEqual([["Total", "0.75"]]);
    expect(seriesOf("errors")).toEqual([
      ["UPSTREAM_ERROR", "5"],
      ["RATE_LIMITED", "3"],
    ]);
  });

  test("by key, five have a series with their name and what is left of each bucket is the rest", () => {
    const stats = statsOf([]);
    const counts = { ...figures({}), cost: "1", requestCount: 2 };
    const ids = ["k1", "k2", "k3", "k4", "k5", "k6"];
    const row = (id: string) => ({
      ...counts,
      id,
      name: `Key ${id}`,
      keyPrefix: "gw-1",
      owner: null,
      deleted: false,
    });
    stats.buckets = starts.map((start) => bucketOf(start, { cost: "6.000001", requestCount: 12 }));
    stats.groups = {
      by: "key",
      rows: ids.map(row),
      others: null,
      series: ids.slice(0, 5).map((id) => ({ ...counts, id, bucketStart: starts[0] ?? "" })),
    };
    const data = stackedData(stats, "cost", "key", names);
    expect(data.series.map((one) => one.name)).toEqual([
      ...ids.slice(0, 5).map((id) => `Key ${id}`),
      "Other",
    ]);
    expect(data.buckets.map((bucket) => bucket.values[OTHER_ID])).toEqual(["1.000001", "6.000001"]);
    expect(data.total).toBe("12.000002");
    expect(stackedData(stats, "requests", "key", names).total).toBe("24");
  });

  test("errors of models are ranked by their number, whatever the models cost", () => {
    const models = ["a", "b", "c", "d", "e", "f", "g"];
    const errors = (model: string) => (model === "g" ? 9 : model === "a" ? 0 : 1);
    const stats = statsOf(models.map((model) => point(0, model, { errorCount: errors(model) })));
    stats.modelBreakdown = models.map((model) => ({ model, ...figures({ errorCount: errors(model) }) }));
    const data = stackedData(stats, "errors", "model", names);
    expect(data.series.map((one) => [one.id, one.total])).toEqual([
      ["g", "9"],
      ...["b", "c", "d", "e"].map((model) => [model, "1"]),
      [OTHER_ID, "1"],
    ]);
  });

  test("each bucket has what was in its place in the period before, unless that is not known as a whole", () => {
    const stats = statsOf([]);
    const before = { requestCount: 3, promptTokens: 4, completionTokens: 5, cost: "0.5" };
    stats.buckets = stats.buckets.map((bucket, index) => ({
      ...bucket,
      previous: index === 0 ? before : null,
    }));
    stats.previous = { ...stats.previous, requestCount: 3 };
    const previousOf = (metric: "cost" | "tokens" | "errors", of = stats) =>
      stackedData(of, metric, "model", names).buckets.map(({ previous }) => previous);
    expect(previousOf("cost")).toEqual(["0.5", undefined]);
    expect(previousOf("tokens")).toEqual(["9", undefined]);
    expect(previousOf("errors")).toEqual([undefined, undefined]);
    const partly = { ...stats, previous: { ...stats.previous, partial: true } };
    expect(previousOf("cost", partly)).toEqual([undefined, undefined]);
  });

  test("only the bucket that is not over is partial, and it ends now", () => {
    const { buckets } = stackedData(statsOf([point(0, "a", { cost: "1" })]), "cost", "model", names);
    expect(buckets.map((bucket) => bucket.partial)).toEqual([false, true]);
    expect(buckets[0]?.endMs).toBe(Date.parse(starts[1] ?? ""));
    expect(buckets[1]?.endMs).toBe(Date.parse("2026-11-22T05:00:00.000Z"));
    const past = { ...statsOf([]), inProgress: false };
    expect(stackedData(past, "cost", "model", names).buckets.at(-1)?.partial).toBe(false);
  });
});

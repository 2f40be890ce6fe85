"use client";

import type { Stats } from "../api/types";
import { bucketRange, makeBucketLabel } from "../charts/axis-labels";
import type { ChartWords } from "../charts/chart-words";
import { fill } from "../i18n/fill";
import type { Locale } from "../i18n/locale";
import { useFormat, useMessages } from "../i18n/provider";
import type { StackedMetric } from "./stacked-data";

/** What is told for each bucket of a range. */
export interface Bucketed {
  bucket: Stats["bucket"];
  timezone: string;
  buckets: readonly { date: string }[];
}

/** The days of statistics in the name of a file: `2026-11-01--2026-11-23`. */
export function rangeName({ buckets }: Bucketed): string {
  const [first, last] = [buckets[0]?.date, buckets.at(-1)?.date];
  return first === last ? `${last}` : `${first}--${last}`;
}

/** The name of a bucket among all of them: `Mon 16`, `Nov 16`, `14:00`; on two days of hours also the day. */
export function makeBucketName(stats: Bucketed, locale: Locale): (startMs: number) => string {
  const label = makeBucketLabel(stats.bucket, stats.buckets.length, locale, stats.timezone);
  const days = new Set(stats.buckets.map(({ date }) => date));
  if (stats.bucket === "day" || days.size === 1) return label;
  const day = makeBucketLabel("day", 1, locale, stats.timezone);
  return (startMs) => `${day(startMs)}, ${label(startMs)}`;
}

/** The formatters of a metric for axes, tooltips, tables and summaries. */
export function useChartFormatters(stats: Bucketed, metric: StackedMetric): ChartWords {
  const text = useMessages("usage");
  const format = useFormat();
  const { timezone } = stats;
  const money = metric === "cost";
  return {
    label: makeBucketLabel(stats.bucket, stats.buckets.length, format.locale, timezone),
    range: (bucket) => `${bucketRange(bucket.startMs, bucket.endMs, format.locale, timezone)} ${timezone}`,
    // The axis of a cost chart is in yuan, its data in cents.
    ticks: (values) => {
      if (!money) return format.countTicks(values);
      const print = format.yuanTicks(values.map((cents) => cents / 100));
      return (cents) => print(cents / 100);
    },
    value: (exact) => (money ? format.money(exact) : format.count(Number(exact))),
    full: (values) => (money ? format.tooltipColumn(values) : (exact) => format.countFull(Number(exact))),
    percent: format.percent,
    total: text.total,
    inProgress: text.inProgress,
    previous: text.previousPeriod,
    more: (count) => fill(text.moreSeries, { count }),
  };
}

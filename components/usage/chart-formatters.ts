"use client";

import type { Stats } from "@/components/api/types";
import { bucketRange, makeBucketLabel } from "@/components/charts/axis-labels";
import type { ChartWords } from "@/components/charts/stacked-bars";
import { fill } from "@/components/i18n/fill";
import { useFormat, useMessages } from "@/components/i18n/provider";
import type { StackedMetric } from "./stacked-data";

/** The formatters of a metric for axes, tooltips, tables and summaries. */
export function useChartFormatters(stats: Stats, metric: StackedMetric): ChartWords {
  const text = useMessages("usage");
  const format = useFormat();
  const { timezone } = stats;
  const money = metric === "cost";
  return {
    label: makeBucketLabel(stats.bucket, stats.buckets.length, format.locale, timezone),
    range: (bucket) => `${bucketRange(bucket.startMs, bucket.endMs, format.locale, timezone)} ${timezone}`,
    // The axis of a cost chart is in yuan, its data in cents.
    ticks: (values) => {
      if (!money) return format.count;
      const print = format.yuanTicks(values.map((cents) => cents / 100));
      return (cents) => print(cents / 100);
    },
    value: (exact) => (money ? format.money(exact) : format.count(Number(exact))),
    full: (exact) => (money ? format.moneyExact(exact) : format.countFull(Number(exact))),
    column: (values) => (money ? format.moneyColumn(values) : (exact) => format.count(Number(exact))),
    percent: format.percent,
    total: text.total,
    inProgress: text.inProgress,
    more: (count) => fill(text.moreSeries, { count }),
  };
}

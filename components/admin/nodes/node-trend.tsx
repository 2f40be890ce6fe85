"use client";

import { useState } from "react";
import type { NodeStats } from "../../api/admin/types";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { bucketRange, makeBucketLabel } from "../../charts/axis-labels";
import { percentileLines, type StackedData } from "../../charts/chart-model";
import { LatencyLines, StackedBars } from "../../charts/lazy";
import { LatencyLegend, Legend } from "../../charts/legend";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { DataTable } from "../../ui/data-table";
import { Segmented } from "../../ui/segmented";
import { Skeleton } from "../../ui/states";
import { FigureActions, FigureFrame } from "../../usage/figure-frame";

const periods = ["24h", "7d", "30d"] as const;
const metrics = ["firstEvent", "whole", "success"] as const;
type Metric = (typeof metrics)[number];
type Bucket = NodeStats["buckets"][number];

const HEIGHT = 200;

/** How fast and how well a node answered over time: chart, sentence and table. */
export function NodeTrend(props: { nodeId: string }) {
  const text = useMessages("adminNodes").trend;
  const format = useFormat();
  const [period, setPeriod] = useState<(typeof periods)[number]>("24h");
  const [metric, setMetric] = useState<Metric>("firstEvent");
  const stats = useRead("GET /api/admin/nodes/{id}/stats", {
    params: { id: props.nodeId },
    query: { period, tz: format.timeZone },
  });
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Segmented
          label={text.period}
          value={period}
          onChange={setPeriod}
          options={periods.map((value) => ({ value, label: text.periods[value] }))}
        />
        <Segmented
          label={text.metric}
          value={metric}
          onChange={setMetric}
          options={metrics.map((value) => ({ value, label: text.metrics[value] }))}
        />
      </div>
      <QueryRegion query={stats} skeleton={<Skeleton className="h-60 w-full" />} keepsOther>
        {(data) => <TrendFigure stats={data} metric={metric} />}
      </QueryRegion>
    </div>
  );
}

function TrendFigure(props: { stats: NodeStats; metric: Metric }) {
  const text = useMessages("adminNodes").trend;
  const { stats, metric } = props;
  const [asTable, setAsTable] = useState(false);
  const sentence = useTrendSentence(stats);
  if (stats.totals.attemptCount === 0) return <p className="text-sm text-muted">{sentence}</p>;
  return (
    <FigureFrame
      title={text.titles[metric]}
      heading="h4"
      sentence={sentence}
      actions={<FigureActions asTable={asTable} onToggle={() => setAsTable(!asTable)} />}
    >
      {asTable ? (
        <TrendTable stats={stats} />
      ) : metric === "success" ? (
        <SuccessChart stats={stats} />
      ) : (
        <LatencyChart stats={stats} metric={metric} />
      )}
    </FigureFrame>
  );
}

/** The whole period in one sentence or two. */
function useTrendSentence(stats: NodeStats): string {
  const text = useMessages("adminNodes").trend;
  const format = useFormat();
  const { totals, period } = stats;
  if (totals.attemptCount === 0) return text.none[period];
  const calls = fill(text.sentence, {
    period: text.over[period],
    calls: plural(text.calls, totals.attemptCount, format.locale),
    share: format.percent(successOf(totals)),
    p50: format.duration(totals.p50Ms),
    p95: format.duration(totals.p95Ms),
  });
  if (totals.firstEventP50Ms === null) return calls;
  const first = fill(text.firstSentence, {
    p50: format.duration(totals.firstEventP50Ms),
    p95: format.duration(totals.firstEventP95Ms),
  });
  return `${calls} ${first}`;
}

function successOf({ attemptCount, failureCount }: Pick<Bucket, "attemptCount" | "failureCount">): number {
  return (attemptCount - failureCount) / attemptCount;
}

/** The buckets with their ends, and how their times are written. */
function useBuckets(stats: NodeStats) {
  const { locale } = useFormat();
  const { timezone } = stats;
  return {
    buckets: stats.buckets.map((bucket, index) => ({
      ...bucket,
      startMs: Date.parse(bucket.bucketStart),
      endMs: Date.parse(stats.buckets[index + 1]?.bucketStart ?? stats.to),
      partial: index === stats.buckets.length - 1,
    })),
    label: makeBucketLabel(stats.bucket, stats.buckets.length, locale, timezone),
    range: ({ startMs, endMs }: { startMs: number; endMs: number }) =>
      `${bucketRange(startMs, endMs, locale, timezone)} ${timezone}`,
  };
}

function LatencyChart(props: { stats: NodeStats; metric: "firstEvent" | "whole" }) {
  const text = useMessages("adminNodes").trend;
  const format = useFormat();
  const { buckets, label, range } = useBuckets(props.stats);
  const whole = props.metric === "whole";
  const shown = buckets.map((bucket) => ({
    ...bucket,
    p50Ms: whole ? bucket.p50Ms : bucket.firstEventP50Ms,
    p95Ms: whole ? bucket.p95Ms : bucket.firstEventP95Ms,
  }));
  if (shown.every((bucket) => bucket.p50Ms === null))
    return <p className="py-8 text-center text-sm text-muted">{text.noFirstEvents}</p>;
  const { totals } = props.stats;
  const lines = percentileLines(shown, text);
  return (
    <>
      <div style={{ height: HEIGHT }}>
        <LatencyLines
          buckets={shown}
          lines={lines}
          height={HEIGHT}
          title={text.titles[props.metric]}
          words={{ label, range, duration: format.duration }}
        />
      </div>
      <LatencyLegend
        lines={lines}
        values={{
          p50: format.duration(whole ? totals.p50Ms : totals.firstEventP50Ms),
          p95: format.duration(whole ? totals.p95Ms : totals.firstEventP95Ms),
        }}
      />
    </>
  );
}

function SuccessChart(props: { stats: NodeStats }) {
  const text = useMessages("adminNodes").trend;
  const format = useFormat();
  const [dimmed, setDimmed] = useState<string | null>(null);
  const { buckets, label, range } = useBuckets(props.stats);
  const { totals } = props.stats;
  const good = successOf(totals);
  const data: StackedData = {
    total: String(totals.attemptCount),
    series: [
      {
        id: "good",
        name: text.succeeded,
        color: "var(--series-1)",
        total: String(totals.attemptCount - totals.failureCount),
        share: good,
      },
      {
        id: "bad",
        name: text.failed,
        color: "var(--danger)",
        total: String(totals.failureCount),
        share: 1 - good,
      },
    ],
    buckets: buckets.map(({ startMs, endMs, partial, attemptCount, failureCount }) => ({
      startMs,
      endMs,
      partial,
      values: { good: String(attemptCount - failureCount), bad: String(failureCount) },
      total: String(attemptCount),
    })),
  };
  const count = (exact: string) => format.count(Number(exact));
  const words = {
    label,
    range,
    ticks: format.countTicks,
    value: count,
    full: () => (exact: string) => format.countFull(Number(exact)),
    column: () => count,
    percent: format.percent,
    total: text.callsHead,
    inProgress: text.inProgress,
    more: () => "",
  };
  return (
    <>
      <div style={{ height: HEIGHT }}>
        <StackedBars data={data} words={words} dimmed={dimmed} height={HEIGHT} title={text.titles.success} />
      </div>
      <Legend series={data.series} value={count} percent={format.percent} dimmed={dimmed} onDim={setDimmed} />
    </>
  );
}

function TrendTable(props: { stats: NodeStats }) {
  const text = useMessages("adminNodes").trend;
  const format = useFormat();
  const { buckets, label } = useBuckets(props.stats);
  const times = (id: string, head: string, read: (bucket: Bucket) => (number | null)[]) => ({
    id,
    head,
    end: true,
    className: "whitespace-nowrap",
    cell: (bucket: Bucket) => read(bucket).map(format.duration).join(" / "),
  });
  return (
    <DataTable
      caption={text.caption}
      className="max-h-96"
      rows={buckets}
      rowId={(bucket) => bucket.bucketStart}
      columns={[
        {
          id: "from",
          head: text.from,
          className: "whitespace-nowrap",
          cell: (bucket) => label(Date.parse(bucket.bucketStart)),
        },
        {
          id: "calls",
          head: text.callsHead,
          end: true,
          cell: (bucket) => format.countFull(bucket.attemptCount),
        },
        {
          id: "success",
          head: text.success,
          end: true,
          cell: (bucket) => (bucket.attemptCount === 0 ? "–" : format.percent(successOf(bucket))),
        },
        times("first", text.firstTimes, (bucket) => [bucket.firstEventP50Ms, bucket.firstEventP95Ms]),
        times("whole", text.wholeTimes, (bucket) => [bucket.p50Ms, bucket.p95Ms]),
      ]}
    />
  );
}

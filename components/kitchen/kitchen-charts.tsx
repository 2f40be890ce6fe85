"use client";

import { useState } from "react";
import {
  type ChartBucket,
  OTHER_COLOR,
  OTHER_ID,
  percentileLines,
  type StackedData,
} from "../charts/chart-model";
import type { ChartWords } from "../charts/chart-words";
import { LatencyLines, StackedBars } from "../charts/lazy";
import { LatencyLegend, Legend } from "../charts/legend";
import { useFormat } from "../i18n/provider";
import { Shelf } from "./shelf";

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 14);
const HEIGHT = 240;
const names = [
  "demo-chat",
  "demo-messages",
  "demo-responses",
  "demo-mixed",
  "demo-failover",
  "further-one",
  "further-two",
  "further-three",
];

/** The same numbers at each visit: a wave for each series. */
function sampleData(): StackedData {
  const ids = [...names, OTHER_ID];
  const amountOf = (series: number, day: number) => Math.round(40 + 30 * Math.sin(series + day * 0.9));
  const buckets: ChartBucket[] = Array.from({ length: 7 }, (_, day) => {
    const startMs = START_MS + day * DAY_MS;
    const values = Object.fromEntries(ids.map((id, series) => [id, String(amountOf(series, day))]));
    const total = String(ids.reduce((sum, _id, series) => sum + amountOf(series, day), 0));
    return { startMs, endMs: startMs + DAY_MS, partial: day === 6, values, total };
  });
  const total = buckets.reduce((sum, bucket) => sum + Number(bucket.total), 0);
  const series = ids.map((id, place) => {
    const own = buckets.reduce((sum, bucket) => sum + Number(bucket.values[id]), 0);
    const color = id === OTHER_ID ? OTHER_COLOR : `var(--series-${place + 1})`;
    return { id, name: id === OTHER_ID ? "Other" : id, color, total: String(own), share: own / total };
  });
  return { series, buckets, total: String(total) };
}

const stacked = sampleData();
const latency = stacked.buckets.map(({ startMs, endMs }, day) => ({
  startMs,
  endMs,
  // A day without requests is a gap.
  p50Ms: day === 3 ? null : 300 + 80 * day,
  p95Ms: day === 3 ? null : 900 + 150 * day,
}));

const label = (startMs: number) => new Date(startMs).toISOString().slice(5, 10);

/** Bars and lines in all colours of the palette. */
export function KitchenCharts() {
  const format = useFormat();
  const [dimmed, setDimmed] = useState<string | null>(null);
  const count = (exact: string) => format.count(Number(exact));
  const words: ChartWords = {
    label,
    range: (bucket) => `${label(bucket.startMs)} to ${label(bucket.endMs)}`,
    ticks: format.countTicks,
    value: count,
    full: () => count,
    percent: format.percent,
    total: "Total",
    inProgress: "in progress",
    more: (rest) => `+${rest} more`,
  };
  const lines = percentileLines(latency, { p50: "p50", p95: "p95" });
  return (
    <>
      <Shelf name="StackedBars, Legend" stacked>
        <div style={{ height: HEIGHT }}>
          <StackedBars data={stacked} words={words} dimmed={dimmed} height={HEIGHT} title="Requests" />
        </div>
        <Legend
          series={stacked.series}
          value={count}
          percent={format.percent}
          dimmed={dimmed}
          onDim={setDimmed}
        />
      </Shelf>
      <Shelf name="LatencyLines, LatencyLegend" stacked>
        <div style={{ height: HEIGHT }}>
          <LatencyLines
            buckets={latency}
            lines={lines}
            height={HEIGHT}
            title="Latency"
            words={{ ...words, duration: format.duration }}
          />
        </div>
        <LatencyLegend lines={lines} values={{ p50: format.duration(540), p95: format.duration(1350) }} />
      </Shelf>
    </>
  );
}

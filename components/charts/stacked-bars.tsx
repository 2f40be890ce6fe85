"use client";

import { useId } from "react";
import { toChartNumber } from "../i18n/decimal";
import { axisTicks } from "./axis-labels";
import type { ChartBucket, ChartSeries, StackedData } from "./chart-model";
import { ChartTooltip } from "./chart-tooltip";
import { Plot, type PlotScale } from "./plot";

/** The formatters of a chart. */
export interface ChartWords {
  label: (startMs: number) => string;
  range: (bucket: { startMs: number; endMs: number }) => string;
  /** The formatter of these ticks of the value axis. */
  ticks: (values: number[]) => (value: number) => string;
  value: (exact: string) => string;
  /** With every digit, for the tooltip. */
  full: (exact: string) => string;
  /** Values that stand one below the other, for the legend. */
  column: (values: string[]) => (exact: string) => string;
  percent: (share: number) => string;
  total: string;
  inProgress: string;
  more: (count: number) => string;
}

/** Of the width of a bucket; the rest is the gap to the next one. */
const BAR_SHARE = 0.6;

/** Amounts that are all whole get whole ticks: there is no half a request. */
function ticksOf(buckets: ChartBucket[]): number[] {
  const most = Math.max(0, ...buckets.map((bucket) => toChartNumber(bucket.total)));
  return axisTicks(most, !buckets.some((bucket) => bucket.total.includes(".")));
}

/** Stacked bars, one per bucket. Exact values are in the tooltip and the table; heights are floats. */
export function StackedBars(props: {
  data: StackedData;
  words: ChartWords;
  dimmed: string | null;
  height: number;
  title: string;
  onPick?: (bucket: ChartBucket) => void;
}) {
  const { series, buckets } = props.data;
  const { words, onPick } = props;
  const hatchOf = useHatches();
  const ticks = ticksOf(buckets);
  return (
    <Plot
      title={props.title}
      height={props.height}
      buckets={buckets}
      ticks={ticks}
      tickLabel={words.ticks(ticks)}
      timeLabel={words.label}
      mark="band"
      tooltip={(index) => {
        const bucket = buckets[index];
        return bucket && <ChartTooltip bucket={bucket} series={series} words={words} />;
      }}
      onPick={onPick && ((index) => buckets[index] && onPick(buckets[index]))}
    >
      {(scale) => (
        <>
          <Hatches series={series} idOf={hatchOf} />
          {buckets.map((bucket, index) => (
            <StackedBar
              key={bucket.startMs}
              bucket={bucket}
              index={index}
              series={series}
              scale={scale}
              hatchOf={hatchOf}
              dimmed={props.dimmed}
            />
          ))}
        </>
      )}
    </Plot>
  );
}

/** The bar of one bucket, the first series at its foot. */
function StackedBar(props: {
  bucket: ChartBucket;
  index: number;
  series: ChartSeries[];
  scale: PlotScale;
  hatchOf: (series: number) => string;
  dimmed: string | null;
}) {
  const { bucket, scale, dimmed } = props;
  const width = scale.band * BAR_SHARE;
  let below = 0;
  return props.series.map((one, place) => {
    const value = toChartNumber(bucket.values[one.id] ?? "0");
    if (value <= 0) return null;
    const foot = scale.y(below);
    below += value;
    return (
      <rect
        key={one.id}
        data-bar
        x={scale.x(props.index) - width / 2}
        y={scale.y(below)}
        width={width}
        height={foot - scale.y(below)}
        fill={bucket.partial ? `url(#${props.hatchOf(place)})` : one.color}
        fillOpacity={dimmed === null || dimmed === one.id ? 1 : 0.25}
        stroke="var(--page)"
      />
    );
  });
}

/** The ids of the patterns of one chart, by series. */
function useHatches(): (series: number) => string {
  const chart = useId().replace(/\W/g, "");
  return (series) => `hatch-${chart}-${series}`;
}

/** Stripes of each series' colour, for a time that is not over yet. */
function Hatches(props: { series: ChartSeries[]; idOf: (series: number) => string }) {
  return (
    <defs>
      {props.series.map(({ id, color }, index) => (
        <pattern
          key={id}
          id={props.idOf(index)}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width={6} height={6} fill={color} opacity={0.35} />
          <rect width={3} height={6} fill={color} />
        </pattern>
      ))}
    </defs>
  );
}

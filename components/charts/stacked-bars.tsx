"use client";

import { useId } from "react";
import { Bar, CartesianGrid, Cell, ComposedChart, Line, Tooltip, XAxis, YAxis } from "recharts";
import { toChartNumber } from "@/lib/shared/decimal";
import { valueAxisWidth, valueTicks } from "./axis-labels";
import { ChartFrame, type ChartSize, margin, timeAxis, valueAxis } from "./chart-frame";
import {
  type ChartBucket,
  type ChartSeries,
  drawnPrevious,
  opacityOf,
  previousStrokes,
  type StackedData,
} from "./chart-model";
import { ChartTooltip } from "./chart-tooltip";
import type { ChartWords } from "./chart-words";

interface Row {
  startMs: number;
  bucket: ChartBucket;
}

function valueAxisOf(buckets: ChartBucket[], words: ChartWords) {
  const ticks = valueTicks(buckets);
  const tickFormatter = words.ticks(ticks);
  const domain = [0, ticks.at(-1) ?? 0];
  return { ...valueAxis, ticks, domain, tickFormatter, width: valueAxisWidth(ticks.map(tickFormatter)) };
}

/** The period before, over the bars. */
const previousLine = {
  dataKey: ({ bucket }: Row) => drawnPrevious(bucket),
  dot: false,
  activeDot: false,
  isAnimationActive: false,
} as const;

/** Stacked bars, one per bucket. Exact values are in the tooltip and the table; heights are floats. */
export function StackedBars(
  props: ChartSize & {
    data: StackedData;
    words: ChartWords;
    dimmed: string | null;
    title: string;
    onPick?: (bucket: ChartBucket) => void;
  },
) {
  const { series, buckets } = props.data;
  const hatchOf = useHatches();
  const rows: Row[] = buckets.map((bucket) => ({ startMs: bucket.startMs, bucket }));
  const values = valueAxisOf(buckets, props.words);
  return (
    <ChartFrame
      height={props.height}
      firstWidth={props.firstWidth}
      chart={(width) => (
        <ComposedChart
          data={rows}
          title={props.title}
          margin={margin}
          barCategoryGap="20%"
          onClick={({ activeTooltipIndex }) => {
            const bucket = buckets[Number(activeTooltipIndex)];
            if (bucket !== undefined && activeTooltipIndex != null) props.onPick?.(bucket);
          }}
          style={{ cursor: props.onPick === undefined ? "default" : "pointer" }}
        >
          <Hatches series={series} idOf={hatchOf} />
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis {...timeAxis(rows, props.words.label, width - values.width - margin.right)} />
          <YAxis {...values} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: "var(--hover)", opacity: 0.6 }}
            content={({ active, label }) => {
              const row = rows.find((candidate) => candidate.startMs === Number(label));
              return active && row !== undefined ? (
                <ChartTooltip bucket={row.bucket} series={series} words={props.words} />
              ) : null;
            }}
          />
          {series.map((one, index) => (
            <Bar
              key={one.id}
              name={one.name}
              stackId="all"
              dataKey={(row: Row) => toChartNumber(row.bucket.values[one.id] ?? "0")}
              fill={one.color}
              stroke="var(--page)"
              strokeWidth={1}
              isAnimationActive={false}
            >
              {rows.map((row) => (
                <Cell
                  key={row.startMs}
                  fill={row.bucket.partial ? `url(#${hatchOf(index)})` : one.color}
                  fillOpacity={opacityOf(one.id, props.dimmed)}
                />
              ))}
            </Bar>
          ))}
          {buckets.some(({ previous }) => previous !== undefined) &&
            previousStrokes.map((stroke) => <Line key={stroke.stroke} {...previousLine} {...stroke} />)}
        </ComposedChart>
      )}
    />
  );
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
          patternTransform="rotate(-45)"
        >
          <rect width={6} height={6} fill={color} opacity={0.35} />
          <rect width={3} height={6} fill={color} />
        </pattern>
      ))}
    </defs>
  );
}

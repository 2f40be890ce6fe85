"use client";

import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from "recharts";
import { axisTicks, valueAxisWidth } from "./axis-labels";
import { ChartFrame, type ChartSize, margin, timeAxis, valueAxis } from "./chart-frame";
import { latencyLines } from "./chart-model";

/** Percentiles of one bucket; null where nothing was measured. */
export interface LatencyBucket {
  startMs: number;
  endMs: number;
  p50Ms: number | null;
  p95Ms: number | null;
}

/** The last point is at the end of the axis: half of its label stands beyond it. */
const lastLabel = { right: 16 };

/** The formatters of the latency chart. */
export interface LatencyFormatters {
  label: (startMs: number) => string;
  range: (bucket: { startMs: number; endMs: number }) => string;
  duration: (ms: number | null) => string;
  p50: string;
  p95: string;
}

/** Two lines with gaps for missing data. */
export function LatencyLines(
  props: ChartSize & {
    buckets: LatencyBucket[];
    words: LatencyFormatters;
    title: string;
  },
) {
  const { words } = props;
  const ticks = axisTicks(Math.max(0, ...props.buckets.map((bucket) => bucket.p95Ms ?? 0)), true);
  const valueWidth = valueAxisWidth(ticks.map(words.duration));
  return (
    <ChartFrame
      height={props.height}
      firstWidth={props.firstWidth}
      chart={(width) => (
        <LineChart data={props.buckets} title={props.title} margin={margin}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            {...timeAxis(props.buckets, words.label, width - valueWidth - margin.right)}
            padding={lastLabel}
          />
          <YAxis
            {...valueAxis}
            width={valueWidth}
            ticks={ticks}
            domain={[0, ticks.at(-1) ?? 0]}
            tickFormatter={words.duration}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--control)" }}
            content={({ active, label }) => {
              const bucket = props.buckets.find((candidate) => candidate.startMs === Number(label));
              if (!active || bucket === undefined) return null;
              return (
                <div className="rounded-md bg-page p-3 text-xs shadow-float">
                  <p className="text-muted">{words.range(bucket)}</p>
                  <p className="tabular mt-1">
                    {words.p95} {words.duration(bucket.p95Ms)}
                  </p>
                  <p className="tabular">
                    {words.p50} {words.duration(bucket.p50Ms)}
                  </p>
                </div>
              );
            }}
          />
          {latencyLines.map(({ percentile, color, dash }) => (
            <Line
              key={percentile}
              dataKey={`${percentile}Ms`}
              stroke={color}
              strokeWidth={2}
              strokeDasharray={dash}
              dot={{ r: 2.5, strokeWidth: 0, fill: color }}
              connectNulls={false}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      )}
    />
  );
}

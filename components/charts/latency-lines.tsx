"use client";

import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from "recharts";
import { axisTicks, valueAxisWidth } from "./axis-labels";
import { ChartFrame, type ChartSize, margin, timeAxis, valueAxis } from "./chart-frame";
import type { ChartLine } from "./chart-model";

/** A bucket of time. */
export interface TimeSpan {
  startMs: number;
  endMs: number;
}

/** The last point is at the end of the axis: half of its label stands beyond it. */
const lastLabel = { right: 16 };

/** The formatters of the latency chart. */
export interface LatencyFormatters {
  label: (startMs: number) => string;
  range: (bucket: TimeSpan) => string;
  duration: (ms: number | null) => string;
}

/** Lines with gaps for missing data. */
export function LatencyLines(
  props: ChartSize & {
    buckets: readonly TimeSpan[];
    lines: readonly ChartLine[];
    words: LatencyFormatters;
    title: string;
  },
) {
  const { words, lines } = props;
  const buckets = props.buckets.map((bucket, index) => ({ ...bucket, index }));
  const ticks = axisTicks(Math.max(0, ...lines.flatMap(({ values }) => values.map((ms) => ms ?? 0))), true);
  const valueWidth = valueAxisWidth(ticks.map(words.duration));
  return (
    <ChartFrame
      height={props.height}
      firstWidth={props.firstWidth}
      chart={(width) => (
        <LineChart data={buckets} title={props.title} margin={margin}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis {...timeAxis(buckets, words.label, width - valueWidth - margin.right)} padding={lastLabel} />
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
              const bucket = buckets.find((candidate) => candidate.startMs === Number(label));
              if (!active || bucket === undefined) return null;
              return <LinesTooltip bucket={bucket} lines={lines} words={words} />;
            }}
          />
          {lines.map((line) => (
            <Line
              key={line.id}
              name={line.name}
              dataKey={({ index }: { index: number }) => line.values[index] ?? null}
              stroke={line.color}
              strokeWidth={2}
              strokeDasharray={line.dash ?? "0"}
              dot={{ r: 2.5, strokeWidth: 0, fill: line.color }}
              connectNulls={false}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      )}
    />
  );
}

/** What the lines say of a bucket. */
function LinesTooltip(props: {
  bucket: TimeSpan & { index: number };
  lines: readonly ChartLine[];
  words: LatencyFormatters;
}) {
  const { bucket, lines, words } = props;
  return (
    <div className="max-w-80 rounded-md bg-page p-3 text-xs shadow-float">
      <p className="text-muted">{words.range(bucket)}</p>
      <ul className="mt-1 grid gap-0.5">
        {lines.map(({ id, name, color, values }) => (
          <li key={id} className="flex items-center gap-2">
            <span aria-hidden className="size-2.5 shrink-0 rounded-sm" style={{ background: color }} />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span className="tabular">{words.duration(values[bucket.index] ?? null)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

"use client";

import { axisTicks } from "./axis-labels";
import { Plot, type PlotScale } from "./plot";

/** Percentiles of one bucket; null where nothing was measured. */
export interface LatencyBucket {
  startMs: number;
  endMs: number;
  p50Ms: number | null;
  p95Ms: number | null;
}

/** The formatters of the latency chart. */
export interface LatencyFormatters {
  label: (startMs: number) => string;
  range: (bucket: { startMs: number; endMs: number }) => string;
  duration: (ms: number | null) => string;
  p50: string;
  p95: string;
}

/** Two lines with gaps for missing data. */
export function LatencyLines(props: {
  buckets: LatencyBucket[];
  words: LatencyFormatters;
  height: number;
  title: string;
}) {
  const { words, buckets } = props;
  const ticks = axisTicks(Math.max(0, ...buckets.map((bucket) => bucket.p95Ms ?? 0)), true);
  return (
    <Plot
      title={props.title}
      height={props.height}
      buckets={buckets}
      ticks={ticks}
      tickLabel={words.duration}
      timeLabel={words.label}
      mark="line"
      tooltip={(index) => {
        const bucket = buckets[index];
        return bucket && <LatencyTooltip bucket={bucket} words={words} />;
      }}
    >
      {(scale) => (
        <>
          <Line
            values={buckets.map(({ p95Ms }) => p95Ms)}
            scale={scale}
            color="var(--series-2)"
            dashes="5 3"
          />
          <Line values={buckets.map(({ p50Ms }) => p50Ms)} scale={scale} color="var(--series-1)" />
        </>
      )}
    </Plot>
  );
}

/** A line that ends where a value is missing and begins again after it. */
function Line(props: { values: (number | null)[]; scale: PlotScale; color: string; dashes?: string }) {
  const { values, scale, color } = props;
  const path = values
    .map((value, index) => {
      if (value === null) return "";
      const begins = index === 0 || values[index - 1] === null;
      return `${begins ? "M" : "L"}${scale.x(index)},${scale.y(value)}`;
    })
    .join("");
  return (
    <g>
      <path d={path} fill="none" stroke={color} strokeWidth={2} strokeDasharray={props.dashes} />
      {values.map(
        (value, index) =>
          value !== null && (
            // biome-ignore lint/suspicious/noArrayIndexKey: a dot is its place in time
            <circle key={index} data-dot cx={scale.x(index)} cy={scale.y(value)} r={2.5} fill={color} />
          ),
      )}
    </g>
  );
}

function LatencyTooltip(props: { bucket: LatencyBucket; words: LatencyFormatters }) {
  const { bucket, words } = props;
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
}

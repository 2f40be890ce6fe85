"use client";

import { useState } from "react";
import { toChartNumber } from "@/lib/shared/decimal";
import { cn } from "../ui/cn";
import { Link } from "../ui/link";
import { valueAxisWidth, valueTicks } from "./axis-labels";
import {
  type ChartBucket,
  type ChartSeries,
  drawnPrevious,
  opacityOf,
  previousStrokes,
  type StackedData,
  stripesOf,
} from "./chart-model";
import { ChartTooltip } from "./chart-tooltip";
import type { ChartWords } from "./chart-words";

interface BarsProps {
  title: string;
  data: StackedData;
  words: ChartWords;
  dimmed: string | null;
  hrefOf: (bucket: ChartBucket) => string;
}

/** The size of the labels, unless the reader has chosen another one. */
const TEXT_PX = 12;

/**
 * Stacked bars of a few buckets, each a link. They are plain HTML that the server sends with the page: no script has to
 * run before they are there, and none measures them. For many buckets there is `StackedBars`.
 */
export function LinkedBars(props: BarsProps) {
  const { data, words } = props;
  const ticks = valueTicks(data.buckets);
  const labels = ticks.map(words.ticks(ticks));
  const top = ticks.at(-1) ?? 1;
  const left = { marginLeft: `${valueAxisWidth(labels) / TEXT_PX}em` };
  return (
    <div className="tabular flex h-60 flex-col text-xs text-muted">
      <div className="relative mt-2 flex-1" style={left}>
        {ticks.map((tick, index) => (
          <div
            key={tick}
            aria-hidden
            className="absolute inset-x-0 border-b"
            style={{ bottom: `${(100 * tick) / top}%` }}
          >
            <span className="absolute right-full bottom-0 translate-y-1/2 pr-2">{labels[index]}</span>
          </div>
        ))}
        <PreviousLine buckets={data.buckets} top={top} />
        <Bars {...props} top={top} />
      </div>
      <div aria-hidden className="@container flex h-6 items-end" style={left}>
        {data.buckets.map(({ startMs }, index) => (
          <span key={startMs} className="relative h-4 flex-1">
            <span
              className={cn(
                "absolute left-1/2 -translate-x-1/2 whitespace-nowrap",
                index % 2 === 1 && "@max-sm:hidden",
                index % 6 !== 0 && "@max-3xs:hidden",
              )}
            >
              {words.label(startMs)}
            </span>
          </span>
        ))}
      </div>
    </div>
  );
}

/** The period before, through the middle of each bar. */
function PreviousLine({ buckets, top }: { buckets: readonly ChartBucket[]; top: number }) {
  const points = buckets.flatMap((bucket, index) => {
    const amount = drawnPrevious(bucket);
    return amount === null ? [] : [`${index + 0.5},${top - amount}`];
  });
  if (points.length === 0) return null;
  return (
    <svg
      aria-hidden
      data-previous
      viewBox={`0 0 ${buckets.length} ${top}`}
      preserveAspectRatio="none"
      className="pointer-events-none absolute inset-0 z-1 size-full overflow-visible"
    >
      {previousStrokes.map((stroke) => (
        <polyline
          key={stroke.stroke}
          points={points.join(" ")}
          fill="none"
          vectorEffect="non-scaling-stroke"
          {...stroke}
        />
      ))}
    </svg>
  );
}

function Bars(props: BarsProps & { top: number }) {
  const { data, words } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const shown = pointed === null ? undefined : data.buckets[pointed];
  const middle = data.buckets.length / 2;
  return (
    <ul aria-label={props.title} className="absolute inset-0 flex" onPointerLeave={() => setPointed(null)}>
      {data.buckets.map((bucket, index) => (
        <li key={bucket.startMs} className="relative min-w-0 flex-1">
          <Link
            href={props.hrefOf(bucket)}
            aria-label={`${words.label(bucket.startMs)}: ${words.full([bucket.total])(bucket.total)}`}
            className="flex h-full flex-col-reverse rounded-sm px-1 sm:px-2 hover:bg-hover focus-visible:bg-hover"
            onPointerEnter={() => setPointed(index)}
            onFocus={() => setPointed(index)}
            onBlur={() => setPointed(null)}
          >
            {data.series.map((one) => (
              <Part
                key={one.id}
                series={one}
                bucket={bucket}
                top={props.top}
                opacity={opacityOf(one.id, props.dimmed)}
              />
            ))}
          </Link>
          {shown === bucket && (
            <div
              className={cn(
                "pointer-events-none absolute top-0 z-10 w-max text-fg",
                index < middle - 1 ? "left-full" : "right-full",
              )}
            >
              <ChartTooltip bucket={bucket} series={data.series} words={words} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A series in a bar; a time that is not over yet is striped. */
function Part(props: { series: ChartSeries; bucket: ChartBucket; top: number; opacity: number }) {
  const { series, bucket, opacity } = props;
  const amount = toChartNumber(bucket.values[series.id] ?? "0");
  if (amount <= 0) return null;
  const { color } = series;
  return (
    <span
      className="block shrink-0"
      style={{
        height: `${(100 * amount) / props.top}%`,
        background: bucket.partial ? stripesOf(color) : color,
        opacity,
      }}
    />
  );
}

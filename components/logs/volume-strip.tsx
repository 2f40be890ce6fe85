"use client";

import { type PointerEvent, useState } from "react";
import { ErrorPanel } from "../api/error-panel";
import type { LogVolume } from "../api/types";
import { OFFLINE, useLatestData } from "../api/use-latest-data";
import { makeBucketLabel } from "../charts/axis-labels";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { isTimeTooLong } from "../lists/shorter-times";
import { cn } from "../ui/cn";
import { Dimmed, Skeleton } from "../ui/states";
import type { LogPath } from "./log-query";
import type { UrlLogFilters } from "./use-log-filters";
import { useLogVolume } from "./use-log-volume";

const MOST_LABELS = 6;
/** More bars than this stand closer together. */
const MANY_BARS = 60;

/** The requests that match the filters over time, as bars above the table; dragging over bars selects their time. */
export function VolumeStrip(props: { filters: UrlLogFilters; path: LogPath; live: boolean }) {
  const text = useMessages("logs");
  const { filters, path, live } = props;
  const { url } = filters;
  const { set } = filters.list;
  const query = useLogVolume(filters.query, path, live);
  const { data, readAt, problem, old, otherSelection } = useLatestData(query);
  if (isTimeTooLong(problem))
    return <p className="rounded-lg border px-3 py-2 text-xs text-muted">{text.notCounted}</p>;
  return (
    <>
      {problem !== null && problem !== OFFLINE && (
        <ErrorPanel
          error={problem}
          onRetry={() => query.refetch()}
          dataFrom={readAt}
          otherSelection={otherSelection}
        />
      )}
      {query.isPending && data === undefined && <Skeleton className="h-20" />}
      {data !== undefined && (
        <Dimmed active={old}>
          <Histogram
            volume={data}
            from={filters.from}
            to={url.to}
            onSelect={(from, to) => set({ from, to, last: null })}
            onAll={() => set({ from: null, to: null, last: null })}
          />
        </Dimmed>
      )}
    </>
  );
}

interface Bar {
  startMs: number;
  endMs: number;
  requests: number;
  failed: number;
  refused: number;
}

function Histogram(props: {
  volume: LogVolume;
  from: Date | null;
  to: Date | null;
  onSelect: (from: Date, to: Date | null) => void;
  onAll: () => void;
}) {
  const text = useMessages("logs");
  const { volume } = props;
  const bars = barsOf(volume);
  const barTitle = useBarTitle();
  const isNarrowed = props.from !== null || props.to !== null;
  const total = bars.reduce((sum, bar) => sum + bar.requests, 0);
  const top = Math.max(1, ...bars.map((bar) => bar.requests));
  const brush = useBrush(bars.length, (first, last) => {
    const [start, end] = [bars[first], bars[last]];
    if (start !== undefined && end !== undefined)
      props.onSelect(new Date(start.startMs), new Date(end.endMs));
  });
  const chosen = (bar: Bar, index: number) =>
    brush.span === null
      ? (props.from === null || bar.endMs > props.from.getTime()) &&
        (props.to === null || bar.startMs < props.to.getTime())
      : index >= Math.min(...brush.span) && index <= Math.max(...brush.span);
  const { covers, label } = useVolumeTexts(volume, total, top);
  return (
    <div className="rounded-lg border px-3 pt-2 pb-1">
      <div
        className={cn(
          "tabular flex min-h-6 flex-wrap items-center justify-between gap-x-4 pb-1 text-xs text-muted",
          !isNarrowed && "max-sm:hidden",
        )}
      >
        <span className="flex flex-wrap gap-x-3 max-sm:hidden">
          <span>{covers}</span>
          <Legend bars={bars} />
        </span>
        {isNarrowed ? (
          <Widening {...props} />
        ) : (
          total > 0 && <span className="max-sm:hidden">{text.brush}</span>
        )}
      </div>
      <div role="img" aria-label={label}>
        <div
          className="flex h-12 touch-pan-y cursor-crosshair items-end border-b select-none"
          {...brush.handlers}
        >
          {bars.map((bar, index) => (
            <BarView
              key={bar.startMs}
              bar={bar}
              top={top}
              title={barTitle(bar)}
              className={cn(
                bars.length > MANY_BARS ? "px-px" : "px-0.5 sm:px-1",
                !chosen(bar, index) && "opacity-30",
              )}
            />
          ))}
        </div>
        <TimeAxis volume={volume} bars={bars} />
      </div>
    </div>
  );
}

/** The ways from a chosen time to more of the log: half as much again before and after it, and all. */
function Widening(props: Parameters<typeof Histogram>[0]) {
  const text = useMessages("logs");
  const now = Date.parse(props.volume.to);
  const end = props.to?.getTime() ?? now;
  const start = props.from?.getTime();
  const look = "h-6 rounded-sm px-1.5 font-medium text-primary hover:bg-hover pointer-coarse:min-h-11";
  function widen(from: number) {
    const more = Math.max((end - from) / 2, 0);
    props.onSelect(new Date(from - more), end + more >= now ? null : new Date(end + more));
  }
  return (
    <span className="-my-0.5 -mr-1.5 ml-auto flex gap-1">
      {start !== undefined && (
        <button type="button" className={look} onClick={() => widen(start)}>
          {text.wider}
        </button>
      )}
      <button type="button" className={look} onClick={props.onAll}>
        {text.allDays}
      </button>
    </span>
  );
}

/** What the colours of the parts mean that are no success, where there are any. */
function Legend({ bars }: { bars: readonly Bar[] }) {
  const { outcomes } = useMessages("logs");
  return (["refused", "failed"] as const)
    .filter((outcome) => bars.some((bar) => bar[outcome] > 0))
    .map((outcome) => (
      <span key={outcome} className="flex items-center gap-1">
        <span aria-hidden className={cn("size-2.5 rounded-sm", partColors[outcome])} />
        {outcomes[outcome]}
      </span>
    ));
}

const partColors = { failed: "bg-danger", refused: "bg-series-2" };

/** What the bars cover, and the name of the picture. */
function useVolumeTexts(volume: LogVolume, total: number, top: number) {
  const text = useMessages("logs");
  const format = useFormat();
  const range = {
    from: format.date(volume.buckets[0]?.bucketStart ?? volume.to),
    to: format.date(volume.to),
  };
  const covers =
    total === 0
      ? fill("{from} – {to}", range)
      : plural(text.covers, top, format.locale, { ...range, count: format.count(top) });
  const label = fill("{name}: {count} ({from} – {to})", {
    name: text.volume,
    count: format.countFull(total),
    ...range,
  });
  return { covers, label };
}

function BarView(props: { bar: Bar; top: number; title: string; className: string }) {
  const { bar, top } = props;
  return (
    <div title={props.title} className={cn("flex h-full flex-1 flex-col justify-end", props.className)}>
      <Part className={partColors.failed} share={bar.failed / top} />
      <Part className={partColors.refused} share={bar.refused / top} />
      <Part className="bg-series-1" share={(bar.requests - bar.failed - bar.refused) / top} />
    </div>
  );
}

function Part(props: { className: string; share: number }) {
  return <div className={props.className} style={{ height: `${props.share * 100}%` }} />;
}

/** When a bar begins, and how its requests ended. */
function useBarTitle(): (bar: Bar) => string {
  const text = useMessages("logs");
  const { outcomes } = useMessages("common");
  const format = useFormat();
  return (bar) => {
    const counts = [
      plural(text.requests, bar.requests, format.locale),
      ...(bar.failed > 0 ? [plural(outcomes.failed, bar.failed, format.locale)] : []),
      ...(bar.refused > 0 ? [plural(outcomes.refused, bar.refused, format.locale)] : []),
    ];
    return `${format.dateTime(new Date(bar.startMs))}: ${counts.join(" · ")}`;
  };
}

/** Some of the bars' times, each below its bar. */
function TimeAxis(props: { volume: LogVolume; bars: Bar[] }) {
  const format = useFormat();
  const { volume, bars } = props;
  const label = makeBucketLabel(volume.bucket, bars.length, format.locale, volume.timezone);
  const every = Math.ceil(bars.length / MOST_LABELS);
  return (
    <div className="tabular flex h-5 items-center text-xs text-muted">
      {bars.map((bar, index) => (
        <div key={bar.startMs} className="relative h-4 flex-1">
          {index % every === 0 && (
            <span
              className={cn(
                "absolute top-0 whitespace-nowrap",
                // Centred below a narrow bar the first one would leave the card.
                index === 0 && every > 1 ? "left-0" : "left-1/2 -translate-x-1/2",
                index % (2 * every) !== 0 && "max-sm:hidden",
              )}
            >
              {label(bar.startMs)}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

function barsOf(volume: LogVolume): Bar[] {
  return volume.buckets.map((bucket, index) => ({
    startMs: Date.parse(bucket.bucketStart),
    endMs: Date.parse(volume.buckets[index + 1]?.bucketStart ?? volume.to),
    requests: bucket.requestCount,
    failed: bucket.failedCount,
    refused: bucket.refusedCount,
  }));
}

/** Selects bars with a pointer: pressed on one, moved to another, let go. The fields below do the same by keyboard. */
function useBrush(count: number, onSelect: (first: number, last: number) => void) {
  const [span, setSpan] = useState<[number, number] | null>(null);
  const barAt = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(count - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * count)));
  };
  return {
    span,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setSpan([barAt(event), barAt(event)]);
      },
      onPointerMove: (event: PointerEvent) => setSpan(span && [span[0], barAt(event)]),
      onPointerUp: () => {
        setSpan(null);
        if (span !== null) onSelect(Math.min(...span), Math.max(...span));
      },
      onPointerCancel: () => setSpan(null),
    },
  };
}

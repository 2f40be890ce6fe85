"use client";

import type { NodeDetail } from "../../api/admin/types";
import { ErrorPanel } from "../../api/error-panel";
import { useRead } from "../../api/use-read";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Fold } from "../../ui/fold";
import { Skeleton } from "../../ui/states";

type Point = NodeDetail["minutes"][number];

const HEIGHT = 40;

/** The calls to a node in the last 60 minutes, one bar a minute, as this process counted them. */
export function NodeMinutes(props: { nodeId: string }) {
  const text = useMessages("adminNodes");
  const detail = useRead("GET /api/admin/nodes/{id}", { params: { id: props.nodeId } });
  if (detail.isPending) return <Skeleton className="h-10" />;
  if (detail.data === undefined) return <ErrorPanel error={detail.error} onRetry={() => detail.refetch()} />;
  return (
    <CallFigure
      points={detail.data.minutes}
      caption={text.hourTraffic}
      bucket={text.minute}
      none={text.noCallsInHour}
      hint={text.hourHint}
    />
  );
}

interface FigureProps {
  points: readonly Point[];
  caption: string;
  /** The kind of a table row. */
  bucket: string;
  /** The text when there was no call. */
  none: string;
  hint?: string;
}

/** Bars, a summary, and the same numbers as a table. */
function CallFigure(props: FigureProps) {
  const text = useMessages("adminNodes");
  const format = useFormat();
  const { points } = props;
  const calls = points.reduce((sum, point) => sum + point.attemptCount, 0);
  if (calls === 0) return <p className="text-sm text-muted">{props.none}</p>;
  const failures = points.reduce((sum, point) => sum + point.failureCount, 0);
  const sentence = fill(text.trafficSentence, {
    calls: plural(text.callCount, calls, format.locale),
    failures: plural(text.failureCount, failures, format.locale),
  });
  return (
    <div className="grid gap-2">
      <Sparkline points={points} label={sentence} />
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        <Key color="var(--series-1)" name={text.trend.succeeded} />
        <Key color="var(--danger)" name={text.trend.failed} />
      </ul>
      <p className="tabular text-sm text-muted">
        {sentence}
        {format.gap}
        {props.hint}
      </p>
      <Fold className="text-sm" heading={text.asTable} headingClass="min-h-6 w-fit">
        <PointTable {...props} points={points.filter((point) => point.attemptCount > 0)} />
      </Fold>
    </div>
  );
}

function Key(props: { color: string; name: string }) {
  return (
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="size-2.5 rounded-sm" style={{ background: props.color }} />
      {props.name}
    </li>
  );
}

/** One bar for each bucket, failures on top; decorative, without labels. */
function Sparkline(props: { points: readonly Point[]; label: string }) {
  const top = Math.max(1, ...props.points.map((point) => point.attemptCount));
  const step = 100 / Math.max(1, props.points.length);
  const tall = (count: number) => (count / top) * HEIGHT;
  return (
    <svg
      role="img"
      aria-label={props.label}
      viewBox={`0 0 100 ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-10 w-full rounded-md bg-card"
    >
      <title>{props.label}</title>
      {props.points.map((point, index) => {
        const good = tall(point.attemptCount - point.failureCount);
        const bad = tall(point.failureCount);
        const place = { x: index * step + step * 0.1, width: step * 0.8 };
        return (
          <g key={point.bucketStart}>
            <rect {...place} y={HEIGHT - good} height={good} fill="var(--series-1)" />
            <rect {...place} y={HEIGHT - good - bad} height={bad} fill="var(--danger)" />
          </g>
        );
      })}
    </svg>
  );
}

function PointTable(props: FigureProps) {
  const text = useMessages("adminNodes");
  const format = useFormat();
  return (
    <table className="mt-2 w-full text-sm">
      <caption className="sr-only">{props.caption}</caption>
      <thead className="text-left text-muted">
        <tr>
          <th className="py-1 font-normal">{props.bucket}</th>
          <th className="py-1 text-right font-normal">{text.calls}</th>
          <th className="py-1 text-right font-normal">{text.failed}</th>
          <th className="py-1 text-right font-normal">{text.average}</th>
        </tr>
      </thead>
      <tbody className="tabular">
        {props.points.map((point) => (
          <tr key={point.bucketStart} className="border-t">
            <td className="py-1">{format.time(point.bucketStart).slice(0, 5)}</td>
            <td className="py-1 text-right">{format.countFull(point.attemptCount)}</td>
            <td className="py-1 text-right">{format.countFull(point.failureCount)}</td>
            <td className="py-1 text-right">{format.duration(point.averageLatencyMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

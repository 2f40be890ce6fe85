"use client";

import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { cn } from "../../ui/cn";
import { Skeleton } from "../../ui/states";
import { useAdminStats } from "../queries";
import type { AdminStats } from "../types";

type Point = AdminStats["nodeSeries"][number]["points"][number];

const HEIGHT = 40;

/** The calls to a node in the last 24 hours: bars, a sentence, and the same numbers as a table. */
export function NodeTraffic(props: { nodeId: string }) {
  const text = useMessages("adminNodes");
  const format = useFormat();
  const stats = useAdminStats({ period: "24h", tz: format.timeZone });
  if (stats.isPending) return <Skeleton className="h-10" />;
  const points = stats.data?.nodeSeries.find((series) => series.nodeId === props.nodeId)?.points ?? [];
  const calls = points.reduce((sum, point) => sum + point.attemptCount, 0);
  if (calls === 0) return <p className="text-sm text-muted">{text.noCalls}</p>;
  const failures = points.reduce((sum, point) => sum + point.failureCount, 0);
  const sentence = fill(text.trafficSentence, {
    calls: plural(text.callCount, calls, format.locale),
    failures: plural(text.failureCount, failures, format.locale),
  });
  return (
    <div className="grid gap-2">
      <Sparkline points={points} label={sentence} />
      <p className="tabular text-sm text-muted">{sentence}</p>
      <details className="text-sm">
        <summary className="w-fit cursor-pointer rounded-sm">{text.asTable}</summary>
        <PointTable points={points.filter((point) => point.attemptCount > 0)} />
      </details>
    </div>
  );
}

/** One bar for each bucket, failures on top; bare, for the eye only. */
export function Sparkline(props: { points: readonly Point[]; label: string; className?: string }) {
  const top = Math.max(1, ...props.points.map((point) => point.attemptCount));
  const step = 100 / Math.max(1, props.points.length);
  const tall = (count: number) => (count / top) * HEIGHT;
  return (
    <svg
      role="img"
      aria-label={props.label}
      viewBox={`0 0 100 ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cn("h-10 w-full rounded-md bg-card", props.className)}
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

function PointTable(props: { points: readonly Point[] }) {
  const text = useMessages("adminNodes");
  const format = useFormat();
  return (
    <table className="mt-2 w-full text-sm">
      <caption className="sr-only">{text.traffic}</caption>
      <thead className="text-left text-muted">
        <tr>
          <th className="py-1 font-normal">{text.hour}</th>
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

"use client";

import { useLatestData } from "@/components/api/use-latest-data";
import { ErrorPanel } from "../api/error-panel";
import { type StatsPath, useStats } from "../api/queries";
import type { Stats } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Dimmed, Skeleton } from "../ui/states";
import { stripPeriod } from "./strip-period";
import type { UrlLogFilters } from "./use-log-filters";

const HEIGHT = 48;

/** The number of requests over time, as bars above the table. */
export function VolumeStrip(props: { filters: UrlLogFilters; path: StatsPath }) {
  const format = useFormat();
  const { url } = props.filters;
  const selection = { tokenId: url.key, model: url.model, userId: url.user };
  const query = useStats(
    { period: stripPeriod(url.from, Date.now()), tz: format.timeZone, ...selection },
    props.path,
  );
  const { data, readAt, problem, old, otherSelection } = useLatestData(query);
  return (
    <>
      {problem !== null && (
        <ErrorPanel
          error={problem}
          onRetry={() => query.refetch()}
          dataFrom={readAt}
          otherSelection={otherSelection}
        />
      )}
      {query.isPending && data === undefined && <Skeleton className="h-12" />}
      {data !== undefined && (
        <Dimmed active={old}>
          <Bars stats={data} />
        </Dimmed>
      )}
    </>
  );
}

function Bars(props: { stats: Stats }) {
  const text = useMessages("logs");
  const format = useFormat();
  const { stats } = props;
  const top = Math.max(1, ...stats.buckets.map((bucket) => bucket.requestCount));
  const step = 100 / stats.buckets.length;
  const label = fill("{name}: {count} ({from} – {to})", {
    name: text.volume,
    count: format.countFull(stats.totalRequests),
    from: format.date(stats.from),
    to: format.date(stats.to),
  });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 100 ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-12 w-full rounded-md bg-card"
    >
      <title>{label}</title>
      {stats.buckets.map((bucket, index) => {
        const good = ((bucket.requestCount - bucket.errorCount) / top) * (HEIGHT - 4);
        const bad = (bucket.errorCount / top) * (HEIGHT - 4);
        return (
          <g key={bucket.bucketStart}>
            <rect
              x={index * step + step * 0.1}
              width={step * 0.8}
              y={HEIGHT - good}
              height={good}
              fill="var(--series-1)"
            />
            <rect
              x={index * step + step * 0.1}
              width={step * 0.8}
              y={HEIGHT - good - bad}
              height={bad}
              fill="var(--danger)"
            />
          </g>
        );
      })}
    </svg>
  );
}

"use client";

import { useState } from "react";
import { ErrorPanel } from "../api/error-panel";
import { useRead } from "../api/use-read";
import { useFormat, useMessages } from "../i18n/provider";
import { Segmented } from "../ui/segmented";
import { Skeleton } from "../ui/states";
import { StackedFigure } from "../usage/usage-figure";

const CHART_HEIGHT = 160;
const metrics = ["cost", "requests"] as const;

/** What the key was used for in the last 30 days, by model. */
export function KeyMonth(props: { keyId: string }) {
  const text = useMessages("usage");
  const { timeZone } = useFormat();
  const [metric, setMetric] = useState<(typeof metrics)[number]>("cost");
  const month = useRead("GET /api/user/stats", {
    query: { period: "30d", tz: timeZone, tokenId: props.keyId },
  });
  if (month.data === undefined)
    return month.isError ? (
      <ErrorPanel error={month.error} onRetry={() => month.refetch()} />
    ) : (
      <Skeleton className="h-60" />
    );
  if (month.data.totalRequests === 0) return <p className="text-sm text-muted">{text.noData}</p>;
  return (
    <div className="grid min-w-0 gap-3">
      <Segmented
        className="w-fit"
        label={text.metric}
        value={metric}
        onChange={setMetric}
        options={metrics.map((value) => ({ value, label: text.metrics[value] }))}
      />
      <StackedFigure
        compact
        heading="h4"
        height={CHART_HEIGHT}
        stats={month.data}
        metric={metric}
        grouping="model"
        logsQuery={{ key: props.keyId }}
      />
    </div>
  );
}

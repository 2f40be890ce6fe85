"use client";

import { useLatestData } from "@/components/api/use-latest-data";
import { ErrorPanel } from "../api/error-panel";
import { useModels, useStats } from "../api/queries";
import type { Stats } from "../api/types";
import { usePreloadedCharts } from "../charts/lazy";
import { useMessages } from "../i18n/provider";
import { FirstCall } from "../overview/first-call";
import { modelToTry } from "../snippets/snippets";
import { Button } from "../ui/button";
import { Card, PageHeader } from "../ui/card";
import { Segmented } from "../ui/segmented";
import { Dimmed, EmptyState, ProgressLine, Skeleton } from "../ui/states";
import { Tabs } from "../ui/tabs";
import { BreakdownTable } from "./breakdown-table";
import { LatencyFigure, StackedFigure } from "./usage-figure";
import { UsageFilterBar } from "./usage-filter-bar";
import { UsageKpis } from "./usage-kpis";
import { groupings, type Metric, metrics, type UsageFilters, useUsageFilters } from "./use-usage-filters";

/** Usage of the account over a period. */
export function UsagePage() {
  const text = useMessages("usage");
  const common = useMessages("common");
  const filters = useUsageFilters();
  usePreloadedCharts();
  const stats = useStats({
    period: filters.period,
    tz: filters.zone,
    tokenId: filters.key,
    model: filters.model,
  });
  const kept = useLatestData(stats);
  const isFiltered = filters.key !== null || filters.model !== null;
  const clear = () => filters.set({ key: null, model: null });
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      <div className="grid gap-4">
        <UsageFilterBar filters={filters} />
        <ProgressLine active={stats.isFetching && !stats.isPending} />
        {kept.problem !== null && (
          <ErrorPanel
            error={kept.problem}
            onRetry={() => stats.refetch()}
            dataFrom={kept.readAt}
            otherSelection={kept.otherSelection}
            action={isFiltered && <Button onClick={clear}>{common.clearFilters}</Button>}
          />
        )}
        {stats.isPending && kept.data === undefined && <UsageSkeleton />}
        {kept.data !== undefined && (
          <Dimmed active={kept.old}>
            <UsageBody stats={kept.data} filters={filters} />
          </Dimmed>
        )}
      </div>
    </>
  );
}

function UsageBody(props: { stats: Stats; filters: UsageFilters }) {
  const text = useMessages("usage");
  const { stats, filters } = props;
  const untouched = filters.key === null && filters.model === null;
  const model = modelToTry(useModels().data?.data ?? []);
  if (stats.totalRequests === 0 && stats.previous.requestCount === 0 && untouched) {
    return (
      <Card>
        <EmptyState title={text.empty} />
        <FirstCall model={model} />
      </Card>
    );
  }
  return (
    <>
      <UsageKpis stats={stats} />
      <Card>
        <Tabs<Metric>
          label={text.metric}
          value={filters.metric}
          onChange={(metric) => filters.set({ metric })}
          tabs={metrics.map((metric) => ({
            value: metric,
            label: text.metrics[metric],
            content: <MetricFigure metric={metric} {...props} />,
          }))}
        />
      </Card>
      <BreakdownTable stats={stats} onModel={(name) => filters.set({ model: name })} />
    </>
  );
}

function MetricFigure(props: { metric: Metric; stats: Stats; filters: UsageFilters }) {
  const text = useMessages("usage");
  const { metric, stats, filters } = props;
  if (metric === "latency") return <LatencyFigure stats={stats} />;
  return (
    <div className="grid gap-3">
      {metric === "tokens" && (
        <Segmented
          className="w-fit"
          label={text.group}
          value={filters.group}
          onChange={(group) => filters.set({ group })}
          options={groupings.map((value) => ({ value, label: text.groups[value] }))}
        />
      )}
      <StackedFigure
        stats={stats}
        metric={metric}
        grouping={filters.group}
        logsQuery={{
          key: filters.key,
          model: filters.model,
          ...(metric === "errors" ? { status: "error" } : {}),
        }}
      />
    </div>
  );
}

function UsageSkeleton() {
  const text = useMessages("common");
  return (
    <div aria-busy="true" className="grid gap-4">
      <span role="status" className="sr-only">
        {text.loading}
      </span>
      <div className="kpi-grid">
        {["spend", "requests", "tokens", "errors", "latency"].map((name) => (
          <Skeleton key={name} className="h-[124px]" />
        ))}
      </div>
      <Skeleton className="h-[440px]" />
      <Skeleton className="h-56" />
    </div>
  );
}

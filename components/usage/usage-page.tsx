"use client";

import { withQuery } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import type { Stats } from "../api/types";
import { useLatestData } from "../api/use-latest-data";
import { useProjectChoice } from "../api/use-project-choice";
import { useProjects } from "../api/use-projects";
import { useRead } from "../api/use-read";
import { usePreloadedCharts } from "../charts/lazy";
import { useMessages } from "../i18n/provider";
import { FirstCall } from "../snippets/first-call";
import { modelToTry } from "../snippets/model-to-try";
import { Button } from "../ui/button";
import { Card, PageHeader } from "../ui/card";
import { Segmented } from "../ui/segmented";
import { Dimmed, EmptyState, ProgressLine, Skeleton } from "../ui/states";
import { Tabs } from "../ui/tabs";
import { shownGrouping } from "./breakdown";
import { BreakdownTable } from "./breakdown-table";
import { LatencyFigure } from "./latency-figure";
import { StackedFigure } from "./usage-figure";
import { UsageFilterBar } from "./usage-filter-bar";
import { UsageKpis } from "./usage-kpis";
import { usageWeek } from "./usage-week";
import {
  daysProblem,
  errorSplits,
  type Grouping,
  groupings,
  type Metric,
  metrics,
  statsQueryOf,
  type UsageFilters,
  useUsageFilters,
} from "./use-usage-filters";

/** Whose usage a page shows: the own account's, or everybody's. */
export interface UsageSource {
  stats: "/api/user/stats" | "/api/admin/stats";
  logs: string;
  admin: boolean;
}

const own: UsageSource = { stats: "/api/user/stats", logs: "/console/logs", admin: false };

/** What a page can be narrowed to. */
const narrowings = ["key", "model", "user", "project", "member"] as const;

const noNarrowing = { key: null, model: null, user: null, project: null, member: null };

/** Usage over a period, by model, account, key or day. */
export function UsagePage(props: { source?: UsageSource; title?: string; lead?: string }) {
  const text = useMessages("usage");
  const common = useMessages("common");
  const { source = own, title = text.title, lead = text.lead } = props;
  const filters = useUsageFilters();
  const impossible = daysProblem(filters) !== null;
  const offered = useGroupings(filters, source);
  // A grouping that the reader is not shown is one by model.
  const by = offered.includes(filters.by) ? filters.by : "model";
  const query = statsQueryOf({ ...filters, by });
  const stats = useRead(`GET ${source.stats}`, { query }, { enabled: !impossible });
  const kept = useLatestData(stats);
  const isFiltered = narrowings.some((name) => filters[name] !== null);
  const isCustom = filters.from !== null || filters.to !== null;
  usePreloadedCharts(isCustom || filters.period !== usageWeek.period);
  const clear = () => filters.set({ ...noNarrowing, from: null, to: null });
  return (
    <>
      <PageHeader title={title} lead={lead} />
      <div className="grid grid-cols-1 gap-4">
        <UsageFilterBar filters={filters} admin={source.admin} />
        <ProgressLine active={stats.isFetching && !stats.isPending} />
        {kept.problem !== null && (
          <ErrorPanel
            error={kept.problem}
            onRetry={() => stats.refetch()}
            dataFrom={kept.readAt}
            otherSelection={kept.otherSelection}
            action={(isFiltered || isCustom) && <Button onClick={clear}>{common.clearFilters}</Button>}
          />
        )}
        {impossible && (
          <Button className="w-fit" onClick={clear}>
            {common.clearFilters}
          </Button>
        )}
        {stats.isPending && !impossible && kept.data === undefined && <UsageSkeleton />}
        {kept.data !== undefined && (
          <Dimmed active={kept.old || impossible}>
            <UsageBody
              stats={kept.data}
              filters={{ ...filters, by }}
              source={source}
              untouched={!isFiltered}
              offered={offered}
            />
          </Dimmed>
        )}
      </div>
    </>
  );
}

interface BodyProps {
  stats: Stats;
  filters: UsageFilters;
  source: UsageSource;
}

/**
 * By what usage can be shown: everybody's by account too, and where there are projects by project and by who made the
 * keys. A member sees the sums of a project alone.
 */
function useGroupings({ project, by }: UsageFilters, { admin }: UsageSource): Grouping[] {
  const projects = useProjects(!admin);
  const all = useProjectChoice(admin, project);
  const isMember = projects.find(({ id }) => id === project)?.role === "member";
  const hidden = new Set<Grouping>([
    ...(admin ? [] : (["user"] as const)),
    ...(all.length === 0 && by !== "project" && by !== "member" ? (["project", "member"] as const) : []),
    ...(isMember ? (["key", "project", "member"] as const) : []),
  ]);
  return groupings.filter((one) => !hidden.has(one));
}

function UsageBody(props: BodyProps & { untouched: boolean; offered: Grouping[] }) {
  const text = useMessages("usage");
  const { stats, filters, source } = props;
  const model = modelToTry(useRead("GET /api/user/models").data?.data ?? []);
  const by = shownGrouping(stats, filters.by);
  if (stats.totalRequests === 0 && stats.previous.requestCount === 0 && props.untouched) {
    return (
      <Card>
        <EmptyState title={source.admin ? text.noData : text.empty} />
        {!source.admin && <FirstCall model={model} />}
      </Card>
    );
  }
  const narrow: Record<Grouping, (id: string) => unknown> = {
    model: (id) => filters.set({ model: id }),
    key: (id) => filters.set({ key: id }),
    user: (id) => filters.set({ user: id }),
    project: (id) => filters.set({ project: id }),
    member: (id) => filters.set({ member: id }),
    day: () => undefined,
  };
  return (
    <>
      <UsageKpis stats={stats} logs={{ path: source.logs, query: logsQueryOf(filters) }} />
      <Segmented
        className="w-fit"
        label={text.group}
        value={filters.by}
        onChange={(next) => filters.set({ by: next })}
        options={props.offered.map((value) => ({ value, label: nameOfGrouping(value, stats, text.by) }))}
      />
      <Card>
        <Tabs<Metric>
          label={text.metric}
          value={filters.metric}
          onChange={(metric) => filters.set({ metric })}
          tabs={metrics.map((metric) => ({
            value: metric,
            label: text.metrics[metric],
            content: <MetricFigure metric={metric} by={by} {...props} />,
          }))}
        />
      </Card>
      <BreakdownTable
        stats={stats}
        by={by}
        latency={filters.metric === "latency"}
        onPick={narrow[by]}
        logsHref={(from, to) => withQuery(source.logs, { from, to, ...logsQueryOf(filters) })}
      />
    </>
  );
}

/** The buckets of a day are hours. */
function nameOfGrouping(by: Grouping, stats: Stats, names: Record<Grouping | "hour", string>): string {
  return by === "day" && stats.bucket === "hour" ? names.hour : names[by];
}

function logsQueryOf({ key, user, project, member, model }: UsageFilters): Record<string, string | null> {
  return { key, user, project, member, model };
}

function MetricFigure(props: BodyProps & { metric: Metric; by: Grouping }) {
  const { metric, stats, source, filters, by } = props;
  const text = useMessages("usage");
  if (metric === "latency")
    return (
      <LatencyFigure
        stats={stats}
        grouping={by}
        percentile={filters.percentile}
        onPercentile={(percentile) => filters.set({ percentile })}
      />
    );
  const byCode = metric === "errors" && (by === "day" || filters.errors === "code");
  return (
    <StackedFigure
      stats={stats}
      metric={metric}
      grouping={byCode ? "day" : by}
      title={byCode ? text.errorsByCode : text.units[metric]}
      choice={
        metric === "errors" &&
        by !== "day" && (
          <Segmented
            label={text.errorsBy}
            value={filters.errors}
            onChange={(errors) => filters.set({ errors })}
            options={errorSplits.map((value) => ({
              value,
              label: value === "code" ? text.errorCode : text.by[by],
            }))}
          />
        )
      }
      withPage
      logsPath={source.logs}
      logsQuery={{ ...logsQueryOf(filters), ...(metric === "errors" ? { outcome: "unanswered" } : {}) }}
    />
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

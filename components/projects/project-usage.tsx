"use client";

import { QueryRegion } from "../api/query-region";
import { useRead } from "../api/use-read";
import { useMessages } from "../i18n/provider";
import { Card } from "../ui/card";
import { Segmented } from "../ui/segmented";
import { Skeleton } from "../ui/states";
import { shownGrouping } from "../usage/breakdown";
import { PeriodSwitch } from "../usage/period-switch";
import { StackedFigure } from "../usage/usage-figure";
import { UsageKpis } from "../usage/usage-kpis";
import { useUsageFilters } from "../usage/use-usage-filters";
import type { OpenedProject } from "./types";

const groupings = ["model", "member", "key"] as const;

/** What the keys of a project have used in a period; its owners see it by member and key too. */
export function ProjectUsage({ project }: { project: OpenedProject }) {
  const text = useMessages("projects");
  const filters = useUsageFilters();
  const { from, to, zone: tz } = filters;
  const period = from === null && to === null ? filters.period : null;
  const owns = project.role === "owner";
  const by = owns ? (groupings.find((one) => one === filters.by) ?? "model") : "model";
  const groupBy = by === "model" ? null : by;
  const query = { period, from, to, tz, projectId: project.id, groupBy };
  const stats = useRead("GET /api/user/stats", { query });
  const logs = { project: project.id };
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <PeriodSwitch filters={filters} />
        {owns && (
          <Segmented
            label={text.groupBy}
            value={by}
            onChange={(next) => filters.set({ by: next })}
            options={groupings.map((value) => ({ value, label: text.groups[value] }))}
          />
        )}
      </div>
      <QueryRegion query={stats} keepsOther skeleton={<Skeleton className="h-[500px]" />}>
        {(data) => (
          <div className="grid gap-4">
            <UsageKpis stats={data} logs={{ path: "/console/logs", query: logs }} />
            <Card>
              {data.totalRequests === 0 ? (
                <p className="py-8 text-center text-muted">{text.noRequests}</p>
              ) : (
                <StackedFigure
                  stats={data}
                  metric="cost"
                  grouping={shownGrouping(data, by)}
                  title={text.chart}
                  logsPath="/console/logs"
                  logsQuery={logs}
                />
              )}
            </Card>
          </div>
        )}
      </QueryRegion>
    </div>
  );
}

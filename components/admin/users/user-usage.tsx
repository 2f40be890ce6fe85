"use client";

import type { AdminUser } from "../../api/admin/types";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { Skeleton } from "../../ui/states";
import { PeriodSwitch } from "../../usage/period-switch";
import { StackedFigure } from "../../usage/usage-figure";
import { UsageKpis } from "../../usage/usage-kpis";
import { useUsageFilters } from "../../usage/use-usage-filters";

/** What the account has used in a period. */
export function UserUsage({ user }: { user: AdminUser }) {
  const page = useMessages("adminUsers").page;
  const filters = useUsageFilters();
  const { from, to, zone: tz } = filters;
  const period = from === null && to === null ? filters.period : null;
  const stats = useRead("GET /api/admin/stats", { query: { period, from, to, tz, userId: user.id } });
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <PeriodSwitch filters={filters} />
      </div>
      <QueryRegion query={stats} keepsOther skeleton={<Skeleton className="h-[500px]" />}>
        {(data) => (
          <div className="grid gap-4">
            <UsageKpis stats={data} logs={{ path: "/admin/logs", query: { user: user.id } }} />
            <Card>
              {data.totalRequests === 0 ? (
                <p className="py-8 text-center text-muted">{page.noRequests}</p>
              ) : (
                <StackedFigure
                  stats={data}
                  metric="cost"
                  grouping="model"
                  title={page.chart}
                  logsPath="/admin/logs"
                  logsQuery={{ user: user.id }}
                />
              )}
            </Card>
          </div>
        )}
      </QueryRegion>
    </div>
  );
}

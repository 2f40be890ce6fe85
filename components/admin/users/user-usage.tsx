"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useFormat, useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { Segmented } from "../../ui/segmented";
import { Skeleton } from "../../ui/states";
import { StackedFigure } from "../../usage/usage-figure";
import { UsageKpis } from "../../usage/usage-kpis";
import { useAdminStats } from "../queries";
import { QueryRegion } from "../query-region";
import type { AdminUser } from "../types";

const periods = ["7d", "30d"] as const;

/** What the account has used in a week or a month. */
export function UserUsage({ user }: { user: AdminUser }) {
  const text = useMessages("admin").overview;
  const page = useMessages("adminUsers").page;
  const format = useFormat();
  const [period, setPeriod] = useQueryState("period", parseAsStringLiteral(periods).withDefault("7d"));
  const stats = useAdminStats({ period, tz: format.timeZone, userId: user.id });
  return (
    <div className="grid gap-4">
      <Segmented
        className="w-fit"
        label={text.period}
        value={period}
        onChange={(chosen) => void setPeriod(chosen)}
        options={periods.map((value) => ({ value, label: text.periods[value] }))}
      />
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

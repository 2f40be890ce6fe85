"use client";

import { parseAsStringLiteral, useQueryStates } from "nuqs";
import type { AdminStats } from "../../api/admin/types";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { useFormat, useMessages } from "../../i18n/provider";
import { ErrorReasons } from "../../overview/error-reasons";
import { Card, PageHeader } from "../../ui/card";
import { Segmented } from "../../ui/segmented";
import { Skeleton } from "../../ui/states";
import { StackedFigure } from "../../usage/usage-figure";
import { AdminKpis } from "./admin-kpis";
import { Attention } from "./attention";
import { LowAccounts } from "./low-accounts";
import { MoneyCheck } from "./money-check";
import { NodeStrip } from "./node-strip";
import { RecentRefusals } from "./recent-refusals";
import { TopTables } from "./top-tables";

const periods = ["24h", "7d", "30d"] as const;

/** Traffic, cost and nodes of the whole gateway on one page. */
export function AdminOverview() {
  const text = useMessages("admin").overview;
  const common = useMessages("common");
  const format = useFormat();
  const [url, setUrl] = useQueryStates({ period: parseAsStringLiteral(periods).withDefault("7d") });
  const stats = useRead("GET /api/admin/stats", { query: { period: url.period, tz: format.timeZone } });
  return (
    <>
      <PageHeader
        title={text.title}
        lead={text.lead}
        actions={
          <Segmented
            label={text.period}
            value={url.period}
            onChange={(period) => setUrl({ period })}
            options={periods.map((value) => ({ value, label: text.periods[value] }))}
          />
        }
      />
      <div className="grid gap-4">
        <NodeStrip />
        <Attention />
        <RecentRefusals />
        <QueryRegion query={stats} keepsOther skeleton={<OverviewSkeleton label={common.loading} />}>
          {(data) => <Numbers stats={data} />}
        </QueryRegion>
        <LowAccounts />
        <MoneyCheck />
      </div>
    </>
  );
}

function Numbers(props: { stats: AdminStats }) {
  const text = useMessages("admin").overview;
  const { stats } = props;
  return (
    <div className="grid gap-4">
      <AdminKpis stats={stats} />
      <Card>
        {stats.totalRequests === 0 ? (
          <p className="py-8 text-center text-muted">{text.empty}</p>
        ) : (
          <StackedFigure
            stats={stats}
            metric="cost"
            grouping="model"
            title={text.chart}
            logsPath="/admin/logs"
            withPage
          />
        )}
      </Card>
      {stats.totals.errorCount > 0 && (
        <ErrorReasons stats={stats} title={text.errorReasons} logs="/admin/logs" />
      )}
      <TopTables stats={stats} />
    </div>
  );
}

function OverviewSkeleton(props: { label: string }) {
  return (
    <div aria-busy="true" className="grid gap-4">
      <span className="sr-only" role="status">
        {props.label}
      </span>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(180px,1fr))] gap-3">
        {["spend", "requests", "tokens", "errors", "latency"].map((name) => (
          <Skeleton key={name} className="h-[156px]" />
        ))}
      </div>
      <Skeleton className="h-[380px]" />
    </div>
  );
}

"use client";

import { ErrorPanel } from "../api/error-panel";
import { useKeyLimits, useKeys, useSelf, useStats } from "../api/queries";
import type { LogEntry, Stats } from "../api/types";
import { fromScaled, ratio, toScaled } from "../i18n/decimal";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { LimitMeters } from "../limits/limit-meters";
import { LogStatus } from "../logs/log-status";
import { Card } from "../ui/card";
import { Amount } from "../ui/data-table";
import { Kpi } from "../ui/kpi";
import { Link, TextLink } from "../ui/link";
import { Meter } from "../ui/meter";
import { Dimmed, Skeleton } from "../ui/states";
import { StackedFigure } from "../usage/usage-figure";

/** Four numbers, the week's spend, the latest requests and the limits. */
export function OverviewNumbers(props: { recent: LogEntry[] }) {
  return (
    <>
      <Spending />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Recent rows={props.recent} />
        <Limits />
      </div>
    </>
  );
}

/** The numbers of the statistics; when loading fails, the last numbers, dimmed, with the error. */
function Spending() {
  const { timeZone: tz } = useFormat();
  const week = useStats({ period: "7d", tz });
  const day = useStats({ period: "24h", tz });
  const failed = [week, day].find((query) => query.isError);
  const complete = week.data !== undefined && day.data !== undefined;
  return (
    <>
      {failed !== undefined && (
        <ErrorPanel
          error={failed.error}
          onRetry={() => void Promise.all([week.refetch(), day.refetch()])}
          dataFrom={complete ? failed.dataUpdatedAt : 0}
        />
      )}
      {(complete || failed === undefined) && (
        <Dimmed active={failed !== undefined}>
          <Numbers week={week.data} day={day.data} />
          <Week stats={week.data} />
        </Dimmed>
      )}
    </>
  );
}

function Numbers(props: { week: Stats | undefined; day: Stats | undefined }) {
  const text = useMessages("overview");
  const format = useFormat();
  const self = useSelf().data;
  const { week, day } = props;
  const today = week?.dailyBreakdown.at(-1);
  if (self === undefined || day === undefined || today === undefined) {
    return (
      <div className="kpi-grid" aria-busy="true">
        {["spend", "requests", "errors", "balance"].map((name) => (
          <Skeleton key={name} className="h-[108px]" />
        ))}
      </div>
    );
  }
  const remaining = fromScaled(toScaled(self.quota) - toScaled(self.usedExact));
  const note = fill(text.balanceNote, format.spent(self.usedExact, self.quota));
  return (
    <div className="kpi-grid">
      <Kpi label={text.costToday} value={format.money(today.cost)} title={format.moneyExact(today.cost)} />
      <Kpi
        label={text.requests24h}
        value={format.count(day.totalRequests)}
        title={format.countFull(day.totalRequests)}
      />
      <Kpi
        label={text.errorRate24h}
        value={format.percent(ratio(day.totals.errorCount, day.totals.requestCount))}
      />
      <Kpi
        label={text.balance}
        value={format.money(remaining)}
        note={
          <span className="grid gap-1">
            <Meter share={ratio(self.usedExact, self.quota)} label={text.balance} text={note} />
            {note}
          </span>
        }
      />
    </div>
  );
}

function Week(props: { stats: Stats | undefined }) {
  const text = useMessages("overview");
  const { stats } = props;
  return (
    <Card>
      {stats === undefined ? (
        <Skeleton className="h-[312px]" />
      ) : (
        <StackedFigure stats={stats} metric="cost" grouping="model" title={text.cost7d} compact />
      )}
    </Card>
  );
}

function Recent(props: { rows: LogEntry[] }) {
  const text = useMessages("overview");
  const format = useFormat();
  const print = format.moneyColumn(props.rows.map((row) => row.cost));
  return (
    <Card flush title={text.recent} actions={<TextLink href="/console/logs">{text.allLogs}</TextLink>}>
      <ul className="divide-y">
        {props.rows.map((row) => (
          <li
            key={row.requestId}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-2.5"
          >
            <Link
              href={`/console/logs?request=${row.requestId}`}
              className="min-w-0 truncate rounded-sm font-mono text-sm text-primary hover:underline"
            >
              {row.model}
            </Link>
            <span className="justify-self-end">
              <LogStatus entry={row} />
            </span>
            <span className="tabular text-xs text-muted" title={format.dateTime(row.createdAt)}>
              {format.relative(row.createdAt)} · {format.duration(row.latencyMs)}
            </span>
            <span className="text-right text-sm">
              <Amount cents={row.cost} print={print} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Limits() {
  const text = useMessages("overview");
  const keys = useKeys().data?.data ?? [];
  const busiest = [...keys]
    .filter((key) => key.status === "active")
    .sort((a, b) => (b.lastUsedAt ?? "").localeCompare(a.lastUsedAt ?? ""))[0];
  const limits = useKeyLimits(busiest?.id ?? null).data;
  return (
    <Card title={text.limits} actions={<TextLink href="/console/limits">{text.allLimits}</TextLink>}>
      {busiest === undefined ? (
        <p className="text-muted">{text.noKeys}</p>
      ) : limits === undefined ? (
        <Skeleton className="h-44" />
      ) : (
        <div className="grid gap-4">
          <p className="text-sm wrap-anywhere text-muted">
            <span className="font-medium text-fg">{busiest.name}</span> · {limits.plan.name}
          </p>
          <LimitMeters limits={limits} />
        </div>
      )}
    </Card>
  );
}

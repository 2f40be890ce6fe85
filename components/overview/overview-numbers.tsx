"use client";

import { ErrorPanel } from "../api/error-panel";
import { useKeyLimits, useKeys, useStats } from "../api/queries";
import type { LogEntry, Stats } from "../api/types";
import { compareCodes } from "../i18n/collate";
import { useModelName } from "../i18n/model-name";
import { useFormat, useMessages } from "../i18n/provider";
import { firstUsable } from "../keys/key-state";
import { LimitMeters } from "../limits/limit-meters";
import { LogStatus } from "../logs/log-status";
import { Card } from "../ui/card";
import { Amount } from "../ui/columns";
import { ButtonLink, Link, TextLink } from "../ui/link";
import { Dimmed, Skeleton } from "../ui/states";
import { StackedFigure } from "../usage/usage-figure";
import { ErrorReasons } from "./error-reasons";
import { OverviewKpis } from "./overview-kpis";
import { weekIn } from "./reads";
import { TopKeys } from "./top-keys";

/** The numbers of a week; the page asks for them with the rest, before it knows that there are any. */
export function useWeek() {
  return useStats(weekIn(useFormat().timeZone));
}

/** The week against the week before, its keys and errors, the latest requests and the limits. */
export function OverviewNumbers(props: { recent: LogEntry[]; readAt: number }) {
  const week = useWeek();
  const stats = week.data;
  const shown = stats !== undefined || !week.isError;
  return (
    <>
      {week.isError && (
        <ErrorPanel
          error={week.error}
          onRetry={() => week.refetch()}
          dataFrom={stats === undefined ? 0 : week.dataUpdatedAt}
        />
      )}
      {shown && (
        <Dimmed active={week.isError}>
          <OverviewKpis stats={stats} />
        </Dimmed>
      )}
      {/* What stands in one row is equally high: lists that are about as long, whatever the account has. */}
      <div className="grid gap-4 max-lg:*:below-first-screen lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {shown && (
          <Dimmed active={week.isError}>
            <Week stats={stats} />
          </Dimmed>
        )}
        <Recent rows={props.recent} readAt={props.readAt} />
        {shown && (
          <>
            <Dimmed active={week.isError}>
              {stats === undefined ? <Skeleton className="h-28" /> : <TopKeys stats={stats} />}
            </Dimmed>
            <Dimmed active={week.isError}>
              {stats === undefined ? <Skeleton className="h-28" /> : <ErrorReasons stats={stats} />}
            </Dimmed>
          </>
        )}
        <div className="lg:col-span-full">
          <Limits />
        </div>
      </div>
    </>
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
        <StackedFigure stats={stats} metric="cost" grouping="model" title={text.cost7d} compact withPage />
      )}
    </Card>
  );
}

/** Ages are as of the reading, so that the page that the server sends and the browser's are the same. */
function Recent(props: { rows: LogEntry[]; readAt: number }) {
  const text = useMessages("overview");
  const modelName = useModelName();
  const format = useFormat();
  const print = format.listColumn("request");
  return (
    <Card flush title={text.recent} actions={<TextLink href="/console/logs">{text.allLogs}</TextLink>}>
      <ul className="divide-y">
        {props.rows.map((row) => (
          <li
            key={row.requestId}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-2"
          >
            <Link
              href={`/console/logs?request=${row.requestId}`}
              className="min-w-0 truncate rounded-sm font-mono text-sm leading-6 text-primary hover:underline"
            >
              {modelName(row.model)}
            </Link>
            <span className="justify-self-end">
              <LogStatus entry={row} />
            </span>
            <span className="tabular text-xs text-muted" title={format.dateTime(row.createdAt)}>
              {format.relative(row.createdAt, props.readAt)} · {format.duration(row.latencyMs)}
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
  const busiest = firstUsable(keys.toSorted((a, b) => compareCodes(b.lastUsedAt ?? "", a.lastUsedAt ?? "")));
  const limits = useKeyLimits(busiest?.id ?? null).data;
  return (
    <Card title={text.limits} actions={<TextLink href="/console/limits">{text.allLimits}</TextLink>}>
      {busiest === undefined ? (
        <div className="grid justify-items-start gap-3">
          <p className="text-muted">{text.noKeys}</p>
          <ButtonLink href="/console/keys?create=1" size="sm">
            {text.createKey}
          </ButtonLink>
        </div>
      ) : limits === undefined ? (
        <Skeleton className="h-28" />
      ) : (
        <div className="grid gap-4">
          <p className="text-sm wrap-anywhere text-muted">
            <span className="font-medium text-fg">{busiest.name}</span> · {limits.plan.name}
          </p>
          <LimitMeters apiKey={busiest} limits={limits} across />
        </div>
      )}
    </Card>
  );
}

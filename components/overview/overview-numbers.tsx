"use client";

import { compareCodes } from "@/lib/shared/collate";
import { ratio } from "@/lib/shared/decimal";
import { ErrorPanel } from "../api/error-panel";
import { firstKeys } from "../api/first-keys";
import { firstUsable } from "../api/key-state";
import type { LogEntry, Stats } from "../api/types";
import { useRead } from "../api/use-read";
import { plural } from "../i18n/fill";
import { useKeyName } from "../i18n/key-name";
import { useModelName } from "../i18n/model-name";
import { useFormat, useMessages } from "../i18n/provider";
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

/** The numbers of a week; the page asks for them with the rest, before it knows that there are any. */
export function useWeek() {
  return useRead("GET /api/user/stats", { query: weekIn(useFormat().timeZone) });
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
  const keys = useRead("GET /api/user/tokens", firstKeys).data?.data ?? [];
  const busiest = firstUsable(keys.toSorted((a, b) => compareCodes(b.lastUsedAt ?? "", a.lastUsedAt ?? "")));
  const limits = useRead(
    "GET /api/user/tokens/{id}/limits",
    { params: { id: busiest?.id ?? "" } },
    { enabled: busiest !== undefined },
  ).data;
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

const SHOWN_KEYS = 4;

/** The keys with the highest cost in the period of the statistics, which are grouped by key. */
function TopKeys(props: { stats: Stats }) {
  const text = useMessages("overview");
  const format = useFormat();
  const keyName = useKeyName();
  const { stats } = props;
  const rows = stats.groups?.rows.slice(0, SHOWN_KEYS) ?? [];
  const print = format.moneyColumn(rows.map(({ cost }) => cost));
  return (
    <Card flush title={text.topKeys} actions={<TextLink href="/console/keys">{text.allKeys}</TextLink>}>
      {rows.length === 0 && <p className="p-4 text-sm text-muted">{text.noKeyUsed}</p>}
      {/* In two columns where there is room for them; one key has the whole row. */}
      <ul className="grid overflow-hidden sm:grid-cols-2">
        {rows.map((row) => (
          <li
            key={row.id}
            className="-mb-px grid min-w-0 grid-cols-1 gap-1 border-b px-4 py-2 first:last:col-span-full"
          >
            <div className="flex items-center justify-between gap-3 text-sm">
              <Link
                href={`/console/usage?key=${row.id}`}
                className="min-w-0 truncate rounded-sm leading-6 font-medium text-primary hover:underline"
              >
                {keyName(row.name) || row.keyPrefix}
              </Link>
              <Amount cents={row.cost} print={print} />
            </div>
            <div className="tabular flex items-center gap-3 text-xs text-muted">
              <span aria-hidden className="h-1 flex-1 overflow-hidden rounded-full bg-line">
                <span
                  className="block h-full rounded-full bg-primary"
                  style={{ width: `${ratio(row.cost, stats.totals.cost) * 100}%` }}
                />
              </span>
              {plural(text.requestCount, row.requestCount, format.locale)}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import { useState } from "react";
import { refreshLogs } from "../api/refresh";
import { useRead } from "../api/use-read";
import { plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { ExportLink } from "../lists/export-link";
import { ListPage, useListSource } from "../lists/list-page";
import { useHrefOf } from "../lists/list-state";
import { isTimeTooLong } from "../lists/shorter-times";
import { FirstCall } from "../snippets/first-call";
import { modelToTry } from "../snippets/model-to-try";
import { Button } from "../ui/button";
import { cn } from "../ui/cn";
import { CountsNote } from "./counted-filter";
import { LiveLog } from "./live-log";
import { LogDrawer } from "./log-drawer";
import { useLogFilterBar } from "./log-filter-bar";
import type { LogPath } from "./log-query";
import type { LogRow, LogSource } from "./log-rows";
import { LogSortSelect, LogTable } from "./log-table";
import { SavedViews } from "./saved-views";
import { type UrlLogFilters, useLogFilters } from "./use-log-filters";
import { useLogVolume } from "./use-log-volume";
import { VolumeStrip } from "./volume-strip";

const PEEK_MS = 10_000;

/** The request log. */
export function LogsPage(props: { source: LogSource; title?: string; lead?: string }) {
  const text = useMessages("logs");
  const { source } = props;
  const filters = useLogFilters();
  const { list, query } = filters;
  const { cursor, sort, pageSize: _size, ...narrowing } = query;
  const logs = useRead(`GET ${source.logs}`, { query });
  const shown = useListSource<LogRow>(logs);
  const rows = shown.page?.data ?? [];
  const hrefOf = useHrefOf("request");
  const live = useLive(filters);
  const isCurrent = logs.isSuccess && !logs.isPlaceholderData && !shown.old;
  const following = live.on && isCurrent;
  const newRows = isCurrent && cursor === null && sort === null && (
    <NewRows filters={filters} path={source.logs} shown={rows} onShow={() => logs.refetch()} />
  );
  return (
    <>
      <ListPage
        title={props.title ?? text.title}
        lead={props.lead ?? text.lead}
        actions={
          <>
            <Button aria-pressed={live.on} variant={live.on ? "primary" : "secondary"} onClick={live.toggle}>
              <Activity aria-hidden className="size-4" />
              {text.live.name}
            </Button>
            <ExportLink path={`${source.logs}/export`} query={{ ...narrowing }} hint={text.exportHint} />
          </>
        }
        above={
          <>
            <SavedViews filters={filters} list={source.admin ? "all" : "own"} />
            {!isTimeTooLong(logs.error) && (
              <VolumeStrip filters={filters} path={source.logs} live={following} />
            )}
          </>
        }
        state={list}
        filters={useLogFilterBar(filters, source)}
        moreNote={
          <>
            <LogSortSelect order={filters.order} />
            <CountsNote filters={filters} path={source.logs} />
          </>
        }
        source={shown}
        byCursor
        byTime={sort === null}
        count={text.requests}
        matching={useMatching(filters, source.logs, following)}
        notice={rows.length === 0 && newRows}
        {...(following && {
          instead: <LiveLog key={JSON.stringify(query)} filters={filters} source={source} first={rows} />,
        })}
        noMatches={<OtherOutcome filters={filters} path={source.logs} />}
        empty={text.empty}
        emptyBody={<FirstModelCall />}
      >
        {(page) => (
          <div className="relative min-w-0">
            {newRows}
            <LogTable rows={page} filters={filters} hrefOf={hrefOf} />
          </div>
        )}
      </ListPage>
      {!following && <LogDrawer rows={rows} filters={filters} source={source} />}
    </>
  );
}

/**
 * Whether the newest rows are followed. Older pages, times that have an end and other orders than newest first do not
 * grow; following leaves them.
 */
function useLive({ list, order }: UrlLogFilters) {
  const client = useQueryClient();
  const [wanted, setWanted] = useState(false);
  const newest = list.cursor === null && list.url.to === null && order.sort === null;
  const on = wanted && newest;
  function toggle() {
    setWanted(!on);
    if (on) void refreshLogs(client);
    else if (!newest) {
      list.set({ to: null });
      order.onSort(null);
    }
  }
  return { on, toggle };
}

/**
 * How many requests match on all pages: as the first page counted them, or, where they are too many for that and while
 * the log is followed, the bars above the list, which reach until now. Null while neither is known.
 */
function useMatching({ query, url }: UrlLogFilters, path: LogPath, live: boolean): number | null {
  const first = useRead(`GET ${path}`, { query: { ...query, cursor: null } }).data;
  const volume = useLogVolume(query, path, live).data;
  if (first === undefined) return null;
  if (first.total !== null && !live) return first.total;
  if (volume === undefined || url.to !== null) return first.total;
  return volume.buckets.reduce((sum, { requestCount }) => sum + requestCount, 0);
}

function FirstModelCall() {
  return <FirstCall model={modelToTry(useRead("GET /api/user/models").data?.data ?? [])} />;
}

/**
 * What helps where nothing matches. A search says what it finds. Where nothing failed, what was refused is offered, and
 * the other way round: the two are easily taken for one another.
 */
function OtherOutcome({ filters, path }: { filters: UrlLogFilters; path: LogPath }) {
  const text = useMessages("logs");
  const common = useMessages("common");
  const format = useFormat();
  const { outcome } = filters.url;
  const other = outcome === "failed" ? "refused" : "failed";
  const isAsked = outcome === "failed" || outcome === "refused";
  const query = { ...filters.query, outcome: other, sort: null, cursor: null, pageSize: 1 };
  const total = useRead(`GET ${path}`, { query }, { enabled: isAsked }).data?.total ?? 0;
  if (filters.url.find !== null)
    return <p className="pb-6 text-center text-sm text-muted">{text.requestIdHint}</p>;
  if (!isAsked) return null;
  return (
    <div className="grid justify-items-center gap-3 pb-6 text-center text-sm text-muted">
      <p>{common.outcomes.hint}</p>
      {total > 0 && (
        <Button size="sm" onClick={() => filters.list.set({ outcome: other })}>
          {plural(text.otherOutcome[other], total, format.locale)}
        </Button>
      )}
    </div>
  );
}

/** Announces newer rows without moving the visible ones: over rows it floats, and takes no height of its own. */
function NewRows(props: { filters: UrlLogFilters; path: LogPath; shown: LogRow[]; onShow: () => void }) {
  const text = useMessages("logs");
  const format = useFormat();
  const peek = useRead(
    `GET ${props.path}`,
    { query: { ...props.filters.query, pageSize: 49 } },
    { refetchInterval: PEEK_MS },
  );
  const newest = props.shown[0];
  const found = peek.data?.data ?? [];
  const known = new Set(props.shown.map((row) => row.requestId));
  const count = found.filter(
    (row) => !known.has(row.requestId) && (newest === undefined || row.createdAt >= newest.createdAt),
  ).length;
  return (
    <div
      role="status"
      className={cn(
        "flex justify-center",
        newest === undefined
          ? "empty:hidden"
          : "pointer-events-none absolute inset-x-0 -top-2 z-10 h-0 items-center md:justify-end",
      )}
    >
      {count > 0 && (
        <Button size="sm" className="pointer-events-auto shadow-float" onClick={props.onShow}>
          {plural(text.newRequests, count, format.locale)}
        </Button>
      )}
    </div>
  );
}

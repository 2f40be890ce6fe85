"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Activity, Download } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { withQuery } from "../api/client";
import { type LogPath, queryKeys, type StatsPath, useLogs, useModels } from "../api/queries";
import { plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { ListPage, useListSource } from "../lists/list-page";
import { FirstCall } from "../overview/first-call";
import { modelToTry } from "../snippets/snippets";
import { Button, buttonClass } from "../ui/button";
import { LiveLog } from "./live-log";
import { LogDrawer } from "./log-drawer";
import { useLogFilterBar } from "./log-filter-bar";
import type { LogRow } from "./log-rows";
import { LogTable } from "./log-table";
import { SavedViews } from "./saved-views";
import { type UrlLogFilters, useLogFilters } from "./use-log-filters";
import { VolumeStrip } from "./volume-strip";

const PEEK_MS = 10_000;

/** The source of a log: the account's own, or that of all accounts. */
export interface LogSource {
  logs: LogPath;
  stats: StatsPath;
  admin: boolean;
}

/** The request log. */
export function LogsPage(props: { source: LogSource; title?: string; lead?: string }) {
  const text = useMessages("logs");
  const { source } = props;
  const filters = useLogFilters();
  const { list, query } = filters;
  const { cursor, pageSize: _size, ...narrowing } = query;
  const logs = useLogs(query, { path: source.logs });
  const shown = useListSource<LogRow>(logs);
  const rows = shown.page?.data ?? [];
  const hrefOf = useRequestHref();
  const live = useLive(filters);
  const isCurrent = logs.isSuccess && !logs.isPlaceholderData && !shown.old;
  const following = live.on && isCurrent;
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
            <a className={buttonClass()} href={withQuery(`${source.logs}/export`, { ...narrowing })} download>
              <Download aria-hidden className="size-4" />
              {text.exportCsv}
            </a>
          </>
        }
        above={
          <>
            <SavedViews filters={filters} list={source.admin ? "all" : "own"} />
            <VolumeStrip filters={filters} path={source.stats} />
          </>
        }
        state={list}
        filters={useLogFilterBar(filters, source.admin)}
        source={shown}
        byCursor
        notice={
          isCurrent &&
          cursor === null && (
            <NewRows filters={filters} path={source.logs} shown={rows} onShow={() => logs.refetch()} />
          )
        }
        {...(following && {
          instead: (
            <LiveLog
              key={JSON.stringify(query)}
              filters={filters}
              source={source}
              first={rows}
              hrefOf={hrefOf}
            />
          ),
        })}
        empty={text.empty}
        emptyBody={<FirstModelCall />}
      >
        {(page) => <LogTable rows={page} hrefOf={hrefOf} current={filters.url.request} />}
      </ListPage>
      {!following && <LogDrawer rows={rows} filters={filters} source={source} />}
    </>
  );
}

/** Whether the newest rows are followed. Older pages, and times that have an end, do not grow. */
function useLive({ list }: UrlLogFilters) {
  const client = useQueryClient();
  const [wanted, setWanted] = useState(false);
  const newest = list.cursor === null && list.url.to === null;
  const on = wanted && newest;
  function toggle() {
    setWanted(!on);
    if (on) void client.invalidateQueries({ queryKey: queryKeys.logs });
    else if (!newest) list.set({ to: null });
  }
  return { on, toggle };
}

function FirstModelCall() {
  return <FirstCall model={modelToTry(useModels().data?.data ?? [])} />;
}

/** The address of this view with one request open. */
function useRequestHref(): (requestId: string) => string {
  const path = usePathname();
  const search = useSearchParams();
  return (requestId) => {
    const query = new URLSearchParams(search);
    query.set("request", requestId);
    return `${path}?${query}`;
  };
}

/** Announces newer rows without moving the visible ones. */
function NewRows(props: { filters: UrlLogFilters; path: LogPath; shown: LogRow[]; onShow: () => void }) {
  const text = useMessages("logs");
  const format = useFormat();
  const peek = useLogs({ ...props.filters.query, pageSize: 49 }, { path: props.path, refetchMs: PEEK_MS });
  const newest = props.shown[0];
  const found = peek.data?.data ?? [];
  const known = new Set(props.shown.map((row) => row.requestId));
  const count = found.filter(
    (row) => !known.has(row.requestId) && (newest === undefined || row.createdAt >= newest.createdAt),
  ).length;
  return (
    <div role="status" className="flex justify-center empty:hidden">
      {count > 0 && (
        <Button size="sm" onClick={props.onShow}>
          {plural(text.newRequests, count, format.locale)}
        </Button>
      )}
    </div>
  );
}

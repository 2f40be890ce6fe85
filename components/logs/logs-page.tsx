"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Activity, Download } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { withQuery } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import { type LogPath, queryKeys, type StatsPath, useLogs, useModels } from "../api/queries";
import { useLatestData } from "../api/use-latest-data";
import { plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { previousPage, rememberPreviousPage } from "../lists/cursor-history";
import { FirstCall } from "../overview/first-call";
import { modelToTry } from "../snippets/snippets";
import { Button, buttonClass } from "../ui/button";
import { PageHeader } from "../ui/card";
import { Dimmed, EmptyState, ProgressLine, SkeletonRows } from "../ui/states";
import { LiveLog } from "./live-log";
import { LogDrawer } from "./log-drawer";
import { LogFilterBar } from "./log-filter-bar";
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
  const filters = useLogFilters();
  const { cursor, pageSize: _size, ...narrowing } = filters.query;
  const client = useQueryClient();
  const [wanted, setWanted] = useState(false);
  // Older pages do not grow.
  const live = wanted && cursor === null;
  function switchLive() {
    setWanted(!live);
    if (live) void client.invalidateQueries({ queryKey: queryKeys.logs });
    else void filters.set({ to: null, cursor: null });
  }
  return (
    <>
      <PageHeader
        title={props.title ?? text.title}
        lead={props.lead ?? text.lead}
        actions={
          <>
            <Button aria-pressed={live} variant={live ? "primary" : "secondary"} onClick={switchLive}>
              <Activity aria-hidden className="size-4" />
              {text.live.name}
            </Button>
            <a
              className={buttonClass()}
              href={withQuery(`${props.source.logs}/export`, { ...narrowing })}
              download
            >
              <Download aria-hidden className="size-4" />
              {text.exportCsv}
            </a>
          </>
        }
      />
      <div className="grid gap-3">
        <SavedViews filters={filters} list={props.source.admin ? "all" : "own"} />
        <VolumeStrip filters={filters} path={props.source.stats} />
        <LogFilterBar filters={filters} ownKeys={!props.source.admin} />
        <LogRegion filters={filters} source={props.source} live={live} />
      </div>
    </>
  );
}

function LogRegion(props: { filters: UrlLogFilters; source: LogSource; live: boolean }) {
  const common = useMessages("common");
  const { filters, source } = props;
  const logs = useLogs(filters.query, { path: source.logs });
  const kept = useLatestData(logs);
  const rows: LogRow[] = kept.data?.data ?? [];
  const hrefOf = useRequestHref();
  if (props.live && logs.isSuccess && !logs.isPlaceholderData) {
    const key = JSON.stringify(filters.query);
    return <LiveLog key={key} filters={filters} source={source} first={rows} hrefOf={hrefOf} />;
  }
  return (
    <>
      <ProgressLine active={logs.isFetching && !logs.isPending} />
      {kept.problem !== null && (
        <ErrorPanel
          error={kept.problem}
          onRetry={() => logs.refetch()}
          dataFrom={kept.readAt}
          otherSelection={kept.otherSelection}
        />
      )}
      {logs.isPending && kept.data === undefined && (
        <SkeletonRows label={common.loading} rows={10} height="h-11" />
      )}
      {logs.isSuccess && !kept.old && filters.url.cursor === null && (
        <NewRows filters={filters} path={source.logs} shown={rows} onShow={() => logs.refetch()} />
      )}
      {logs.isSuccess && !kept.old && rows.length === 0 && <NoRows filters={filters} />}
      {rows.length > 0 && (
        <Dimmed active={kept.old}>
          <LogTable rows={rows} hrefOf={hrefOf} current={filters.url.request} />
        </Dimmed>
      )}
      <Steps filters={filters} next={kept.data?.nextCursor ?? null} />
      <LogDrawer rows={rows} filters={filters} source={source} />
    </>
  );
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

function NoRows(props: { filters: UrlLogFilters }) {
  const text = useMessages("logs");
  const common = useMessages("common");
  const model = modelToTry(useModels().data?.data ?? []);
  if (props.filters.filtered) {
    return (
      <EmptyState
        title={common.noMatches}
        action={<Button onClick={() => props.filters.clear()}>{common.clearFilters}</Button>}
      />
    );
  }
  return (
    <div className="rounded-lg border p-4">
      <EmptyState title={text.empty} />
      <FirstCall model={model} />
    </div>
  );
}

/** Links to newer and older pages; the tab stores the previous page, so that it survives a reload or Back. */
function Steps(props: { filters: UrlLogFilters; next: string | null }) {
  const common = useMessages("common");
  const { url, set } = props.filters;
  if (url.cursor === null && props.next === null) return null;
  function older() {
    if (props.next !== null) rememberPreviousPage(props.next, url.cursor);
    void set({ cursor: props.next });
  }
  function newer() {
    void set({ cursor: url.cursor === null ? null : previousPage(url.cursor) });
  }
  return (
    <div className="flex justify-end gap-2">
      <Button size="sm" disabled={url.cursor === null} onClick={newer}>
        {common.newer}
      </Button>
      <Button size="sm" disabled={props.next === null} onClick={older}>
        {common.older}
      </Button>
    </div>
  );
}

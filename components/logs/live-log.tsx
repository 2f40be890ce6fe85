"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { ErrorPanel } from "../api/error-panel";
import { plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { useHrefOf } from "../lists/list-state";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/states";
import { LogDrawer } from "./log-drawer";
import type { LogRow, LogSource } from "./log-rows";
import { LogTable } from "./log-table";
import { useLiveTail } from "./use-live-tail";
import type { UrlLogFilters } from "./use-log-filters";

/** Counts of new rows are said at most this often. */
const SAID_EVERY_MS = 10_000;

/** The log as it grows; `first` is its newest page. */
export function LiveLog(props: { filters: UrlLogFilters; source: LogSource; first: LogRow[] }) {
  const { filters, source } = props;
  const hrefOf = useHrefOf("request");
  const list = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const busy = useBusy(list);
  const scrolled = useScrolledPast(top);
  const hold = busy || scrolled || filters.url.request !== null;
  const { cursor: _cursor, ...query } = filters.query;
  const tail = useLiveTail({ path: source.logs, filters: query, first: props.first, hold });
  return (
    <>
      <div ref={top} />
      {tail.error !== null && <ErrorPanel error={tail.error} onRetry={tail.restart} />}
      <TailStatus tail={tail} held={hold} />
      <div ref={list}>
        {tail.rows.length === 0 ? (
          <NoRows list={filters.list} />
        ) : (
          <LogTable rows={tail.rows} filters={filters} hrefOf={hrefOf} />
        )}
      </div>
      <LogDrawer rows={tail.rows} filters={filters} source={source} />
    </>
  );
}

function NoRows({ list }: Pick<UrlLogFilters, "list">) {
  const text = useMessages("logs").live;
  const common = useMessages("common");
  if (!list.filtered) return <EmptyState title={text.none} />;
  return (
    <EmptyState
      title={text.noMatches}
      action={<Button onClick={() => list.clear()}>{common.clearFilters}</Button>}
    />
  );
}

/** One line: how many rows wait, or that the log is followed. Screen readers hear how many came, and no rows. */
function TailStatus(props: { tail: ReturnType<typeof useLiveTail>; held: boolean }) {
  const text = useMessages("logs");
  const format = useFormat();
  const { waiting, cut, added, error, show } = props.tail;
  const count = waiting.length;
  const said = useSaidCount(added + count);
  if (error !== null) return null;
  return (
    <div className="sticky top-14 z-10 flex min-h-8 items-center justify-center text-sm text-muted pointer-coarse:min-h-11">
      {count === 0 && (
        <span className="rounded-full border bg-page px-3 py-1">
          {props.held ? text.live.held : text.live.following}
        </span>
      )}
      {count > 0 && (
        <Button size="sm" className="shadow-float" onClick={show}>
          {plural(cut ? text.moreNewRequests : text.newRequests, count, format.locale)}
        </Button>
      )}
      <p role="status" className="sr-only">
        {said > 0 && plural(text.live.added, said, format.locale)}
      </p>
    </div>
  );
}

/** How many have come since the last time that this was said; it changes every ten seconds at most. */
function useSaidCount(come: number): number {
  const [said, setSaid] = useState({ upTo: 0, count: 0, atMs: 0 });
  useEffect(() => {
    if (come === said.upTo) return;
    const waitMs = Math.max(0, said.atMs + SAID_EVERY_MS - Date.now());
    const timer = setTimeout(
      () => setSaid({ upTo: come, count: come - said.upTo, atMs: Date.now() }),
      waitMs,
    );
    return () => clearTimeout(timer);
  }, [come, said]);
  return said.count;
}

/** True while a pointer is over an element, or the focus is in it. */
function useBusy(element: RefObject<HTMLElement | null>): boolean {
  const [over, setOver] = useState(false);
  const [focused, setFocused] = useState(false);
  useEffect(() => {
    const box = element.current;
    if (box === null) return;
    const watched = new AbortController();
    const on = (type: string, work: () => void) =>
      box.addEventListener(type, work, { signal: watched.signal });
    on("pointerenter", () => setOver(true));
    on("pointerleave", () => setOver(false));
    on("focusin", () => setFocused(true));
    on("focusout", () => setFocused(false));
    return () => watched.abort();
  }, [element]);
  return over || focused;
}

/** True while an element is above what the window shows. */
function useScrolledPast(element: RefObject<HTMLElement | null>): boolean {
  const [past, setPast] = useState(false);
  useEffect(() => {
    const mark = element.current;
    if (mark === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry !== undefined) setPast(!entry.isIntersecting && entry.boundingClientRect.top < 0);
    });
    observer.observe(mark);
    return () => observer.disconnect();
  }, [element]);
  return past;
}

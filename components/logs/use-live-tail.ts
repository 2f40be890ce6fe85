"use client";

import { useEffect, useReducer, useRef, useState } from "react";
import { MINUTE_MS, SECOND_MS } from "@/lib/kernel/durations";
import { ApiError, callApi } from "../api/client";
import type { LogFilters, LogPath } from "./log-query";
import type { LogRow } from "./log-rows";

const POLL_MS = 2 * SECOND_MS;
const MAX_FAILURES = 3;
const PAGE_SIZE = 50;
/** Pages that one poll reads at most; rows beyond them are left out. */
const MAX_PAGES = 4;
const MAX_ROWS = PAGE_SIZE * MAX_PAGES;
/** Every so many polls also read the pages below those that are known, where requests end that were long under way. */
const DEEP_EVERY = 5;
/** A request is in the log when it ends, at the time of its beginning; the longest ones take so long. */
const LONGEST_REQUEST_MS = 15 * MINUTE_MS;

interface TailState {
  /** What is shown, newest first. */
  rows: LogRow[];
  /** What came while the list was held, newest first. */
  waiting: LogRow[];
  /** More came than are kept. */
  cut: boolean;
  /** How many rows were added to the shown ones. */
  added: number;
  /** Why it has stopped. */
  error: ApiError | null;
}

type TailEvent =
  | { type: "found"; rows: LogRow[]; complete: boolean; hold: boolean }
  | { type: "released" | "restarted" }
  | { type: "failed"; error: ApiError };

/**
 * Follows the log: new rows are added at the top within some two seconds. While `hold` is true they wait, so that nothing
 * moves under the reader; a hidden tab reads nothing. It stops after three failures in a row.
 */
export function useLiveTail(options: { path: LogPath; filters: LogFilters; first: LogRow[]; hold: boolean }) {
  const [state, dispatch] = useReducer(reduce, {
    rows: options.first,
    waiting: [],
    cut: false,
    added: 0,
    error: null,
  });
  const [begun] = useState(() => beginningOf(options.first));
  const latest = useRef({ ...options, state });
  useEffect(() => {
    latest.current = { ...options, state };
  });
  const stopped = state.error !== null;
  useEffect(() => {
    if (stopped) return;
    const stop = new AbortController();
    let polls = 0;
    const poll = async () => {
      const { path, filters, state: now } = latest.current;
      polls += 1;
      const found = await readNewest({
        ask: (query) => callApi(`GET ${path}`, { signal: stop.signal, query: { ...filters, ...query } }),
        from: filters.from ?? null,
        known: [...now.waiting, ...now.rows],
        begun,
        deep: polls % DEEP_EVERY === 0,
      });
      if (found.rows.length > 0) dispatch({ type: "found", ...found, hold: latest.current.hold });
    };
    void repeat(poll, stop.signal).then((error) => error !== null && dispatch({ type: "failed", error }));
    return () => stop.abort();
  }, [stopped, begun]);
  const { hold } = options;
  const isWaiting = state.waiting.length > 0;
  useEffect(() => {
    if (!hold && isWaiting) dispatch({ type: "released" });
  }, [hold, isWaiting]);
  return {
    ...state,
    show: () => dispatch({ type: "released" }),
    restart: () => dispatch({ type: "restarted" }),
  };
}

/** The next state of the tail. */
export function reduce(state: TailState, event: TailEvent): TailState {
  switch (event.type) {
    case "found": {
      const known = new Set([...state.waiting, ...state.rows].map(({ requestId }) => requestId));
      const fresh = event.rows.filter(({ requestId }) => !known.has(requestId));
      const waiting = newestFirst([...fresh, ...state.waiting]);
      const held = {
        ...state,
        waiting: waiting.slice(0, MAX_ROWS),
        cut: state.cut || !event.complete || waiting.length > MAX_ROWS,
      };
      return event.hold ? held : released(held);
    }
    case "released":
      return released(state);
    case "restarted":
      return { ...state, error: null };
    case "failed":
      return { ...state, error: event.error };
  }
}

/** After a gap the older rows go, so that the list has none. */
function released({ rows, waiting, cut, added, error }: TailState): TailState {
  const all = newestFirst(cut ? waiting : [...waiting, ...rows]);
  return { rows: all.slice(0, MAX_ROWS), waiting: [], cut: false, added: added + waiting.length, error };
}

function newestFirst(rows: LogRow[]): LogRow[] {
  const order = (row: LogRow) => `${row.createdAt} ${row.requestId}`;
  return rows.toSorted((a, b) => (order(a) < order(b) ? 1 : -1));
}

interface Beginning {
  /** The time of the oldest row on the first page; null when that page held all. */
  oldest: string | null;
  /** When the last of its requests ended. Units: milliseconds since 1970. */
  endedMs: number;
}

/** From where on the log is followed: what is older and had ended by then is not new, only not shown. */
export function beginningOf(first: readonly LogRow[]): Beginning {
  return {
    oldest: first.length < PAGE_SIZE ? null : (first.at(-1)?.createdAt ?? null),
    endedMs: Math.max(0, ...first.map(endedMs)),
  };
}

function endedMs({ createdAt, latencyMs }: LogRow): number {
  return Date.parse(createdAt) + latencyMs;
}

/** The new rows that are not known; incomplete when there are more of them than a poll reads. */
export async function readNewest(options: {
  ask: (query: LogFilters) => Promise<{ data: LogRow[]; nextCursor: string | null }>;
  from: string | null;
  /** Newest first. */
  known: readonly LogRow[];
  begun: Beginning;
  /** Whether to read on below rows that are known. */
  deep: boolean;
}): Promise<{ rows: LogRow[]; complete: boolean }> {
  const { known, begun } = options;
  const ids = new Set(known.map(({ requestId }) => requestId));
  const from = laterOf(options.from, known[0]?.createdAt ?? null);
  const isNew = (row: LogRow) =>
    begun.oldest === null || row.createdAt >= begun.oldest || endedMs(row) > begun.endedMs;
  const rows: LogRow[] = [];
  let complete = false;
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await options.ask({ from, cursor, pageSize: PAGE_SIZE });
    const fresh = answer.data.filter(({ requestId }) => !ids.has(requestId));
    rows.push(...fresh.filter(isNew));
    cursor = answer.nextCursor;
    complete ||= cursor === null || fresh.length < answer.data.length;
    if (cursor === null || (complete && !options.deep)) break;
  }
  return { rows, complete };
}

/** The beginning of the filter, or of the longest request that can end now, whichever is later. */
function laterOf(from: string | null, newest: string | null): string | null {
  if (newest === null) return from;
  const oldest = new Date(Date.parse(newest) - LONGEST_REQUEST_MS).toISOString();
  return from === null || from < oldest ? oldest : from;
}

/** Polls until it is stopped, or has failed too often; then the error. A 429 is waited for, and is no failure. */
async function repeat(poll: () => Promise<void>, signal: AbortSignal): Promise<ApiError | null> {
  let failures = 0;
  for (;;) {
    let waitMs = POLL_MS;
    try {
      await visible(signal);
      if (signal.aborted) return null;
      await poll();
      failures = 0;
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof ApiError)) throw error;
      waitMs = Math.max(POLL_MS, (error.retryAfterSeconds ?? 0) * SECOND_MS);
      const isRefused = error.status >= 400 && error.status < 500;
      failures += error.status === 429 ? 0 : isRefused ? MAX_FAILURES : 1;
      if (failures >= MAX_FAILURES) return error;
    }
    await sleep(waitMs, signal);
  }
}

/** Resolves while the tab is visible, or at the signal. */
function visible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      if (document.visibilityState !== "visible" && !signal.aborted) return;
      document.removeEventListener("visibilitychange", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    document.addEventListener("visibilitychange", done);
    signal.addEventListener("abort", done);
  });
}

/** Resolves after a time, or at the signal; the signal keeps no listener. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}

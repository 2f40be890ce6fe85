"use client";

import { useEffect, useReducer, useRef } from "react";
import { MINUTE_MS, SECOND_MS } from "@/lib/kernel/clock";
import { ApiError, callApi } from "../api/client";
import type { LogFilters, LogPath } from "../api/queries";
import type { LogRow } from "./log-rows";

const POLL_MS = 2 * SECOND_MS;
const MAX_FAILURES = 3;
const PAGE_SIZE = 50;
/** Pages that one poll reads at most; rows beyond them are left out. */
const MAX_PAGES = 4;
const MAX_ROWS = PAGE_SIZE * MAX_PAGES;
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
  const latest = useRef({ ...options, state });
  useEffect(() => {
    latest.current = { ...options, state };
  });
  const stopped = state.error !== null;
  useEffect(() => {
    if (stopped) return;
    const stop = new AbortController();
    const poll = async () => {
      const { path, filters, state: now } = latest.current;
      const found = await readNewest(path, filters, [...now.waiting, ...now.rows], stop.signal);
      if (found.rows.length > 0) dispatch({ type: "found", ...found, hold: latest.current.hold });
    };
    void repeat(poll, stop.signal).then((error) => error !== null && dispatch({ type: "failed", error }));
    return () => stop.abort();
  }, [stopped]);
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

/** The rows that are not known; incomplete when there are more of them than a poll reads. */
async function readNewest(
  path: LogPath,
  filters: LogFilters,
  known: readonly LogRow[],
  signal: AbortSignal,
): Promise<{ rows: LogRow[]; complete: boolean }> {
  const ids = new Set(known.map(({ requestId }) => requestId));
  const from = laterOf(filters.from ?? null, known[0]?.createdAt ?? null);
  const rows: LogRow[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query: LogFilters = { ...filters, from, cursor, pageSize: PAGE_SIZE };
    const answer: { data: LogRow[]; nextCursor: string | null } = await callApi(`GET ${path}`, {
      signal,
      query: { ...query },
    });
    const fresh = answer.data.filter(({ requestId }) => !ids.has(requestId));
    rows.push(...fresh);
    cursor = answer.nextCursor;
    if (cursor === null || fresh.length < answer.data.length) return { rows, complete: true };
  }
  return { rows, complete: false };
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
      resolve();
    };
    document.addEventListener("visibilitychange", done);
    signal.addEventListener("abort", done, { once: true });
  });
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { MINUTE_MS } from "@/lib/kernel/clock";
import { callApi } from "./client";
import type { KeyRecord, Period } from "./types";

/** Keys of cached queries, so that changes can invalidate them. */
export const queryKeys = {
  self: ["self"],
  keys: ["keys"],
  models: ["models"],
  plans: ["plans"],
  logs: ["logs"],
  stats: ["stats"],
  ledger: ["ledger"],
  limits: ["limits"],
  views: ["views"],
  uptime: ["uptime"],
  announcements: ["announcements"],
} as const;

/** On one page of the list. */
const MAX_KEYS_PER_PAGE = 100;

/** The signed-in account. */
export function useSelf() {
  return useQuery({
    queryKey: queryKeys.self,
    queryFn: ({ signal }) => callApi("GET /api/user/self", { signal }),
    refetchInterval: MINUTE_MS,
  });
}

/** The account's keys, newest first. */
export function useKeys(page = 1, pageSize = 100) {
  return useQuery({
    queryKey: [...queryKeys.keys, page, pageSize],
    queryFn: ({ signal }) => callApi("GET /api/user/tokens", { signal, query: { page, pageSize } }),
    refetchInterval: MINUTE_MS,
  });
}

/** The console's own key: null before its first use. */
export function useConsoleKey() {
  return useQuery({
    queryKey: [...queryKeys.keys, "console"],
    queryFn: ({ signal }) => callApi("GET /api/user/console-key", { signal }),
  });
}

/** The keys that requests are filtered by: those of the list and the console key. */
export function useFilterKeys(): { keys: KeyRecord[]; isPending: boolean } {
  const listed = useKeys();
  const own = useConsoleKey();
  const consoleKey = own.data?.apiKey ?? null;
  const keys = [...(listed.data?.data ?? []), ...(consoleKey === null ? [] : [consoleKey])];
  return { keys, isPending: listed.isPending || own.isPending };
}

/** All keys of the account, across pages. */
export function useAllKeys(enabled: boolean) {
  return useQuery({
    queryKey: [...queryKeys.keys, "all"],
    queryFn: async ({ signal }) => {
      const keys: KeyRecord[] = [];
      for (let page = 1; ; page += 1) {
        const query = { page, pageSize: MAX_KEYS_PER_PAGE };
        const { data, total } = await callApi("GET /api/user/tokens", { signal, query });
        keys.push(...data);
        if (data.length < MAX_KEYS_PER_PAGE || keys.length >= (total ?? 0)) return { data: keys };
      }
    },
    enabled,
  });
}

/** Every model that is live, with prices. */
export function useModels(enabled = true) {
  return useQuery({
    queryKey: queryKeys.models,
    queryFn: ({ signal }) => callApi("GET /api/user/models", { signal }),
    staleTime: MINUTE_MS,
    enabled,
  });
}

/** How well each model answers. */
export function useModelUptime() {
  return useQuery({
    queryKey: queryKeys.uptime,
    queryFn: ({ signal }) => callApi("GET /api/user/models/uptime", { signal }),
    refetchInterval: MINUTE_MS,
  });
}

/** What admins tell all users, the newest first. */
export function useAnnouncements() {
  return useQuery({
    queryKey: queryKeys.announcements,
    queryFn: ({ signal }) => callApi("GET /api/user/announcements", { signal }),
    refetchInterval: 5 * MINUTE_MS,
  });
}

/** The live models that generate. */
export function useGeneratingModels() {
  return useModels().data?.data.filter(({ kind }) => kind === "generation") ?? [];
}

/** The plans that exist. */
export function usePlans() {
  return useQuery({
    queryKey: queryKeys.plans,
    queryFn: ({ signal }) => callApi("GET /api/user/plans", { signal }),
    staleTime: MINUTE_MS,
  });
}

/** The live limits of one key. */
export function useKeyLimits(keyId: string | null) {
  return useQuery({
    queryKey: [...queryKeys.limits, keyId],
    queryFn: ({ signal }) =>
      callApi("GET /api/user/tokens/{id}/limits", { params: { id: keyId ?? "" }, signal }),
    enabled: keyId !== null,
    refetchInterval: 5000,
    placeholderData: (previous) => previous,
  });
}

/** The filters of the log. */
export interface LogFilters {
  from?: string | null;
  to?: string | null;
  tokenId?: string | null;
  /** In the log of all accounts only. */
  userId?: string | null;
  nodeId?: string | null;
  minAttempts?: number | null;
  model?: string | null;
  status?: string | null;
  outcome?: string | null;
  operation?: string | null;
  errorCode?: string | null;
  requestId?: string | null;
  minLatencyMs?: number | null;
  /** Cents as decimal text. */
  minCost?: string | null;
  cursor?: string | null;
  pageSize?: number;
}

/** The log of the account, or of all accounts. */
export type LogPath = "/api/user/logs" | "/api/admin/logs";

/** A page of the log. */
export function useLogs(
  filters: LogFilters,
  options: { refetchMs?: number | false; path?: LogPath; enabled?: boolean } = {},
) {
  const path = options.path ?? "/api/user/logs";
  return useQuery({
    queryKey: [...queryKeys.logs, path, filters],
    queryFn: ({ signal }) => callApi(`GET ${path}`, { signal, query: { ...filters } }),
    refetchInterval: options.refetchMs ?? false,
    enabled: options.enabled ?? true,
  });
}

/** The requests of the log over time, of which `to` leaves out none. */
export function useLogVolume(filters: LogFilters, tz: string, path: LogPath) {
  const { cursor: _cursor, pageSize: _size, to: _to, ...narrowing } = filters;
  return useQuery({
    queryKey: [...queryKeys.logs, path, "volume", narrowing, tz],
    queryFn: ({ signal }) => callApi(`GET ${path}/volume`, { signal, query: { ...narrowing, tz } }),
    refetchInterval: MINUTE_MS,
  });
}

/** One request in full. */
export function useLogDetail(requestId: string | null, path: LogPath = "/api/user/logs") {
  return useQuery({
    queryKey: [...queryKeys.logs, path, "detail", requestId],
    queryFn: ({ signal }) =>
      callApi(`GET ${path}/{requestId}`, { params: { requestId: requestId ?? "" }, signal }),
    enabled: requestId !== null,
    staleTime: MINUTE_MS,
    placeholderData: undefined,
  });
}

/** The parameters of statistics. */
export interface StatsQuery {
  /** Null: the days from and to. */
  period: Period | null;
  from?: string | null;
  to?: string | null;
  groupBy?: "key" | "user" | null;
  tz: string;
  tokenId?: string | null;
  model?: string | null;
  /** Restricts the statistics of all accounts to one. */
  userId?: string | null;
}

/** The statistics of the account, or of all accounts. */
export type StatsPath = "/api/user/stats" | "/api/admin/stats";

/** Usage statistics. */
export function useStats(query: StatsQuery, path: StatsPath = "/api/user/stats") {
  return useQuery({
    queryKey: [...queryKeys.stats, path, query],
    queryFn: ({ signal }) => callApi(`GET ${path}`, { signal, query: { ...query } }),
    refetchInterval: MINUTE_MS,
  });
}

/** A page of the ledger. */
export function useLedger(cursor: string | null) {
  return useQuery({
    queryKey: [...queryKeys.ledger, cursor],
    queryFn: ({ signal }) => callApi("GET /api/user/ledger", { signal, query: { cursor, pageSize: 50 } }),
  });
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { MINUTE_MS } from "@/lib/kernel/time";
import { callApi } from "./client";
import type {
  CatalogModel,
  KeyLimits,
  KeyRecord,
  LedgerEntry,
  LogDetail,
  LogEntry,
  Page,
  Period,
  Plan,
  Profile,
  Stats,
  Whole,
} from "./types";

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
} as const;

/** On one page of the list. */
const MAX_KEYS_PER_PAGE = 100;

/** The signed-in account. */
export function useSelf() {
  return useQuery({
    queryKey: queryKeys.self,
    queryFn: ({ signal }) => callApi<Profile>("/api/user/self", { signal }),
    refetchInterval: MINUTE_MS,
  });
}

/** The account's keys, newest first. */
export function useKeys(page = 1, pageSize = 100) {
  return useQuery({
    queryKey: [...queryKeys.keys, page, pageSize],
    queryFn: ({ signal }) =>
      callApi<Page<KeyRecord>>("/api/user/tokens", { signal, query: { page, pageSize } }),
    refetchInterval: MINUTE_MS,
  });
}

/** All keys of the account, across pages. */
export function useAllKeys(enabled: boolean) {
  return useQuery({
    queryKey: [...queryKeys.keys, "all"],
    queryFn: async ({ signal }) => {
      const keys: KeyRecord[] = [];
      for (let page = 1; ; page += 1) {
        const query = { page, pageSize: MAX_KEYS_PER_PAGE };
        const { data, total } = await callApi<Page<KeyRecord>>("/api/user/tokens", { signal, query });
        keys.push(...data);
        if (data.length < MAX_KEYS_PER_PAGE || keys.length >= (total ?? 0)) return { data: keys };
      }
    },
    enabled,
  });
}

/** Every model that is live, with prices. */
export function useModels() {
  return useQuery({
    queryKey: queryKeys.models,
    queryFn: ({ signal }) => callApi<Whole<CatalogModel>>("/api/user/models", { signal }),
    staleTime: MINUTE_MS,
  });
}

/** The plans that exist. */
export function usePlans() {
  return useQuery({
    queryKey: queryKeys.plans,
    queryFn: ({ signal }) => callApi<Whole<Plan>>("/api/user/plans", { signal }),
    staleTime: MINUTE_MS,
  });
}

/** The live limits of one key. */
export function useKeyLimits(keyId: string | null) {
  return useQuery({
    queryKey: [...queryKeys.limits, keyId],
    queryFn: ({ signal }) => callApi<KeyLimits>(`/api/user/tokens/${keyId}/limits`, { signal }),
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
  model?: string | null;
  status?: string | null;
  errorCode?: string | null;
  requestId?: string | null;
  minLatencyMs?: number | null;
  cursor?: string | null;
  pageSize?: number;
}

/** A page of the log. */
export function useLogs(filters: LogFilters, options: { refetchMs?: number | false; path?: string } = {}) {
  const path = options.path ?? "/api/user/logs";
  return useQuery({
    queryKey: [...queryKeys.logs, path, filters],
    queryFn: ({ signal }) => callApi<Page<LogEntry>>(path, { signal, query: { ...filters } }),
    refetchInterval: options.refetchMs ?? false,
  });
}

/** One request in full. */
export function useLogDetail(requestId: string | null, path = "/api/user/logs") {
  return useQuery({
    queryKey: [...queryKeys.logs, path, "detail", requestId],
    queryFn: ({ signal }) => callApi<LogDetail>(`${path}/${encodeURIComponent(requestId ?? "")}`, { signal }),
    enabled: requestId !== null,
    staleTime: MINUTE_MS,
    placeholderData: undefined,
  });
}

/** The parameters of statistics. */
export interface StatsQuery {
  period: Period;
  tz: string;
  tokenId?: string | null;
  model?: string | null;
  /** Restricts the statistics of all accounts to one. */
  userId?: string | null;
}

/** Usage statistics. */
export function useStats(query: StatsQuery, path = "/api/user/stats") {
  return useQuery({
    queryKey: [...queryKeys.stats, path, query],
    queryFn: ({ signal }) => callApi<Stats>(path, { signal, query: { ...query } }),
    refetchInterval: MINUTE_MS,
  });
}

/** A page of the ledger. */
export function useLedger(cursor: string | null) {
  return useQuery({
    queryKey: [...queryKeys.ledger, cursor],
    queryFn: ({ signal }) =>
      callApi<Page<LedgerEntry>>("/api/user/ledger", { signal, query: { cursor, pageSize: 50 } }),
  });
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { MAX_RANGE_DAYS } from "@/lib/kernel/day-range";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@/lib/kernel/durations";
import { useFormat } from "../i18n/provider";
import { callApi } from "./client";
import {
  announcementsRead,
  keysRead,
  type LogFilters,
  type LogPath,
  logsRead,
  logValuesRead,
  logVolumeRead,
  modelsRead,
  queryKeys,
  type StatsPath,
  type StatsQuery,
  selfRead,
  statsRead,
} from "./page-reads";
import type { KeyRecord, LedgerEntry } from "./types";

const LIVE_VOLUME_MS = 5 * SECOND_MS;

/** On one page of the list. */
const MAX_KEYS_PER_PAGE = 100;

/** The signed-in account. */
export function useSelf() {
  return useQuery({
    queryKey: selfRead.queryKey,
    queryFn: ({ signal }) => callApi(selfRead.name, { signal }),
    refetchInterval: MINUTE_MS,
  });
}

/** The account's keys, newest first. */
export function useKeys(page = 1, pageSize = 100) {
  const { queryKey, name, query } = keysRead(page, pageSize);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(name, { signal, query }),
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

/** A key that requests are filtered by. */
type FilterKey = Pick<KeyRecord, "id" | "name"> & { deleted: boolean };

/** The keys that requests are filtered by: those of the list, the console key, and deleted ones that were used lately. */
export function useFilterKeys(enabled: boolean): FilterKey[] {
  const listed = useKeys();
  const own = useConsoleKey();
  const deleted = useDeletedKeys(enabled);
  const consoleKey = own.data?.apiKey ?? null;
  const live = [...(listed.data?.data ?? []), ...(consoleKey === null ? [] : [consoleKey])];
  return [...live.map(({ id, name }) => ({ id, name, deleted: false })), ...deleted];
}

/** The deleted keys with usage in the days that statistics reach; no list has them. */
function useDeletedKeys(enabled: boolean): FilterKey[] {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  const days = { from: day(MAX_RANGE_DAYS - 1), to: day(0) };
  const { queryKey, name, query } = statsRead({ ...days, period: null, tz: "UTC", groupBy: "key" });
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(name, { signal, query }),
    staleTime: MINUTE_MS,
    enabled,
  });
  const rows = data?.groups?.rows.filter((row) => row.deleted) ?? [];
  return rows.map((row) => ({ id: row.id, name: row.name || (row.keyPrefix ?? row.id), deleted: true }));
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
    queryKey: modelsRead.queryKey,
    queryFn: ({ signal }) => callApi(modelsRead.name, { signal }),
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
    queryKey: announcementsRead.queryKey,
    queryFn: ({ signal }) => callApi(announcementsRead.name, { signal }),
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

/** A page of the log. */
export function useLogs(
  filters: LogFilters,
  options: { refetchMs?: number | false; path?: LogPath; enabled?: boolean } = {},
) {
  const { queryKey, name, query } = logsRead(filters, options.path);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(name, { signal, query }),
    refetchInterval: options.refetchMs ?? false,
    enabled: options.enabled ?? true,
  });
}

/** The requests of the log over time, of which `to` leaves out none; of a log that is followed, seconds old at most. */
export function useLogVolume(filters: LogFilters, options: { tz: string; path: LogPath; live: boolean }) {
  const { queryKey, name, query } = logVolumeRead(filters, options.tz, options.path);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(name, { signal, query }),
    refetchInterval: options.live ? LIVE_VOLUME_MS : MINUTE_MS,
  });
}

/** The values of the newest requests that the filters leave, with how often they occur. */
export function useLogValues(filters: LogFilters, path: LogPath) {
  const { queryKey, name, query } = logValuesRead(filters, path);
  return useQuery({ queryKey, queryFn: ({ signal }) => callApi(name, { signal, query }) });
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

/** Usage statistics. */
export function useStats(given: StatsQuery, options: { path?: StatsPath; enabled?: boolean } = {}) {
  const { queryKey, name, query } = statsRead(given, options.path);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(name, { signal, query }),
    refetchInterval: MINUTE_MS,
    enabled: options.enabled ?? true,
  });
}

/** A page of the ledger, of one type of entries or of all, and of some days or all. */
export function useLedger(filter: {
  type: LedgerEntry["type"] | null;
  from: string | null;
  to: string | null;
  cursor: string | null;
}) {
  const query = { ...filter, tz: useFormat().timeZone, pageSize: 50 };
  return useQuery({
    queryKey: [...queryKeys.ledger, query],
    queryFn: ({ signal }) => callApi("GET /api/user/ledger", { signal, query }),
  });
}

/** The ledger summed up by month, of some days or all. */
export function useLedgerMonths(days: { from: string | null; to: string | null }) {
  const query = { ...days, tz: useFormat().timeZone };
  return useQuery({
    queryKey: [...queryKeys.ledger, "months", query],
    queryFn: ({ signal }) => callApi("GET /api/user/ledger/months", { signal, query }),
  });
}

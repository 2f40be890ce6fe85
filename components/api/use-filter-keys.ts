"use client";

import { MAX_RANGE_DAYS } from "@/lib/kernel/day-range";
import { DAY_MS, MINUTE_MS } from "@/lib/kernel/durations";
import { firstKeys } from "./first-keys";
import type { KeyRecord } from "./types";
import { useRead } from "./use-read";

/** A key that requests are filtered by. */
type FilterKey = Pick<KeyRecord, "id" | "name"> & { deleted: boolean };

/** The keys that requests are filtered by: those of the list, the console key, and deleted ones that were used lately. */
export function useFilterKeys(enabled: boolean): FilterKey[] {
  const listed = useRead("GET /api/user/tokens", firstKeys);
  const own = useRead("GET /api/user/console-key");
  const deleted = useDeletedKeys(enabled);
  const consoleKey = own.data?.apiKey ?? null;
  const live = [...(listed.data?.data ?? []), ...(consoleKey === null ? [] : [consoleKey])];
  return [...live.map(({ id, name }) => ({ id, name, deleted: false })), ...deleted];
}

/** The deleted keys with usage in the days that statistics reach; no list has them. */
function useDeletedKeys(enabled: boolean): FilterKey[] {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  const query = { from: day(MAX_RANGE_DAYS - 1), to: day(0), tz: "UTC", groupBy: "key" };
  const { data } = useRead(
    "GET /api/user/stats",
    { query },
    { staleTime: MINUTE_MS, refetchInterval: false, enabled },
  );
  const rows = data?.groups?.rows.filter((row) => row.deleted) ?? [];
  return rows.map((row) => ({ id: row.id, name: row.name || (row.keyPrefix ?? row.id), deleted: true }));
}

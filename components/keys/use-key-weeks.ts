"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { callApi } from "../api/client";
import { queryKeys, statsRead } from "../api/page-reads";
import type { KeyRecord } from "../api/types";
import { useFormat } from "../i18n/provider";

/** What each key cost in the last seven days, read again when one of the keys has used more; null while it is not known. */
export function useKeyWeeks(keys: readonly KeyRecord[]): (keyId: string) => string | null {
  const { timeZone } = useFormat();
  useStatsAfter(keys);
  const { queryKey, name, query } = statsRead({ period: "7d", groupBy: "key", tz: timeZone });
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(name, { signal, query }),
    staleTime: 0,
  });
  const groups = data?.groups;
  if (!groups) return () => null;
  const costs = new Map(groups.rows.map(({ id, cost }) => [id, cost]));
  // Keys without a row cost nothing, unless there are more keys than rows.
  return (keyId) => costs.get(keyId) ?? (groups.others === null ? "0" : null);
}

/** Reads the statistics again when a key that was shown before has used more. */
function useStatsAfter(keys: readonly KeyRecord[]): void {
  const client = useQueryClient();
  const before = useRef(new Map<string, number>());
  useEffect(() => {
    const used = new Map(before.current);
    let changed = false;
    for (const { id, usedQuota } of keys) {
      changed ||= used.has(id) && used.get(id) !== usedQuota;
      used.set(id, usedQuota);
    }
    before.current = used;
    if (changed) void client.invalidateQueries({ queryKey: queryKeys.stats });
  }, [keys, client]);
}

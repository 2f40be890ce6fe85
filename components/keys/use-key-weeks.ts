"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { MINUTE_MS } from "@/lib/kernel/clock";
import { callApi } from "../api/client";
import { statsRead } from "../api/page-reads";
import { useFormat } from "../i18n/provider";

/** What each key cost in the last seven days: null while it is not known, nor asked for on phones, which do not show it. */
export function useKeyWeeks(): (keyId: string) => string | null {
  const { timeZone } = useFormat();
  const [wide, setWide] = useState(false);
  useEffect(() => setWide(window.matchMedia("(min-width: 768px)").matches), []);
  const { queryKey, name, query } = statsRead({ period: "7d", groupBy: "key", tz: timeZone });
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(name, { signal, query }),
    staleTime: MINUTE_MS,
    enabled: wide,
  });
  const groups = data?.groups;
  if (!groups) return () => null;
  const costs = new Map(groups.rows.map(({ id, cost }) => [id, cost]));
  // Keys without a row cost nothing, unless there are more keys than rows.
  return (keyId) => costs.get(keyId) ?? (groups.others === null ? "0" : null);
}

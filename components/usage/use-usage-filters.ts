"use client";

import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { isTimeZone } from "../i18n/locale";
import { useFormat } from "../i18n/provider";

export const periods = ["24h", "7d", "30d"] as const;
export const metrics = ["cost", "requests", "tokens", "latency", "errors"] as const;
export const groupings = ["model", "direction"] as const;

export type Metric = (typeof metrics)[number];

/** The filters of the usage page; stored in the URL. */
export function useUsageFilters() {
  const format = useFormat();
  const [url, setUrl] = useQueryStates({
    period: parseAsStringLiteral(periods).withDefault("7d"),
    key: parseAsString,
    model: parseAsString,
    metric: parseAsStringLiteral(metrics).withDefault("cost"),
    group: parseAsStringLiteral(groupings).withDefault("model"),
    tz: parseAsString,
  });
  const zone = url.tz !== null && isTimeZone(url.tz) ? url.tz : format.timeZone;
  return { ...url, zone, set: setUrl };
}

export type UsageFilters = ReturnType<typeof useUsageFilters>;

"use client";

import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { dayRangeProblem } from "@/lib/kernel/day-range";
import { dayInZone } from "@/lib/shared/zoned-time";
import { isTimeZone } from "../i18n/locale";
import { useFormat } from "../i18n/provider";
import { usageWeek } from "./usage-week";

export const periods = ["24h", "7d", "30d"] as const;
export const metrics = ["cost", "requests", "tokens", "latency", "errors"] as const;
export const groupings = ["model", "user", "key", "project", "member", "day"] as const;
export const percentiles = ["p50", "p95"] as const;
export const errorSplits = ["group", "code"] as const;

export type Percentile = (typeof percentiles)[number];
export type Metric = (typeof metrics)[number];
/** What usage is summed for: each part of the chart and each row of the table. */
export type Grouping = (typeof groupings)[number];

/** The filters of the usage page; stored in the URL. Days replace the period. */
export function useUsageFilters() {
  const format = useFormat();
  const [url, setUrl] = useQueryStates({
    period: parseAsStringLiteral(periods).withDefault(usageWeek.period),
    from: parseAsString,
    to: parseAsString,
    key: parseAsString,
    user: parseAsString,
    project: parseAsString,
    member: parseAsString,
    model: parseAsString,
    metric: parseAsStringLiteral(metrics).withDefault("cost"),
    by: parseAsStringLiteral(groupings).withDefault("model"),
    percentile: parseAsStringLiteral(percentiles).withDefault("p50"),
    errors: parseAsStringLiteral(errorSplits).withDefault("group"),
    tz: parseAsString,
  });
  const zone = url.tz !== null && isTimeZone(url.tz) ? url.tz : format.timeZone;
  return { ...url, zone, set: setUrl };
}

/** Why there are no statistics of the days of the filters; null: there are, or a period is asked for. */
export function daysProblem({ from, to, zone }: Pick<UsageFilters, "from" | "to" | "zone">) {
  if (from === null && to === null) return null;
  return dayRangeProblem({ from: from ?? "", to: to ?? "" }, dayInZone(new Date(), zone));
}

export type UsageFilters = ReturnType<typeof useUsageFilters>;

/** The statistics that the filters ask for. */
export function statsQueryOf(filters: UsageFilters) {
  const days = filters.from !== null || filters.to !== null;
  return {
    period: days ? null : filters.period,
    from: filters.from,
    to: filters.to,
    tz: filters.zone,
    tokenId: filters.key,
    userId: filters.user,
    model: filters.model,
    projectId: filters.project,
    createdBy: filters.member,
    groupBy: filters.by === "model" || filters.by === "day" ? null : filters.by,
  };
}

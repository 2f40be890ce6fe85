"use client";

import type { Stats } from "../api/types";
import { ratio } from "../i18n/decimal";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { errorRateOf } from "../logs/choices";

/** Larger percentages are not shown. */
const MANIFOLD = 10;

/** A period, and its days where it is one of one's own choice. */
interface PeriodOfDays {
  period: Stats["period"];
  dailyBreakdown: readonly unknown[];
}

/** How long a period is, in words. */
export function usePeriodName(stats: PeriodOfDays): string {
  const text = useMessages("usage");
  const format = useFormat();
  if (stats.period !== "custom") return text.over[stats.period];
  return plural(text.days, stats.dailyBreakdown.length, format.locale);
}

/** The change of a number since the previous period. */
export function useDelta(stats: PeriodOfDays): (now: string | number, before: string | number) => string {
  const text = useMessages("usage");
  const format = useFormat();
  const name = usePeriodName(stats);
  return (now, before) => {
    const past = ratio(before, 1);
    if (past === 0) return fill(text.noPrevious, { period: name });
    const change = ratio(now, before) - 1;
    if (change >= MANIFOLD) return fill(text.manifold, { times: format.count(MANIFOLD), period: name });
    if (Math.abs(change) < 0.0005) return fill(text.same, { period: name });
    const sign = change > 0 ? "+" : "−";
    return fill(text.delta, { change: `${sign}${format.percent(Math.abs(change))}`, period: name });
  };
}

/** The change of the error rate in percentage points: twice a small share is still a small one. */
export function useErrorRateDelta(stats: Stats): string {
  const text = useMessages("usage");
  const format = useFormat();
  const { totals, previous } = stats;
  const period = usePeriodName(stats);
  if (previous.requestCount === 0) return fill(text.noPrevious, { period });
  const change = errorRateOf(totals) - errorRateOf(previous);
  if (Math.abs(change) < 0.0005) return fill(text.same, { period });
  return fill(text.points, { change: format.points(change), period });
}

"use client";

import { ratio } from "@/lib/shared/decimal";
import type { Stats } from "../api/types";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { errorRateOf } from "../logs/choices";

/** A smaller change of a share reads as none. */
const SMALLEST_POINTS = 0.0005;
/** Larger percentages are not shown. */
const MANIFOLD = 10;

/** A period, and its days where it is one of one's own choice. */
interface PeriodOfDays {
  period: Stats["period"];
  dailyBreakdown: readonly unknown[];
}

/** A period with the one before it, with which nothing can be compared where that had no request or began late. */
interface ComparedPeriod extends PeriodOfDays {
  previous: { requestCount: number; partial: boolean };
}

const canCompare = ({ previous }: ComparedPeriod) => previous.requestCount > 0 && !previous.partial;

/** Why nothing can be compared with the previous period, which is said once; empty where it can. */
export function useNotCompared(stats: ComparedPeriod): string {
  const text = useMessages("usage");
  const period = usePeriodName(stats);
  if (canCompare(stats)) return "";
  return fill(stats.previous.requestCount > 0 ? text.partial : text.notCompared, { period });
}

/** How long a period is, in words. */
export function usePeriodName(stats: PeriodOfDays): string {
  const text = useMessages("usage");
  const format = useFormat();
  if (stats.period !== "custom") return text.over[stats.period];
  return plural(text.days, stats.dailyBreakdown.length, format.locale);
}

/** The change of a number since the previous period; empty where it cannot be told. */
export function useDelta(stats: ComparedPeriod): (now: string | number, before: string | number) => string {
  const text = useMessages("usage");
  const format = useFormat();
  const name = usePeriodName(stats);
  return (now, before) => {
    if (!canCompare(stats)) return "";
    const past = ratio(before, 1);
    if (past === 0) return fill(text.noPrevious, { period: name });
    const change = ratio(now, before) - 1;
    if (change >= MANIFOLD) return fill(text.manifold, { times: format.count(MANIFOLD), period: name });
    if (Math.abs(change) < SMALLEST_POINTS) return fill(text.same, { period: name });
    const sign = change > 0 ? "+" : "−";
    return fill(text.delta, { change: `${sign}${format.percent(Math.abs(change))}`, period: name });
  };
}

/** A smaller change is neither good nor bad. */
const SMALLEST_CHANGE = 0.1;

/**
 * The colour of a change, by one rule: of what everybody wants less of (errors, latency) a change by more than a tenth
 * is good or bad. No other number has one, nor has an amount of money. Source: docs/dashboard.md#changes.
 */
export function changeTone(now: number, before: number): string | undefined {
  if (Math.abs(now - before) <= before * SMALLEST_CHANGE) return undefined;
  return now > before ? "text-danger" : "text-success";
}

/** The colour of the change of the error rate, where one is told. */
export function errorRateTone({ totals, previous }: Stats): string | undefined {
  const [now, before] = [errorRateOf(totals), errorRateOf(previous)];
  return Math.abs(now - before) < SMALLEST_POINTS ? undefined : changeTone(now, before);
}

/** The change of the error rate in percentage points, as above: twice a small share is still a small one. */
export function useErrorRateDelta(stats: Stats): string {
  const text = useMessages("usage");
  const format = useFormat();
  const { totals, previous } = stats;
  const period = usePeriodName(stats);
  if (!canCompare(stats)) return "";
  const change = errorRateOf(totals) - errorRateOf(previous);
  if (Math.abs(change) < SMALLEST_POINTS) return fill(text.same, { period });
  return fill(text.points, { change: format.points(change), period });
}

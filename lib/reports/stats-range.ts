import { addDays, type Calendar, calendarOf, QUARTER_HOUR_MS } from "./time-zone";

/** The supported periods. Source: docs/spec.md#s4-13. */
export type StatsPeriod = "24h" | "7d" | "30d";

/** A range of time, split into buckets. Units: milliseconds since 1970. */
export interface StatsRange {
  bucket: "hour" | "day";
  /** Not included. */
  to: number;
  /** First moments of the buckets, ascending; the first is the start of the range. */
  starts: number[];
  /** The local date of each bucket. */
  dates: string[];
  /** The range of equal length before it. */
  previous: { from: number; to: number };
}

const DAY_MS = 24 * 60 * 60_000;
const daysOf: Record<Exclude<StatsPeriod, "24h">, number> = { "7d": 7, "30d": 30 };

/**
 * The range of a period that ends now: the last 24 hours in local hours, or local days including today.
 * All bounds are on the 15-minute grid of the roll-ups, so sums are exact in any zone. Source: docs/contract.md#s5
 * (stats).
 */
export function statsRange(period: StatsPeriod, timeZone: string, now: number): StatsRange {
  const calendar = calendarOf(timeZone);
  return period === "24h" ? lastHours(calendar, now) : lastDays(calendar, now, daysOf[period]);
}

function lastHours(calendar: Calendar, now: number): StatsRange {
  const from = floorToGrid(now - DAY_MS);
  const starts = [from];
  for (let moment = from + QUARTER_HOUR_MS; moment <= now; moment += QUARTER_HOUR_MS) {
    if (calendar.minuteOf(moment) === 0) starts.push(moment);
  }
  return {
    bucket: "hour",
    to: now,
    starts,
    dates: starts.map(calendar.dateOf),
    previous: { from: from - DAY_MS, to: from },
  };
}

function lastDays(calendar: Calendar, now: number, days: number): StatsRange {
  const today = calendar.dateOf(now);
  const dates = Array.from({ length: days }, (_, index) => addDays(today, index - days + 1));
  const starts = dates.map(calendar.startOf);
  const [from = now] = starts;
  const previousFrom = calendar.startOf(addDays(today, 1 - 2 * days));
  const elapsed = floorToGrid(now) + QUARTER_HOUR_MS - from;
  return {
    bucket: "day",
    to: now,
    starts,
    dates,
    previous: { from: previousFrom, to: Math.min(from, previousFrom + elapsed) },
  };
}

function floorToGrid(moment: number): number {
  return Math.floor(moment / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
}

import { type DayRange, dayRangeProblem, daysBetween, MAX_RANGE_DAYS } from "@/lib/kernel/day-range";
import { DAY_MS, HOUR_MS } from "@/lib/kernel/durations";
import { badField } from "@/lib/kernel/errors";
import { addDays, type Calendar, calendarOf, QUARTER_HOUR_MS } from "./calendar";

/** The supported periods, or whole local days. Source: docs/spec.md#s4-13, docs/contract.md#s5. */
export type StatsPeriod = "24h" | "7d" | "30d" | DayRange;

/** A range of time, split into buckets. Units: milliseconds since 1970. */
export interface StatsRange {
  bucket: "hour" | "day";
  /** Not included. */
  to: number;
  /** First moments of the buckets, ascending; the first is the start of the range. */
  starts: number[];
  /** The local date of each bucket. */
  dates: string[];
  /** The last bucket is not over: the range ends now. */
  inProgress: boolean;
  /** The range of equal length before it. */
  previous: { from: number; to: number; starts: number[] };
}

const daysOf = { "7d": 7, "30d": 30 } as const;

/**
 * The range of a period that ends now, the last 24 hours in local hours or local days including today; or the chosen
 * local days, one of them in hours. All bounds are on the 15-minute grid of the roll-ups, so sums are exact in any zone.
 * Throws: INVALID_REQUEST for days in the wrong order, too many of them, or in the future. Source: docs/contract.md#s5 (stats).
 */
export function statsRange(period: StatsPeriod, timeZone: string, now: number): StatsRange {
  const calendar = calendarOf(timeZone);
  if (period === "24h") return lastHours(calendar, now);
  const today = calendar.dateOf(now);
  if (typeof period === "string")
    return daysRange(calendar, now, { from: addDays(today, 1 - daysOf[period]), to: today });
  const problem = dayRangeProblem(period, today);
  if (problem !== null) throw badField(REFUSALS[problem].field, REFUSALS[problem].message);
  return period.from === period.to
    ? hoursOfDay(calendar, now, period.from)
    : daysRange(calendar, now, period);
}

/** The field that a refusal names, and why. */
const REFUSALS = {
  incomplete: { field: "from", message: "and `to` must both be days such as 2026-11-21, from 1970 on" },
  order: { field: "from", message: "must not be after `to`" },
  future: { field: "to", message: "must not be in the future" },
  long: { field: "to", message: `must leave at most ${MAX_RANGE_DAYS} days, both ends included` },
} as const;

function lastHours(calendar: Calendar, now: number): StatsRange {
  const from = floorToGrid(now - DAY_MS);
  const starts = hourStarts(calendar, from, now + 1);
  return {
    bucket: "hour",
    to: now,
    starts,
    dates: starts.map(calendar.dateOf),
    inProgress: true,
    previous: { from: from - DAY_MS, to: from, starts: starts.map((start) => start - DAY_MS) },
  };
}

function hoursOfDay(calendar: Calendar, now: number, day: string): StatsRange {
  const whole = daysRange(calendar, now, { from: day, to: day });
  const starts = hourStarts(calendar, whole.starts[0] ?? whole.to, whole.to);
  const { from, to } = whole.previous;
  return {
    ...whole,
    bucket: "hour",
    starts,
    dates: starts.map(() => day),
    previous: { from, to, starts: hourStarts(calendar, from, to).slice(0, starts.length) },
  };
}

/** The start of the range and every full local hour in it. */
function hourStarts(calendar: Calendar, from: number, to: number): number[] {
  const starts = [from];
  for (let moment = from + QUARTER_HOUR_MS; moment < to; moment += QUARTER_HOUR_MS) {
    if (calendar.minuteOf(moment) === 0) starts.push(moment);
  }
  return starts;
}

/**
 * Local days, both included. The previous range has as many days; of an unfinished range, only the part that
 * corresponds to the elapsed time is compared.
 */
function daysRange(calendar: Calendar, now: number, range: DayRange): StatsRange {
  const days = daysBetween(range);
  const dates = Array.from({ length: days }, (_, index) => addDays(range.from, index));
  const starts = dates.map(calendar.startOf);
  const [from = now] = starts;
  const end = calendar.startOf(addDays(range.to, 1));
  const before = dates.map((date) => calendar.startOf(addDays(date, -days)));
  const [previousFrom = from] = before;
  const elapsed = end <= now ? Number.POSITIVE_INFINITY : floorToGrid(now) + QUARTER_HOUR_MS - from;
  const previousTo = Math.min(from, previousFrom + elapsed);
  return {
    bucket: "day",
    to: Math.min(now, end),
    starts,
    dates,
    inProgress: now < end,
    previous: {
      from: previousFrom,
      to: previousTo,
      starts: before.filter((start) => start < previousTo),
    },
  };
}

/** The grid point at or before a moment. Units: milliseconds since 1970. */
export function floorToGrid(moment: number): number {
  return Math.floor(moment / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
}

/** The last 24 hours: their beginning, and that of each full hour in them. Units: milliseconds since 1970. */
export function hoursOfLastDay(at: number, fullHours: number): number[] {
  const from = floorToGrid(at - DAY_MS);
  const first = (Math.floor(from / HOUR_MS) + 1) * HOUR_MS;
  const full = Array.from({ length: fullHours }, (_, index) => first + index * HOUR_MS);
  return [from, ...full.filter((start) => start <= at)];
}

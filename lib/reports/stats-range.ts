import { type SQL, sql } from "drizzle-orm";
import type { Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import {
  DAY_MS,
  type DayRange,
  dayRangeProblem,
  daysBetween,
  HOUR_MS,
  MAX_RANGE_DAYS,
} from "@/lib/kernel/clock";
import { badField } from "@/lib/kernel/errors";

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

/** Local days, both included; the range before has as many, of which as much counts as has passed of these. */
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

/** `to` is not included. Units: milliseconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** Hours, or days, that are told as one, with those within their time that are over the other kind. */
export interface Joined<Part extends Span> extends Span {
  over: "hours" | "day";
  parts: Part[];
  within: Joined<Part>[];
}

/** Joins what overlaps, and hours that follow on each other; days stay one by one. */
export function joined<Part extends Span>(over: "hours" | "day", spans: readonly Part[]): Joined<Part>[] {
  const all: Joined<Part>[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && (span.from < last.to || (over === "hours" && span.from === last.to))) {
      last.parts.push(span);
      last.to = Math.max(last.to, span.to);
    } else all.push({ over, from: span.from, to: span.to, parts: [span], within: [] });
  }
  return all;
}

/** Puts each of them into the one of the other kind that has all of its time. */
export function nested<One extends Span & { within: One[] }>(hours: One[], days: One[]): One[] {
  const alone = (all: One[], others: One[]) =>
    all.filter((one) => {
      const around = others.find((other) => other.from <= one.from && one.to <= other.to);
      return around?.within.push(one) === undefined;
    });
  const outer = alone(hours, days);
  return [...outer, ...alone(days, outer)];
}

/** The last 24 hours: their beginning, and that of each full hour in them. Units: milliseconds since 1970. */
export function hoursOfLastDay(at: number, fullHours: number): number[] {
  const from = floorToGrid(at - DAY_MS);
  const first = (Math.floor(from / HOUR_MS) + 1) * HOUR_MS;
  const full = Array.from({ length: fullHours }, (_, index) => first + index * HOUR_MS);
  return [from, ...full.filter((start) => start <= at)];
}

/** The days and hours of every zone begin on this grid. Units: milliseconds. */
const QUARTER_HOUR_MS = 15 * 60_000;

/** The largest distance between a local midnight and midnight in UTC. */
const WIDEST_OFFSET_MS = 15 * 60 * 60_000;

/** A zone's calendar. Dates are `YYYY-MM-DD`. */
export interface Calendar {
  dateOf(moment: number): string;
  minuteOf(moment: number): number;
  /** The first moment of a local day; where the clocks skip midnight, the moment they skip to. */
  startOf(date: string): number;
}

/** True for a zone name that the platform knows; false for offsets such as `+08:00`. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The calendar of a zone. Throws: RangeError for an unknown name. */
export function calendarOf(timeZone: string): Calendar {
  const day = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const minute = new Intl.DateTimeFormat("en", { timeZone, minute: "numeric" });
  const dateOf = (moment: number) => day.format(moment);
  return {
    dateOf,
    minuteOf: (moment) => Number(minute.format(moment)),
    startOf: (date) => firstQuarterHour(Date.parse(date), (moment) => dateOf(moment) >= date),
  };
}

/** The date a number of days after another; independent of zones. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The first grid point near a moment at which the condition holds. */
function firstQuarterHour(around: number, holds: (moment: number) => boolean): number {
  let low = around - WIDEST_OFFSET_MS;
  let high = around + WIDEST_OFFSET_MS;
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2 / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
    if (holds(middle)) high = middle;
    else low = middle + QUARTER_HOUR_MS;
  }
  return low;
}

/** The roll-ups that make up a range, by their starts. Units: milliseconds since 1970. */
export interface Cover {
  fourHours: number[];
  quarters: number[];
}

const FOUR_HOURS_MS = 16 * QUARTER_HOUR_MS;

/**
 * Covers the buckets that begin at `starts` and end at `to` with as many 4-hour roll-ups as possible that are complete
 * before `foldedUntil`. Every start is on the grid of 15 minutes; `to` may be inside a roll-up, which then counts.
 * Units: milliseconds since 1970.
 */
export function coverOf(starts: readonly number[], to: number, foldedUntil: number): Cover {
  const cover: Cover = { fourHours: [], quarters: [] };
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? to;
    const complete = Math.min(end, foldedUntil);
    for (let moment = start; moment < end; ) {
      const isWhole = moment % FOUR_HOURS_MS === 0 && moment + FOUR_HOURS_MS <= complete;
      (isWhole ? cover.fourHours : cover.quarters).push(moment);
      moment += isWhole ? FOUR_HOURS_MS : QUARTER_HOUR_MS;
    }
  }
  return cover;
}

/** The roll-ups of a range as a table to select from. */
export interface CoveringRollups {
  /** The parameters $1 and $2 of every query that selects from it. */
  params: [fourHours: string, quarters: string];
  /** The table; `where` narrows it, as ` AND ...`. */
  table(where: string): string;
}

/**
 * The fewest roll-ups that make up the buckets that begin at `starts` and end at `to` (not included). Units: milliseconds
 * since 1970.
 */
export async function coveringRollups(
  db: Session,
  starts: readonly number[],
  to: number,
): Promise<CoveringRollups> {
  const { done } = onlyRow(
    await db.query<{ done: Date }>("SELECT folded_until AS done FROM rollup_progress"),
  );
  const cover = coverOf(starts, to, done.getTime());
  return {
    params: [momentsText(cover.fourHours), momentsText(cover.quarters)],
    table: (where) => `(
      SELECT * FROM usage_rollups_4h WHERE bucket = ANY(${momentsOf("$1")})${where}
      UNION ALL SELECT * FROM usage_rollups WHERE bucket = ANY(${momentsOf("$2")})${where}
    )`,
  };
}

/** The table of roll-ups with its parameters, for a query that drizzle writes. */
export function boundRollups({ params: [fourHours, quarters], table }: CoveringRollups): SQL {
  const [begin = "", middle = "", end = ""] = table("").split(/\$[12]/);
  return sql`${sql.raw(begin)}${fourHours}${sql.raw(middle)}${quarters}${sql.raw(end)}`;
}

/** Moments as a parameter; arrays are sent as text, because the drivers treat arrays of timestamps differently. */
export function momentsText(moments: readonly number[]): string {
  return moments.map((moment) => new Date(moment).toISOString()).join(",");
}

/** The array of moments that such a parameter stands for, in SQL. */
export function momentsOf(parameter: string): string {
  return `string_to_array(${parameter}::text, ',')::timestamptz[]`;
}

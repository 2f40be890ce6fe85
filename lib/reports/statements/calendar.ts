import type { Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { addDays, calendarOf } from "../calendar";

/** A calendar month of a zone. `month` is like `2026-11`. */
export interface CalendarMonth {
  month: string;
  startsAt: Date;
}

/** The month after another, or before it with `step` -1. Shape: `YYYY-MM`. */
export function monthAfter(month: string, step = 1): string {
  const at = new Date(`${month}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + step);
  return at.toISOString().slice(0, 7);
}

/** The first moment of a month of a zone, on the grid of the roll-ups. Throws: RangeError for an unknown zone. */
export function startOfMonth(month: string, timeZone: string): Date {
  return new Date(calendarOf(timeZone).startOf(`${month}-01`));
}

/** The moment from which a month may be closed: the second day of the next one. Source: docs/budgets.md#statements. */
export function closesAt(month: string, timeZone: string): Date {
  return new Date(calendarOf(timeZone).startOf(addDays(`${monthAfter(month)}-01`, 1)));
}

/** The months of a zone from the one of `first` to the one of `now`, oldest first; at least that of `now`. */
export function monthsBetween(first: Date, now: Date, timeZone: string): CalendarMonth[] {
  const { dateOf, startOf } = calendarOf(timeZone);
  const last = dateOf(now.getTime()).slice(0, 7);
  let month = dateOf(Math.min(first.getTime(), now.getTime())).slice(0, 7);
  const months: CalendarMonth[] = [];
  for (; month <= last; month = monthAfter(month)) {
    months.push({ month, startsAt: new Date(startOf(`${month}-01`)) });
  }
  return months;
}

/** The months that statements have or will have, and what of them is closed. */
export interface StatementCalendar {
  timeZone: string;
  now: Date;
  /** Oldest first; the last one is that of `now`. */
  months: CalendarMonth[];
  /** The newest closed month; null: none is. */
  lastClosed: string | null;
}

interface Facts {
  first: Date | null;
  last: string | null;
}

/**
 * Reads the calendar of statements at a moment: months since the first account or roll-up. Source:
 * docs/budgets.md#statements.
 */
export async function readStatementCalendar(
  db: Pick<Session, "query">,
  timeZone: string,
  now: Date,
): Promise<StatementCalendar> {
  const { first, last } = onlyRow(
    await db.query<Facts>(
      `SELECT least((SELECT min(bucket) FROM usage_rollups), (SELECT min(created_at) FROM users)) AS first,
         (SELECT max(month) FROM statements) AS last`,
    ),
  );
  return { timeZone, now, months: monthsBetween(first ?? now, now, timeZone), lastClosed: last };
}

/** The present moment by the clock of the database. */
export async function databaseNow(db: Pick<Session, "query">): Promise<Date> {
  return onlyRow(await db.query<{ now: Date }>("SELECT now() AS now")).now;
}

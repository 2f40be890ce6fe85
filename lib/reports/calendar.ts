import { DAY_MS } from "@/lib/kernel/durations";

/** The largest distance between a local midnight and midnight in UTC. */
const WIDEST_OFFSET_MS = 15 * 60 * 60_000;

/** A zone's calendar. Dates are `YYYY-MM-DD`. */
export interface Calendar {
  dateOf(moment: number): string;
  minuteOf(moment: number): number;
  /** The first moment of a local day; where a clock change skips midnight, the first moment after the change. */
  startOf(date: string): number;
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

/** The days and hours of every zone begin on this grid. Units: milliseconds. */
export const QUARTER_HOUR_MS = 15 * 60_000;

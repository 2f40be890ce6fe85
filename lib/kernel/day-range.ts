import { DAY_MS } from "./durations";

/** Calendar days as `YYYY-MM-DD`, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** The most days of statistics in one answer. */
export const MAX_RANGE_DAYS = 92;

/** How many days a range has; 1 when it begins and ends on the same. */
export function daysBetween({ from, to }: DayRange): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/** Why there are no statistics of these days, or null. `today`: the date in the zone of the days. */
export function dayRangeProblem(
  range: DayRange,
  today: string,
): "incomplete" | "order" | "long" | "future" | null {
  if (!isDay(range.from) || !isDay(range.to)) return "incomplete";
  if (range.from > range.to) return "order";
  if (range.to > today) return "future";
  return daysBetween(range) > MAX_RANGE_DAYS ? "long" : null;
}

/** A real day from 1970 on; the database has no year 0, which earlier ranges and the days before them could reach. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < "1970") return false;
  const moment = Date.parse(text);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}

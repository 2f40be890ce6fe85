import { calendarOf } from "./calendar";

/**
 * The name of a file with the days that it covers: `tollgate-requests-2026-11-01--2026-11-23.csv`. The last day is
 * today unless the range ends earlier. `to` is not included; without `from` the first day is not known.
 */
export function csvName(
  what: string,
  range: { from?: Date | undefined; to?: Date | undefined },
  timeZone: string,
  now: Date,
): string {
  const { dateOf } = calendarOf(timeZone);
  const last = dateOf(Math.min(now.getTime(), (range.to?.getTime() ?? Number.POSITIVE_INFINITY) - 1));
  if (range.from === undefined) return `tollgate-${what}-until-${last}.csv`;
  const first = dateOf(range.from.getTime());
  return `tollgate-${what}-${first === last ? "" : `${first}--`}${last}.csv`;
}

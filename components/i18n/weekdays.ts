import type { Locale } from "./locale";

/** A Monday. */
const MONDAY = new Date("2024-01-01T00:00:00Z");

/** The short names of the days of a week, from Monday. */
export function weekdays(locale: Locale): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  return Array.from({ length: 7 }, (_, day) => {
    const date = new Date(MONDAY);
    date.setUTCDate(MONDAY.getUTCDate() + day);
    return format.format(date);
  });
}

/** A wall-clock time of a zone, as `YYYY-MM-DDTHH:mm`, as an instant. Null when it is no time. */
export function zonedToDate(wallClock: string, timeZone: string): Date | null {
  const asUtc = Date.parse(`${wallClock}:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(wallClock) || Number.isNaN(asUtc)) return null;
  const first = asUtc - offsetMs(new Date(asUtc), timeZone);
  return new Date(asUtc - offsetMs(new Date(first), timeZone));
}

/** The wall-clock time of an instant in a zone, as `YYYY-MM-DDTHH:mm`. */
export function dateToZoned(date: Date, timeZone: string): string {
  return new Date(date.getTime() + offsetMs(date, timeZone)).toISOString().slice(0, 16);
}

/** The calendar day of an instant in a zone, as `YYYY-MM-DD`. */
export function dayInZone(date: Date, timeZone: string): string {
  return dateToZoned(date, timeZone).slice(0, 10);
}

function offsetMs(date: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(date);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((candidate) => candidate.type === type)?.value ?? 0);
  const shown = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return shown - Math.floor(date.getTime() / 1000) * 1000;
}

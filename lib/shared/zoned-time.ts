import { DAY_MS } from "@/lib/kernel/durations";

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

/**
 * The moments between which days of a zone lie, in ISO form: the start of the first and that of the one after the last.
 * Null for a day that is not given, or is none.
 */
export function momentsOfDays(
  days: { from: string | null; to: string | null },
  timeZone: string,
): { from: string | null; to: string | null } {
  const startOf = (day: string, zone: string) => zonedToDate(`${day}T00:00`, zone);
  const first = days.from === null ? null : startOf(days.from, timeZone);
  const last = days.to === null ? null : startOf(days.to, "UTC");
  const after = last === null ? null : startOf(dayInZone(new Date(last.getTime() + DAY_MS), "UTC"), timeZone);
  return { from: first?.toISOString() ?? null, to: after?.toISOString() ?? null };
}

/** More than there are zones; names in other letter cases would go on for ever. */
const MAX_FORMATTERS = 1_000;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making a formatter takes a hundred times as long as using it; zones are few. Throws: RangeError for an unknown zone. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  formatters.set(timeZone, made);
  return made;
}

/** An instant in ISO form with the offset of a zone, e.g. `2026-12-01T00:00:00+08:00`. */
export function zonedIso(date: Date, timeZone: string): string {
  const minutes = Math.round(offsetMs(date, timeZone) / 60_000);
  const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, 19);
  if (minutes === 0) return `${local}Z`;
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${local}${minutes < 0 ? "-" : "+"}${two(hours)}:${two(rest)}`;
}

/** An instant in words of a zone, e.g. `1 Dec 2026, 00:00`. */
export function zonedText(date: Date, timeZone: string): string {
  const local = dateToZoned(date, timeZone);
  const month = new Date(`${local}:00Z`).toLocaleString("en-GB", { month: "short", timeZone: "UTC" });
  return `${Number(local.slice(8, 10))} ${month} ${local.slice(0, 4)}, ${local.slice(11)}`;
}

function offsetMs(date: Date, timeZone: string): number {
  const parts = formatterOf(timeZone).formatToParts(date);
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

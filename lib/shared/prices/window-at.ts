import { DAY_MS } from "@/lib/kernel/durations";
import { dateToZoned } from "../zoned-time";
import type { WeekWindow } from "./price-version";

const MINUTES_OF_DAY = 1_440;

/**
 * Index of the first window that a moment lies in; null: none. The clock of the window's zone decides, so a window of
 * 00:30 to 08:30 has one hour more or less on a day on which the clock is changed. Source: docs/prices.md#windows.
 */
export function windowAt(windows: readonly WeekWindow[], at: Date): number | null {
  if (windows.length === 0) return null;
  const index = windows.findIndex((window) => isWithin(window, at));
  return index === -1 ? null : index;
}

function isWithin({ timeZone, days, fromMinute, toMinute }: WeekWindow, at: Date): boolean {
  const local = new Date(`${dateToZoned(at, timeZone)}:00Z`);
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes();
  const today = weekday(local);
  if (toMinute > fromMinute) return days.includes(today) && minute >= fromMinute && minute < toMinute;
  const yesterday = weekday(new Date(local.getTime() - DAY_MS));
  const begun = days.includes(today) && minute >= fromMinute && fromMinute < MINUTES_OF_DAY;
  return begun || (days.includes(yesterday) && minute < toMinute);
}

/** 1 Monday to 7 Sunday. */
function weekday(date: Date): number {
  return date.getUTCDay() || 7;
}

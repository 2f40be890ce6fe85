import type { Locale } from "../i18n/locale";

export type BucketUnit = "hour" | "day";

/** The label of a bucket: `14:00`, `Mon 16`, `Nov 16` (`11-16` in Chinese). */
export function makeBucketLabel(
  unit: BucketUnit,
  bucketCount: number,
  locale: Locale,
  timeZone: string,
): (startMs: number) => string {
  if (unit === "hour") {
    const hour = new Intl.DateTimeFormat(locale, {
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone,
    });
    return (startMs) => hour.format(startMs);
  }
  const parts = new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "numeric",
    month: locale === "en" ? "short" : "numeric",
    timeZone,
  });
  return (startMs) => {
    const found = parts.formatToParts(startMs);
    const part = (type: Intl.DateTimeFormatPartTypes) =>
      found.find((entry) => entry.type === type)?.value ?? "";
    if (bucketCount <= 7) return `${part("weekday")} ${part("day")}`;
    return locale === "en" ? `${part("month")} ${part("day")}` : `${part("month")}-${part("day")}`;
  };
}

const DIGIT_PX = 8;
const GAP_PX = 10;

/**
 * Width of the longest label of a value axis from 0 to `max`; its ticks have at most as many digits as these fractions.
 */
export function valueAxisWidth(max: number, tick: (value: number) => string): number {
  const labels = [0, 0.25, 0.5, 0.75, 1, 1.25].map((part) => tick(max * part));
  return GAP_PX + DIGIT_PX * Math.max(...labels.map((label) => [...label].length));
}

/** The time range of a bucket as text. */
export function bucketRange(startMs: number, endMs: number, locale: Locale, timeZone: string): string {
  const format = new Intl.DateTimeFormat(locale, {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
  return format.formatRange(startMs, endMs);
}

import { toChartNumber } from "@/lib/shared/decimal";
import { rangeText } from "../i18n/format";
import type { Locale } from "../i18n/locale";
import type { ChartBucket } from "./chart-model";

export type BucketUnit = "hour" | "day";

/** The label of a bucket: `14:00`, `Mon 16`, `Nov 16` (`11月16日` in Chinese). */
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
  if (bucketCount > 7) {
    const date = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone });
    return (startMs) => date.format(startMs);
  }
  const parts = new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", timeZone });
  return (startMs) => {
    const found = parts.formatToParts(startMs);
    const part = (type: Intl.DateTimeFormatPartTypes) =>
      found.find((entry) => entry.type === type)?.value ?? "";
    return `${part("weekday")} ${part("day")}`;
  };
}

const DIGIT_PX = 8;
const GAP_PX = 10;

const STEPS = [1, 2, 2.5, 5, 10];
const MOST_STEPS = 4;

/** The ticks of a value axis from 0 to `max` or beyond, in equal steps; whole ones where the values are whole. */
export function axisTicks(max: number, whole: boolean): number[] {
  const least = max > 0 ? max / MOST_STEPS : 1 / MOST_STEPS;
  const power = 10 ** Math.floor(Math.log10(least));
  const fitting = STEPS.map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
  const step = whole ? Math.ceil(fitting) : fitting;
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** The ticks of the value axis of buckets: amounts that are all whole get whole ones, for there is no half a request. */
export function valueTicks(buckets: readonly ChartBucket[]): number[] {
  const amounts = buckets.flatMap(({ total, previous }) => [
    total,
    ...(previous === undefined ? [] : [previous]),
  ]);
  const most = Math.max(...amounts.map(toChartNumber));
  return axisTicks(most, !amounts.some((amount) => amount.includes(".")));
}

/** Width of the longest label of a value axis. Units: pixels. */
export function valueAxisWidth(labels: string[]): number {
  return GAP_PX + DIGIT_PX * Math.max(...labels.map((label) => [...label].length));
}

const NARROW_PX = 7;
const LETTER_PX = 12;
const LABEL_GAP_PX = 20;
const FIRST_WIDE_LETTER = 0x2e80;

/** How many labels of a time axis are left out after each one that is shown, so that none touches the next. Units: pixels. */
export function skippedLabels(labels: string[], axisWidth: number): number {
  const widest = Math.max(0, ...labels.map(textWidth));
  return Math.max(0, Math.ceil((labels.length * (widest + LABEL_GAP_PX)) / axisWidth) - 1);
}

/** An estimate of the width of small text: measuring it in the page would lay the page out for each label. */
function textWidth(text: string): number {
  const wide = [...text].filter((letter) => letter.charCodeAt(0) >= FIRST_WIDE_LETTER).length;
  return wide * LETTER_PX + ([...text].length - wide) * NARROW_PX;
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
  return rangeText(format, startMs, endMs, locale);
}

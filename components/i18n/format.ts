import { yuanToCents } from "@/lib/shared/decimal";
import type { Locale, NumberStyle } from "./locale";
import {
  type Cents,
  exactColumn,
  formatCny,
  formatCnyExact,
  formatLeft,
  listColumns,
  type MoneyColumn,
  moneyColumn,
  tooltipColumn,
  yuanTicks,
} from "./money";

const WEEKDAY_MINUTE: Intl.DateTimeFormatOptions = {
  weekday: "short",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
};

/** All formatters for a language, zone and number style. */
export interface Format {
  locale: Locale;
  timeZone: string;
  /** An amount, alike wherever it stands. */
  money(cents: Cents): string;
  moneyExact(cents: Cents): string;
  /** What is left, never more than there is. */
  left(cents: Cents): string;
  /** What was typed as yuan, as an amount before a hint; the hint alone while it is none. */
  typedMoney(yuan: string, hint: string): string;
  exactColumn(values: Iterable<Cents>): MoneyColumn;
  /** The amounts of a chart's tooltip. */
  tooltipColumn(values: Iterable<Cents>): MoneyColumn;
  /** The amounts of a table that has all its rows, with one number of decimals. */
  moneyColumn(values: Iterable<Cents>): MoneyColumn;
  /** The amounts of a list's column, with the decimals of its kind. */
  listColumn(kind: keyof typeof listColumns): MoneyColumn;
  /** What was used of a quota. */
  spent(used: Cents, quota: Cents): { used: string; quota: string };
  /** The ticks of an axis, with the same number of decimals. */
  yuanTicks(yuan: number[]): (yuan: number) => string;
  /** With one decimal where it is shortened. */
  count(value: number): string;
  /** The same of a setting: no decimal that is nothing. */
  roundCount(value: number): string;
  /** The ticks of an axis: with a decimal where one of them needs it. */
  countTicks(counts: number[]): (count: number) => string;
  countFull(value: number): string;
  /** One decimal, always; what is not nothing does not read as nothing, nor what is not all as all. */
  percent(share: number): string;
  /** A difference of shares in percentage points, with its sign and without the unit. */
  points(change: number): string;
  /** What was measured: of seconds always one decimal. */
  duration(ms: number | null): string;
  /** The same of a setting or of a wait: no decimal that is nothing. */
  roundDuration(ms: number | null): string;
  dateTime(iso: string | Date): string;
  /** The same to the minute: what somebody has set. */
  minute(iso: string | Date): string;
  /** The same with its day of the week, without the year: what is near. */
  weekdayMinute(iso: string | Date): string;
  time(iso: string | Date): string;
  date(iso: string | Date): string;
  /** From one day to another, as short as it can be. */
  dates(from: string, to: string): string;
  /** Month and day, of one width in one language. */
  dayShort(iso: string | Date): string;
  /** The time that ages are told at. Unit: ms. */
  now(): number;
  relative(iso: string | Date, asOf?: number): string;
  list(items: string[]): string;
  /** The same where one of them is meant. */
  either(items: string[]): string;
  /** What stands between two sentences: nothing in Chinese, whose full stop has its own room. */
  gap: string;
  zoneLabel(zone?: string): string;
  /** What a time of the zone differs from UTC at a moment, for readers elsewhere. */
  offset(iso: string): string;
}

/** The formatters for one language, zone and number style. */
export function makeFormat(
  locale: Locale,
  timeZone: string,
  numbers: NumberStyle,
  now: () => number = Date.now,
): Format {
  const dates = (options: Intl.DateTimeFormatOptions) =>
    lazily(() => new Intl.DateTimeFormat(locale, { ...options, timeZone }));
  const full = lazily(() => new Intl.NumberFormat(locale));
  const isShort = (value: number) => numbers === "compact" && value >= 10_000;
  const short = { notation: "compact", maximumFractionDigits: 1 } as const;
  const compact = lazily(() => new Intl.NumberFormat(locale, { ...short, minimumFractionDigits: 1 }));
  const round = lazily(() => new Intl.NumberFormat(locale, short));
  const count = (value: number) => (isShort(value) ? compact() : full()).format(value);
  const roundCount = (value: number) => (isShort(value) ? round() : full()).format(value);
  const dateTime = dates({ dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
  const minute = dates({ dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
  const weekdayMinute = dates(WEEKDAY_MINUTE);
  const date = dates({ dateStyle: "medium" });
  const dayShort = dates({ month: "short", day: "2-digit" });
  const time = dates({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  const percent = lazily(() => makePercent(locale));
  const points = lazily(() => oneDecimal(locale, "exceptZero"));
  const relative = lazily(() => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
  return {
    locale,
    timeZone,
    money: (cents) => formatCny(cents, locale),
    moneyExact: (cents) => formatCnyExact(cents, locale),
    left: (cents) => formatLeft(cents, locale),
    typedMoney: (yuan, hint) => {
      const cents = yuanToCents(yuan);
      return cents === null ? hint : `${formatCnyExact(cents, locale)} · ${hint}`;
    },
    exactColumn: (values) => exactColumn(values, locale),
    tooltipColumn: (values) => tooltipColumn(values, locale),
    moneyColumn: (values) => moneyColumn(values, locale),
    listColumn: (kind) => listColumns[kind](locale),
    spent: (used, quota) => ({
      used: formatCny(used, locale),
      quota: formatCny(quota, locale),
    }),
    yuanTicks: (yuan) => yuanTicks(yuan, locale),
    count,
    roundCount,
    countTicks: (ticks) => (ticks.some((tick) => roundCount(tick).includes(".")) ? count : roundCount),
    countFull: (value) => full().format(value),
    percent: (share) => percent()(share),
    points: (change) =>
      points()
        .format(change * 100)
        .replace("-", "−"),
    duration: (ms) => formatDuration(ms, locale),
    roundDuration: (ms) => formatDuration(ms, locale, 0),
    dateTime: (iso) => dateTime().format(new Date(iso)),
    minute: (iso) => minute().format(new Date(iso)),
    weekdayMinute: (iso) => weekdayMinute().format(new Date(iso)),
    dates: (from, to) => rangeText(date(), new Date(from), new Date(to), locale),
    date: (iso) => date().format(new Date(iso)),
    dayShort: (iso) => dayShort().format(new Date(iso)),
    time: (iso) => time().format(new Date(iso)),
    now,
    relative: (iso, asOf = now()) => formatRelative(new Date(iso).getTime() - asOf, relative()),
    gap: locale === "en" ? " " : "",
    list: (items) => listOf(items, locale, "conjunction"),
    either: (items) => listOf(items, locale, "disjunction"),
    zoneLabel: (zone = timeZone) => zoneLabel(zone),
    offset: (iso) => offsetOf(timeZone, new Date(iso)),
  };
}

/** In Chinese with a space between the words "and" and "or" and Latin letters, which the platform leaves out. */
function listOf(items: string[], locale: Locale, type: "conjunction" | "disjunction"): string {
  const text = new Intl.ListFormat(locale, { type }).format(items);
  return text.replace(/(?<=[A-Za-z0-9])([和或])/g, " $1").replace(/([和或])(?=[A-Za-z0-9])/g, "$1 ");
}

/** Made at its first use: a page needs few of the formatters, and each takes a while to make. */
function lazily<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function oneDecimal(
  locale: Locale,
  signDisplay: "auto" | "exceptZero",
  style: "decimal" | "percent" = "decimal",
) {
  return new Intl.NumberFormat(locale, {
    style,
    signDisplay,
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
}

/** From a day or moment to another one; a day that both have in common is told once. */
export function rangeText(
  format: Intl.DateTimeFormat,
  from: Date | number,
  to: Date | number,
  locale: Locale,
): string {
  // The platform writes a range in Chinese in figures alone, unlike a day.
  if (locale === "zh-CN") {
    const [first, last] = [format.format(from), format.format(to)];
    if (first === last) return first;
    const [day = "", time] = last.split(" ");
    return `${first} – ${time !== undefined && first.startsWith(`${day} `) ? time : last}`;
  }
  // The server's narrow spaces would differ from those that browsers write.
  return format.formatRange(from, to).replaceAll(/\s/g, " ");
}

function makePercent(locale: Locale): (share: number) => string {
  const percent = oneDecimal(locale, "auto", "percent");
  return (share) => {
    if (share > 0 && share < 0.0005) return `<${percent.format(0.001)}`;
    if (share < 1 && share >= 0.9995) return `>${percent.format(0.999)}`;
    return percent.format(share);
  };
}

const timeUnits: Record<Locale, { ms: string; s: string; min: string }> = {
  en: { ms: "ms", s: "s", min: "min" },
  "zh-CN": { ms: "毫秒", s: "秒", min: "分" },
};

/** `820 ms`, `3.4 s`, `2 min 5 s`; a dash for unknown. `decimals`: of seconds, at least. */
export function formatDuration(ms: number | null, locale: Locale, decimals: 0 | 1 = 1): string {
  if (ms === null) return "–";
  const units = timeUnits[locale];
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ${units.ms}`;
  // The next ones would read as sixty seconds.
  if (ms < 59_950) {
    const seconds = (ms / 1000).toFixed(1);
    return `${decimals === 1 ? seconds : Number(seconds)} ${units.s}`;
  }
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} ${units.min} ${seconds % 60} ${units.s}`;
}

const steps: Array<[Intl.RelativeTimeFormatUnit, number]> = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 31],
  ["month", 12],
];

function formatRelative(deltaMs: number, formatter: Intl.RelativeTimeFormat): string {
  let value = deltaMs / 1000;
  for (const [unit, size] of steps) {
    const whole = Math.round(value);
    if (Math.abs(whole) < size) return spaced(formatter.format(whole, unit));
    value /= size;
  }
  return spaced(formatter.format(Math.round(value), "year"));
}

/** In Chinese with a space after a number, as everywhere else, which the platform leaves out. */
function spaced(text: string): string {
  return text.replace(/(?<=\d)(?=\p{Script=Han})/u, " ");
}

/** `Asia/Shanghai (UTC+8)`. */
function zoneLabel(zone: string): string {
  return zone === "UTC" ? "UTC" : `${zone} (${offsetOf(zone, new Date())})`;
}

function offsetOf(zone: string, moment: Date): string {
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "shortOffset" });
  const name = format.formatToParts(moment).find(({ type }) => type === "timeZoneName");
  return name?.value.replace("GMT", "UTC").replace(/\+0$/, "") ?? "UTC";
}

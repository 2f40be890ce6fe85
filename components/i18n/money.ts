import { centsToYuan, fromScaled, toScaled } from "@/lib/shared/decimal";
import type { Locale } from "./locale";

/** An amount in cents: a decimal string, or a number of the API. */
export type Cents = string | number;

/** Shows the amounts of one column, all with the same number of decimals. */
export type MoneyColumn = (cents: Cents) => string;

/** How an amount becomes that of its last shown digit. */
type Rounding = "nearest" | "down";

const SIGNIFICANT_DIGITS = 3;
const MIN_DECIMALS = 2;
/** `toScaled` keeps 12 decimals of a cent, which are 14 of a yuan. */
const MAX_DECIMALS = 14;
/** 100 yuan. */
const LARGE_BALANCE = toScaled("10000");
const SMALL_BALANCE_DECIMALS = 4;
/** A millionth of a yuan tells the cost of the shortest request. */
const REQUEST_DECIMALS = 6;

const formatters = new Map<string, Intl.NumberFormat>();

function currency(locale: Locale, minimum: number, maximum: number): Intl.NumberFormat {
  const name = `${locale} ${minimum} ${maximum}`;
  const known = formatters.get(name);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "CNY",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: minimum,
    maximumFractionDigits: maximum,
  });
  formatters.set(name, made);
  return made;
}

function print(formatter: Intl.NumberFormat, yuan: string): string {
  // `toScaled` accepted the text, so it is a numeric literal; as text it keeps every digit.
  return formatter.format(yuan as Intl.StringNumericLiteral).replace("-", "−");
}

function absolute(cents: Cents): bigint {
  const scaled = toScaled(cents);
  return scaled < 0n ? -scaled : scaled;
}

/** The decimals that an amount has in yuan. */
function decimalsOf(cents: Cents): number {
  return centsToYuan(cents).split(".")[1]?.length ?? 0;
}

/** An amount with three significant digits, and two decimals at least. Source: docs/dashboard.md#s2-12. */
export function formatCny(cents: Cents, locale: Locale): string {
  return columnWith(readableDecimals([cents]), locale)(cents);
}

/**
 * What is left: as `formatCny`, but never more than there is, and below 100 yuan with up to four decimals, so that it
 * fits what was used. Source: docs/dashboard.md#s2-12.
 */
export function formatLeft(left: Cents, locale: Locale): string {
  const readable = readableDecimals([left]);
  const small = Math.max(readable, Math.min(exactDecimals([left]), SMALL_BALANCE_DECIMALS));
  return columnWith(absolute(left) >= LARGE_BALANCE ? readable : small, locale, "down")(left);
}

/**
 * The columns of lists, whose rows come in pages: their decimals depend on what is told, not on the rows that are shown.
 * Source: docs/dashboard.md#s2-12.
 */
export const listColumns = {
  /** Sums of many requests, and quotas. */
  sum: (locale: Locale) => paddedColumn(MIN_DECIMALS, locale),
  /** What is left, never more than there is. */
  balance: (locale: Locale) => paddedColumn(MIN_DECIMALS, locale, "down"),
  /** The cost of one request. */
  request: (locale: Locale) => paddedColumn(REQUEST_DECIMALS, locale),
  /** A balance after each movement, rounded as the amounts are: readers subtract one from the next. */
  running: (locale: Locale) => paddedColumn(REQUEST_DECIMALS, locale),
};

/**
 * The amounts of a table that has all its rows, all with the decimals that three significant digits of the largest need, two at least; nothing
 * has them too. What is less than the last digit is shown as that, never as more than it is. Source: docs/dashboard.md#s2-12.
 */
export function moneyColumn(values: Iterable<Cents>, locale: Locale): MoneyColumn {
  return paddedColumn(readableDecimals([...values]), locale);
}

/** A column in which nothing has all the decimals too. */
function paddedColumn(decimals: number, locale: Locale, rounding: Rounding = "nearest"): MoneyColumn {
  const zero = print(currency(locale, decimals, decimals), "0");
  const show = columnWith(decimals, locale, rounding);
  return (cents) => (toScaled(cents) === 0n ? zero : show(cents));
}

/** Every digit of all amounts, and as many decimals for all as the longest needs: prices, receipts. */
export function exactColumn(values: Iterable<Cents>, locale: Locale): MoneyColumn {
  return columnWith(exactDecimals([...values]), locale);
}

/**
 * As `exactColumn`, but with six decimals at most, or as many as the smallest amount needs to have a digit: tooltips of
 * charts. Nothing has them too.
 */
export function tooltipColumn(values: Iterable<Cents>, locale: Locale): MoneyColumn {
  const amounts = [...values];
  const firstDigits = amounts.map((cents) => {
    const amount = absolute(cents);
    return amount === 0n ? 0 : MAX_DECIMALS + 1 - amount.toString().length;
  });
  return paddedColumn(Math.min(exactDecimals(amounts), Math.max(REQUEST_DECIMALS, ...firstDigits)), locale);
}

function columnWith(decimals: number, locale: Locale, rounding: Rounding = "nearest"): MoneyColumn {
  const formatter = currency(locale, decimals, decimals);
  return (cents) => {
    const scaled = toScaled(cents);
    // Nothing has no digits that matter.
    if (scaled === 0n) return print(currency(locale, MIN_DECIMALS, MIN_DECIMALS), "0");
    if (absolute(cents) >= unitOf(decimals)) {
      const units = roundedTo(decimals, scaled, rounding);
      return print(formatter, centsToYuan(fromScaled(units * unitOf(decimals))));
    }
    const bound = `<${print(formatter, `0.${"1".padStart(decimals, "0")}`)}`;
    return scaled < 0n ? `−${bound}` : bound;
  };
}

function readableDecimals(values: Cents[]): number {
  let largest = 0n;
  for (const value of values) {
    const amount = absolute(value);
    if (amount > largest) largest = amount;
  }
  // An amount of n digits in units of 10^-14 yuan has its first significant digit at the decimal 15 - n.
  const wanted = MAX_DECIMALS + SIGNIFICANT_DIGITS - largest.toString().length;
  const decimals = Math.max(MIN_DECIMALS, Math.min(wanted, exactDecimals(values)));
  // 0.09996 rounds to 0.1000, which has a digit more than 0.09996 was to keep.
  const carries = roundedTo(decimals, largest).toString().length > SIGNIFICANT_DIGITS;
  return carries ? Math.max(MIN_DECIMALS, decimals - 1) : decimals;
}

function exactDecimals(values: Cents[]): number {
  return Math.max(MIN_DECIMALS, ...values.map(decimalsOf));
}

/** The worth of the last shown digit. */
function unitOf(decimals: number): bigint {
  return 10n ** BigInt(MAX_DECIMALS - decimals);
}

/** An amount in units of its last shown digit; the nearest is half away from zero. */
function roundedTo(decimals: number, scaled: bigint, rounding: Rounding = "nearest"): bigint {
  const unit = unitOf(decimals);
  const sign = scaled < 0n ? -1n : 1n;
  if (rounding === "nearest") return (scaled + (sign * unit) / 2n) / unit;
  // Division goes towards zero, so only amounts below it have to be moved.
  return (scaled < 0n ? scaled - (unit - 1n) : scaled) / unit;
}

/** Cents as yuan with every digit there is: receipts, tooltips. */
export function formatCnyExact(cents: Cents, locale: Locale): string {
  return print(currency(locale, MIN_DECIMALS, MAX_DECIMALS), centsToYuan(cents));
}

/** The ticks of an axis in yuan, all with the decimals that the longest of them needs. */
export function yuanTicks(ticks: number[], locale: Locale): (yuan: number) => string {
  if (Math.max(...ticks) >= 10_000) {
    const compact = new Intl.NumberFormat(locale, {
      style: "currency",
      currency: "CNY",
      currencyDisplay: "narrowSymbol",
      notation: "compact",
      maximumSignificantDigits: 3,
    });
    return (yuan) => compact.format(yuan);
  }
  // Ticks have few digits; what follows them is the inexactness of floats.
  const needed = Math.max(...ticks.map((yuan) => fractionLength(Number(yuan.toPrecision(6)))));
  const decimals = needed === 0 ? 0 : Math.max(MIN_DECIMALS, needed);
  const formatter = currency(locale, decimals, decimals);
  return (yuan) => formatter.format(yuan);
}

function fractionLength(value: number): number {
  return (
    value
      .toFixed(MAX_DECIMALS)
      .replace(/\.?0+$/, "")
      .split(".")[1]?.length ?? 0
  );
}

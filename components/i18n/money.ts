import { centsToYuan, toScaled } from "./decimal";
import type { Locale } from "./locale";

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
  return formatter.format(yuan as Intl.StringNumericLiteral);
}

/** Cents as yuan for reading: two digits from ¥1 on, up to six below. */
export function formatCny(cents: string | number, locale: Locale): string {
  const scaled = toScaled(cents);
  const absolute = scaled < 0n ? -scaled : scaled;
  if (absolute !== 0n && absolute < toScaled("0.0001")) {
    return scaled < 0n
      ? print(currency(locale, 6, 6), "-0.000001")
      : `<${print(currency(locale, 6, 6), "0.000001")}`;
  }
  const digits = absolute >= toScaled(100) ? 2 : 6;
  return print(currency(locale, 2, digits), centsToYuan(cents));
}

/** Cents as yuan with every digit there is. */
export function formatCnyExact(cents: string | number, locale: Locale): string {
  return print(currency(locale, 2, 14), centsToYuan(cents));
}

/** Yuan, already divided, on an axis. */
export function formatYuanTick(yuan: number, locale: Locale): string {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "CNY",
    currencyDisplay: "narrowSymbol",
    notation: yuan >= 10_000 ? "compact" : "standard",
    maximumSignificantDigits: 3,
  }).format(yuan);
}

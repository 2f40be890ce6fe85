import type { Locale } from "./locale";

/** Puts values into a message: `fill("Hello {name}", { name: "Ann" })`. */
export function fill(message: string, values: Record<string, string | number>): string {
  return message.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : String(value);
  });
}

/** A message with one form for each plural category that the two languages have. */
export interface Plural {
  one: string;
  other: string;
}

/** The right plural form, filled; `{count}` is the number as given in `shown`. */
export function plural(
  message: Plural,
  count: number,
  locale: Locale,
  values: Record<string, string | number> = {},
): string {
  const form = new Intl.PluralRules(locale).select(count) === "one" ? message.one : message.other;
  return fill(form, { count: new Intl.NumberFormat(locale).format(count), ...values });
}

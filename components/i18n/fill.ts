import type { Locale } from "./locale";

/**
 * Puts values into a message: `fill("Hello {name}", { name: "Ann" })`. A number with a Chinese unit takes no space
 * before Chinese: `446.6万个`.
 */
export function fill(message: string, values: Record<string, string | number>): string {
  return message.replace(/\{(\w+)\}( (?=\p{Script=Han}))?/gu, (whole, name: string, space = "") => {
    const value = values[name];
    if (value === undefined) return whole;
    return /\d ?\p{Script=Han}+$/u.test(String(value)) ? String(value) : `${value}${space}`;
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

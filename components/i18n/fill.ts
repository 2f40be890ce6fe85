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
  const { rules, numbers } = countingOf(locale);
  const form = rules.select(count) === "one" ? message.one : message.other;
  return fill(form, { count: numbers.format(count), ...values });
}

interface Counting {
  rules: Intl.PluralRules;
  numbers: Intl.NumberFormat;
}

const countings = new Map<Locale, Counting>();

function countingOf(locale: Locale): Counting {
  const known = countings.get(locale);
  if (known !== undefined) return known;
  const made = { rules: new Intl.PluralRules(locale), numbers: new Intl.NumberFormat(locale) };
  countings.set(locale, made);
  return made;
}

import { withoutGroups, yuanToUnits } from "./decimal";
import { zonedToDate } from "./zoned-time";

// What people type, as the API takes it. Nothing typed is undefined; what cannot be read stays text, which every schema refuses.

/** Text without blanks around it. */
export function typedText(typed: string): string | undefined {
  return typed.trim() || undefined;
}

/** A whole number; thousands may be separated. */
export function typedWhole(typed: string): number | string | undefined {
  const text = withoutGroups(typed);
  return /^-?\d{1,15}$/.test(text) ? Number(text) : typedText(text);
}

/** An amount in yuan, in units of 10^-`digits` yuan: 2 for cents, 8 for micro-cents. */
export function typedYuan(typed: string, digits = 2): number | string | undefined {
  return yuanToUnits(typed, digits) ?? typedText(typed);
}

/** A factor, as a decimal number. */
export function typedFactor(typed: string): number | string | undefined {
  const text = withoutGroups(typed);
  return /^(\d{1,5}|\d{0,5}\.\d{1,10})$/.test(text) ? Number(text) : typedText(text);
}

/** A time of the day as `HH:mm`; the hour may have one digit. */
export function typedTime(typed: string): string | undefined {
  const text = typed.normalize("NFKC").trim();
  return /^\d:\d\d$/.test(text) ? `0${text}` : typedText(text);
}

/** A typed number without a sign as decimal text, such as a rate; null for what is none. */
export function typedDecimal(typed: string): string | null {
  const number = withoutGroups(typed);
  return /^\d{1,4}(?:\.\d{1,6})?$/.test(number) ? number : null;
}

/** A moment of the reader's zone, in ISO form. A day alone is none: the API would take it for a day in UTC. */
export function typedMoment(typed: string, timeZone: string): string | undefined {
  return zonedToDate(typed, timeZone)?.toISOString() ?? typedText(typed)?.concat("?");
}

/** A number as people type it; empty for none. */
export function asTyped(value: number | null | undefined): string {
  return value == null ? "" : String(value);
}

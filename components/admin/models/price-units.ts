import { fromScaled, toScaled } from "../../i18n/decimal";

/** How prices can be typed: yuan per million tokens, or cents per thousand. Stored: cents per million. */
export const priceUnits = ["yuan", "cents"] as const;
export type PriceUnit = (typeof priceUnits)[number];

/** One typed unit in cents per million tokens. */
const factors: Record<PriceUnit, bigint> = { yuan: 100n, cents: 1000n };

/** Decimals that can be typed in each unit: cents per million have three. */
export const priceDigits: Record<PriceUnit, number> = { yuan: 5, cents: 6 };

const MAX_CENTS = 1_000_000_000n;
const STORED_DECIMALS = /^\d+(\.\d{1,3})?$/;

/** The highest price in a unit. */
export function maxPrice(unit: PriceUnit): string {
  return fromScaled(toScaled(String(MAX_CENTS)) / factors[unit]);
}

/** Whether a typed price is a number above the highest one. */
export function isAboveMaxPrice(text: string, unit: PriceUnit): boolean {
  const typed = text.trim().replace(/[¥￥,\s]/g, "");
  return /^\d+(\.\d+)?$/.test(typed) && toScaled(typed) > toScaled(maxPrice(unit));
}

/** A price as typed, in cents per million tokens; null when it is none. */
export function readPrice(text: string, unit: PriceUnit): number | null {
  const typed = text.trim().replace(/[¥￥,\s]/g, "");
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(typed)) return null;
  const cents = fromScaled(toScaled(typed) * factors[unit]);
  if (!STORED_DECIMALS.test(cents) || toScaled(cents) > toScaled(String(MAX_CENTS))) return null;
  return Number(cents);
}

/** Cents per million tokens as text in a unit. */
export function showPrice(cents: number, unit: PriceUnit): string {
  return fromScaled(toScaled(cents) / factors[unit]);
}

/** Converts a typed price from one unit to the other; invalid text stays. */
export function changeUnit(text: string, from: PriceUnit, to: PriceUnit): string {
  const cents = readPrice(text, from);
  return cents === null ? text : showPrice(cents, to);
}

/** The cost of 1,000 input and 1,000 output tokens. Units: cents per million in, cents as exact decimal text out. */
export function previewCents(input: number, output: number): string {
  return fromScaled((toScaled(input) + toScaled(output)) / 1000n);
}

const MICRO_CENTS_PER_YUAN_DIGITS = 8;
const MAX_MICRO_CENTS = 1_000_000_000_000n;

/** A price per call as typed in yuan, in micro-cents; null when it is none. */
export function readCallPrice(text: string): number | null {
  const typed = text.trim().replace(/[¥￥,\s]/g, "");
  const match = /^(\d{1,6})(?:\.(\d{1,8}))?$/.exec(typed);
  if (match === null) return null;
  const [, whole = "0", fraction = ""] = match;
  const microCents = BigInt(whole + fraction.padEnd(MICRO_CENTS_PER_YUAN_DIGITS, "0"));
  return microCents > MAX_MICRO_CENTS ? null : Number(microCents);
}

/** Micro-cents per call as text in yuan. */
export function showCallPrice(microCents: number): string {
  return fromScaled(toScaled(microCents) / 10n ** BigInt(MICRO_CENTS_PER_YUAN_DIGITS));
}

/** Micro-cents as exact decimal text of cents. */
export function centsOfMicroCents(microCents: number): string {
  return fromScaled(toScaled(microCents) / 1_000_000n);
}

const NANO_DIGITS = 3;

/** The highest price. Units: cents per million tokens. */
export const MAX_PRICE_CENTS = 1_000_000_000;

/** True for a price that can be stored exactly: 0 to 1e9 cents per million tokens with up to 3 decimals. */
export function isPrice(cents: number): boolean {
  return cents >= 0 && cents <= MAX_PRICE_CENTS && /^\d+(\.\d{1,3})?$/.test(String(cents));
}

/**
 * Exact nano-cents per token of a price. The shortest decimal form of the number equals the written text, because a
 * price has at most 13 digits. Units: cents per million tokens in. Throws: RangeError for what `isPrice` refuses.
 */
export function nanoCentsFromCents(cents: number): bigint {
  if (!isPrice(cents)) throw new RangeError(`not a price: ${cents}`);
  const [whole = "0", fraction = ""] = String(cents).split(".");
  return BigInt(whole + fraction.padEnd(NANO_DIGITS, "0"));
}

/** Nano-cents per token as cents per 1M tokens; exact, because prices have at most 3 decimals. */
export function centsPerMillion(nanoCents: bigint): number {
  return Number(nanoCents) / 1000;
}

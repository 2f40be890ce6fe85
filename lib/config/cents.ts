const NANO_DIGITS = 3;

/** The dearest price. Units: cents per million tokens. */
export const MAX_PRICE_CENTS = 1_000_000_000;

/** True for a price the gateway can keep exactly: 0 to 1e9 cents per million tokens with up to 3 decimals. */
export function isPrice(cents: number): boolean {
  return cents >= 0 && cents <= MAX_PRICE_CENTS && /^\d+(\.\d{1,3})?$/.test(String(cents));
}

/**
 * Exact nano-cents per token of a price. Units: cents per million tokens in. The shortest decimal form of the number
 * is what was written, because a price has at most 13 digits. Throws: RangeError for what `isPrice` refuses.
 */
export function nanoCentsFromCents(cents: number): bigint {
  if (!isPrice(cents)) throw new RangeError(`not a price: ${cents}`);
  const [whole = "0", fraction = ""] = String(cents).split(".");
  return BigInt(whole + fraction.padEnd(NANO_DIGITS, "0"));
}

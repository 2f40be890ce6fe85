import { decimalOf } from "./decimal-text";

/** Micro-cents in one cent. Money inside is always a bigint of these. Source: docs/reliability.md#s2-2. */
export const MICRO_CENTS_PER_CENT = 1_000_000n;

/** Nano-cents in one micro-cent. */
export const NANO_PER_MICRO = 1_000n;

/** The largest amount of cents an API accepts. Source: docs/reliability.md#s2-2. */
export const MAX_CENTS = 1_000_000_000_000;

/** Whole cents to micro-cents. Units: cents in, micro-cents out. */
export function microCentsFromCents(cents: number): bigint {
  return BigInt(cents) * MICRO_CENTS_PER_CENT;
}

/**
 * Micro-cents as an exact decimal string of cents without trailing zeros, e.g. `"0.2"`. Source: docs/contract.md#s4.
 */
export function centsDecimal(microCents: bigint): string {
  return decimalOf(microCents, 6);
}

/** Micro-cents as a JSON number of cents with up to 6 decimals. Exact up to 2^53 micro-cents. */
export function centsNumber(microCents: bigint): number {
  return Number(centsDecimal(microCents));
}

/** Micro-cents rounded up to whole cents, as a decimal-integer string. Source: docs/contract.md#s4 (profile fields). */
export function centsCeilString(microCents: bigint): string {
  return ceilDiv(microCents, MICRO_CENTS_PER_CENT).toString();
}

/** Micro-cents rounded down to whole cents, as a decimal-integer string. */
export function centsFloorString(microCents: bigint): string {
  return (-ceilDiv(-microCents, MICRO_CENTS_PER_CENT)).toString();
}

/** Integer division rounding towards positive infinity; the only rounding of money. */
export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor > 0n ? quotient + 1n : quotient;
}

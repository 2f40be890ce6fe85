import { z } from "zod";

/** `0` or `1`. Source: docs/contract.md#s2 (booleans). */
export function flag() {
  return z
    .string()
    .regex(/^[01]$/, "must be 0 or 1")
    .transform((text) => text === "1");
}

/** A whole number inside bounds, both included. */
export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** A key or token, which goes into a header: one word. */
export function word() {
  return z
    .string()
    .regex(
      /^[\x21\x23-\x26\x28-\x7e]+$/,
      "must be one word of ASCII characters: it has a blank, a line break, a quote or another character inside",
    );
}

/** A positive decimal with up to 6 places as an exact integer of millionths. */
export function millionths() {
  return z
    .string()
    .regex(/^\d{1,6}(\.\d{1,6})?$/, "must be a positive decimal such as 7.2")
    .transform(parseMillionths)
    .refine((value) => value > 0n, "must be above 0");
}

function parseMillionths(text: string): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
}

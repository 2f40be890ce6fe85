import { z } from "zod";

const EXAMPLE =
  /change.?me|example|placeholder|your.?secret|your.?key|replace.?(me|this)|^(.)\2*$|^(secret|password|0123456789)/i;

/** At least 32 bytes that are neither an example nor a simple pattern. Source: docs/reliability.md#s3-5. */
export function secretText() {
  return z
    .string()
    .refine((text) => Buffer.byteLength(text) >= 32, {
      error: "must be at least 32 bytes; make one with: openssl rand -base64 48",
      abort: true,
    })
    .refine((text) => !isWeak(text), "is an example or too uniform; make one with: openssl rand -base64 48");
}

/** 32 random bytes in base64 (or base64url). Shape: the decoded bytes. */
export function keyBytes() {
  return z
    .string()
    .regex(/^[A-Za-z0-9+/_-]{43}=?$/, "must be 32 bytes in base64; make one with: openssl rand -base64 32")
    .transform((text) => Buffer.from(text, "base64"))
    .refine((key) => new Set(key).size >= 8, "is too uniform; make one with: openssl rand -base64 32");
}

function isWeak(text: string): boolean {
  return EXAMPLE.test(text) || new Set(text).size < 8;
}

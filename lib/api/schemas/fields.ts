import { z } from "zod";
import { BLANKS_IN_ADDRESS, hasBlanks } from "@/lib/kernel/address-text";
import { MAX_CENTS, MICRO_CENTS_PER_CENT } from "@/lib/kernel/money";
import { isVisible } from "@/lib/kernel/text";

const EMAIL =
  /^(?:[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63})?$/;

const EMAIL_LENGTH = 254;

const CENTS = /^\d{1,12}(\.\d{1,6})?$/;

const CENTS_MESSAGE = "must be cents such as 12.5, with up to 6 decimals";

/** Zod options with a message that continues the field's name. */
export function must(message: string): { error: (issue: { input?: unknown }) => string } {
  return { error: (issue) => (issue.input === undefined ? "is required" : message) };
}

/** Text with a length in characters, not bytes or UTF-16 units. */
export function characters(min: number, max: number) {
  const message = `must be text of ${min} to ${max} characters`;
  return z
    .string(must(message))
    .refine((text) => isBetween([...text].length, min, max), message)
    .meta({ minLength: min, maxLength: max });
}

/** Text with a maximum length in characters. */
export function atMost(max: number, message = "is too long") {
  return z
    .string(must("must be text"))
    .refine((text) => [...text].length <= max, message)
    .meta({ maxLength: max });
}

/** 3 to 32 letters and digits. Source: docs/spec.md#s4-4. */
export const username = z
  .string(must("must be text"))
  .regex(/^[A-Za-z0-9]{3,32}$/, "must be 3 to 32 letters and digits")
  .describe("3 to 32 letters and digits, unique without regard to case");

/** At least 6 characters, not all of them blank, at most 1,024 bytes. Source: docs/spec.md#s4-4, docs/reliability.md#s3-3. */
export const password = z
  .string(must("must be text"))
  .refine((text) => [...text].length >= 6, "must have at least 6 characters")
  .refine(isVisible, "must have a character that is not blank")
  .refine((text) => new TextEncoder().encode(text).length <= 1024, "must have at most 1024 bytes")
  .meta({
    minLength: 6,
    maxLength: 1024,
    description: "At least 6 characters, not all of them blank, at most 1024 bytes",
  });

/** A password to be verified. */
export const claimedPassword = atMost(2048);

/** An ASCII mail address, or nothing. Source: docs/reliability.md#r-118. */
export const email = z
  .string(must("must be text"))
  .refine((text) => text.length <= EMAIL_LENGTH && EMAIL.test(text), "must be an e-mail address")
  .meta({
    maxLength: EMAIL_LENGTH,
    pattern: EMAIL.source,
    description: "An e-mail address; empty for none",
  });

const MAX_URL = 2048;

/** The address of a web server, where a query may be a secret. */
export const webAddress = z
  .string(must("must be text"))
  .refine((text) => !hasBlanks(text), { error: BLANKS_IN_ADDRESS, abort: true })
  .refine(isWebAddress, "must be an http or https address without user name or fragment")
  .meta({ format: "uri", pattern: "^https?://[^/?#@]+([/?][^#]*)?$", maxLength: MAX_URL });

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text) || text.length > MAX_URL) return false;
  const { protocol, username, password, hash } = new URL(text);
  return ["http:", "https:"].includes(protocol) && [username, password, hash].every((part) => part === "");
}

/** A display name. */
export const displayName = characters(0, 100);

/** A whole number of cents. Source: docs/contract.md#s4. */
export const cents = z
  .number(must(`must be a whole number of cents from 0 to ${MAX_CENTS}`))
  .int(`must be a whole number of cents from 0 to ${MAX_CENTS}`)
  .min(0, `must be a whole number of cents from 0 to ${MAX_CENTS}`)
  .max(MAX_CENTS, `must be a whole number of cents from 0 to ${MAX_CENTS}`);

/** A whole number inside bounds, both included. */
export function whole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.number(must(message)).int(message).min(min, message).max(max, message);
}

/** Who may register. Source: docs/contract.md#registration. */
export const registration = z.enum(
  ["open", "invited", "invitation", "closed"],
  must("must be open, invited, invitation or closed"),
);

/** The id of a plan. */
/** `true` or `false` in a query. Shape: a boolean. */
export const queryFlag = z
  .enum(["true", "false"], "must be true or false")
  .transform((text) => text === "true");

export const planId = whole(-2_147_483_648, 2_147_483_647);

function isBetween(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

/** A number of the query string inside bounds. */
export function queryNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .meta({ minimum: min, maximum: max })
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** An amount of cents of the query string, with up to 6 decimals. Units: micro-cents. */
export const queryCents = z
  .string()
  .regex(CENTS, CENTS_MESSAGE)
  .transform((text) => {
    const [whole = "", fraction = ""] = text.split(".");
    return BigInt(whole) * MICRO_CENTS_PER_CENT + BigInt(fraction.padEnd(6, "0"));
  });

/** The same in a body. Shape: the text. */
export const decimalCents = z.string(must(CENTS_MESSAGE)).regex(CENTS, CENTS_MESSAGE);

export const decimal = z.string().describe("Cents as exact decimal text");

import { z } from "zod";
import { BLANKS_IN_ADDRESS, hasBlanks } from "@/lib/kernel/address-text";
import { DAY_MS } from "@/lib/kernel/durations";
import { isVisible } from "@/lib/kernel/text";
import { MAX_CENTS, MICRO_CENTS_PER_CENT } from "@/lib/kernel/usage";

const EMAIL =
  /^(?:[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63})?$/;
const EMAIL_LENGTH = 254;
const CENTS = /^\d{1,12}(\.\d{1,6})?$/;
const CENTS_MESSAGE = "must be cents such as 12.5, with up to 6 decimals";
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;
/** The database cannot read years of more than four digits. */
const END_OF_TIME_MS = Date.UTC(10_000, 0);
/** Years that are within those bounds in every zone. */
const SAFE_YEARS = "^(19[7-9]\\d|[2-8]\\d{3}|9[0-8]\\d{2}|99[0-8]\\d|999[0-8])-";

// `meta` describes checks by functions in JSON Schema, for the document at /openapi.json.

/** Unknown members that a refusal names. */
const MAX_SHOWN = 20;

/** What is wrong, by the field of the body: the server answers with it, and the pages' forms show it before they send. */
export function messagesByField(issues: readonly z.core.$ZodIssue[]): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  const note = (name: string, message: string) => {
    const messages = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (messages) messages.push(message);
    else Object.defineProperty(fields, name, { value: [message], enumerable: true });
  };
  for (const issue of issues) {
    const path = issue.path.map(String).join(".");
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys.slice(0, MAX_SHOWN))
        note(path === "" ? key : `${path}.${key}`, "is not a known field");
    } else note(path === "" ? "body" : path, issue.message);
  }
  return fields;
}

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

/**
 * An ISO date, meaning its end in UTC, or an ISO date-time. Shape: the moment as a Date. Source: docs/contract.md#s5.
 */
export const endMoment = isoMoment(DAY_MS - 1);

/** An ISO date, meaning its beginning in UTC, or an ISO date-time. Shape: the moment as a Date. */
export const startMoment = isoMoment(0);

/** An ISO date, meaning the day after it in UTC, or an ISO date-time: an end that is not included. */
export const untilMoment = isoMoment(DAY_MS);

function isoMoment(dayOffsetMs: number) {
  return z
    .string(must("must be an ISO date or date-time"))
    .refine((text) => readMoment(text, dayOffsetMs) !== null, "must be an ISO date or date-time")
    .meta({
      anyOf: [{ format: "date" }, { format: "date-time" }],
      pattern: SAFE_YEARS,
      description: "ISO 8601 date or date-time, from 1970 on",
    })
    .transform((text) => readMoment(text, dayOffsetMs) ?? new Date(Number.NaN));
}

/** Null for invalid dates, such as the 30th of February, and for years that the database cannot store. */
function readMoment(text: string, dayOffsetMs: number): Date | null {
  const moment = DAY.test(text) ? dayOf(text, dayOffsetMs) : timeOf(text);
  return moment !== null && moment.getTime() < END_OF_TIME_MS ? moment : null;
}

function dayOf(text: string, offsetMs: number): Date | null {
  return isRealDay(text) ? new Date(Date.parse(text) + offsetMs) : null;
}

function timeOf(text: string): Date | null {
  const [, day, zone] = MOMENT.exec(text) ?? [];
  if (day === undefined || !isRealDay(day)) return null;
  const moment = new Date(zone === undefined ? `${text}Z` : text);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

function isRealDay(day: string): boolean {
  const moment = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day) && day >= "1970";
}

function isBetween(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

/** The maximum page size. Source: docs/contract.md#s5. */
const MAX_PAGE_SIZE = 100;

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

/** The page parameters of a list. Source: docs/contract.md#s5 (lists). */
export const pageQuery = z.object({
  page: queryNumber(1, 100_000).prefault("1"),
  pageSize: queryNumber(1, MAX_PAGE_SIZE).prefault("20"),
});

/** The page parameters of a list that also supports a cursor. */
export const cursorQuery = pageQuery.extend({
  cursor: atMost(300, "is not a cursor of this list").optional(),
});

/** One limit over time, and what is used of it now. */
export const limitUse = z.object({ limit: z.int().nullable(), used: z.number(), resetMs: z.int() });

/** Calls at once: how many may run, and how many do. */
export const placesUse = z.object({ limit: z.int(), used: z.int() });

/** The limits of an account over all its keys, and what is used of them now. Source: docs/contract.md#account-limits. */
export const accountUse = z
  .object({
    qps: limitUse,
    rpm: limitUse,
    tpm: limitUse,
    concurrent: placesUse.describe("Calls at once"),
    keys: z.object({ limit: z.int(), used: z.int() }).describe("Its number of keys"),
  })
  .partial()
  .nullable()
  .describe("Of the account, over all its keys: the limits that it has; null: none");

/** The limits of an account, or of each account on a plan; null: no limit. */
export const accountLimitsShown = z
  .object({
    qps: z.int().nullable(),
    rpm: z.int().nullable(),
    tpm: z.int().nullable(),
    concurrent: z.int().nullable().describe("Calls at once"),
    keys: z.int().nullable().describe("Number of keys"),
  })
  .describe("Over all keys of an account; null: no limit");

/** The body of every list. Source: docs/contract.md#s5. */
export function listOf<Entry extends z.ZodType>(entry: Entry) {
  return z.object({
    data: z.array(entry),
    page: z.int().nullable().describe("Null with a cursor"),
    pageSize: z.int(),
    total: z.int().nullable().describe("Exact up to 10,000, null above and with a cursor"),
    nextCursor: z.string().nullable(),
  });
}

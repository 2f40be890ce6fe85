import { z } from "zod";
import { DAY_MS } from "@/lib/kernel/durations";
import { must } from "./fields";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const MOMENT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** The database cannot read years of more than four digits. */
const END_OF_TIME_MS = Date.UTC(10_000, 0);

/** Years that are within those bounds in every zone. */
const SAFE_YEARS = "^(19[7-9]\\d|[2-8]\\d{3}|9[0-8]\\d{2}|99[0-8]\\d|999[0-8])-";

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

export const moment = z.iso.datetime();

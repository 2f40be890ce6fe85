import { z } from "zod";
import { atMost } from "./fields";

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

/** The page parameters of a list. Source: docs/contract.md#s5 (lists). */
export const pageQuery = z.object({
  page: queryNumber(1, 100_000).prefault("1"),
  pageSize: queryNumber(1, MAX_PAGE_SIZE).prefault("20"),
});

/** The page parameters of a list that also supports a cursor. */
export const cursorQuery = pageQuery.extend({
  cursor: atMost(300, "is not a cursor of this list").optional(),
});

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

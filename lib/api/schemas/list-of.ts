import { z } from "zod";

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

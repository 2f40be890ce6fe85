import { type SQL, sql } from "drizzle-orm";
import { cursorAfter, readCursor } from "@/lib/accounts/cursor";
import { requestLog } from "@/lib/db/schema/usage";

type SortedRow = Pick<
  typeof requestLog.$inferSelect,
  "costMicroCents" | "latencyMs" | "promptTokens" | "completionTokens"
>;

/** What the log can be sorted by, the largest first; equal entries are newest first. */
export const sortings = {
  cost: { by: sql`${requestLog.costMicroCents}`, of: (row: SortedRow) => row.costMicroCents },
  latencyMs: { by: sql`${requestLog.latencyMs}`, of: (row: SortedRow) => row.latencyMs },
  totalTokens: {
    by: sql`(${requestLog.promptTokens}::bigint + ${requestLog.completionTokens})`,
    of: (row: SortedRow) => row.promptTokens + row.completionTokens,
  },
};

/** The order of the log; `createdAt` is newest first. */
export type LogSort = keyof typeof sortings | "createdAt";

/** The entries after a cursor. Throws: INVALID_REQUEST for a cursor that is not of this list in this order. */
export function afterCursor(cursor: string | undefined, sort: LogSort): SQL | undefined {
  if (cursor === undefined) return undefined;
  const { at, requestId, value } = readCursor(cursor, sort === "createdAt" ? null : sort);
  // Times in the log are whole milliseconds, so the cursor is exact.
  const row = sql`${requestLog.createdAt}, ${requestLog.requestId}`;
  const position = sql`${at}::timestamptz, ${requestId}::uuid`;
  if (sort === "createdAt") return sql`(${row}) < (${position})`;
  return sql`(${sortings[sort].by}, ${row}) < (${value}::bigint, ${position})`;
}

/** The cursor that continues after an entry. */
export function cursorOf(row: SortedRow & { createdAt: Date; requestId: string }, sort: LogSort): string {
  return cursorAfter(row, sort === "createdAt" ? null : { sort, value: sortings[sort].of(row) });
}

import type { Session } from "@/lib/db/database";
import type { StatementCalendar } from "./calendar";
import { headRecordOf, type StatementHead } from "./heads";
import { noSums } from "./line-sums";
import { allLinesSql, type LineSums, monthParams, sumColumns } from "./lines";
import { sumRecordOf } from "./sum-record";

/**
 * The months of all statements with their sums, newest first: of all accounts, or of one. Source:
 * docs/budgets.md#statements.
 */
export async function readMonthSums(
  db: Pick<Session, "query">,
  calendar: StatementCalendar,
  heads: readonly StatementHead[],
  userId?: string,
) {
  const lines = allLinesSql(userId === undefined ? { recent: true } : { where: " AND user_id = $3::uuid" });
  const rows = await db.query<LineSums & { month: string }>(
    `WITH ${lines} SELECT month, ${sumColumns((column) => `sum(${column})::bigint`)} FROM lines GROUP BY month`,
    [...monthParams(calendar), ...(userId === undefined ? [] : [userId])],
  );
  const sums = new Map(rows.map((row) => [row.month, row]));
  return heads.map((head) => ({
    ...headRecordOf(head),
    ...sumRecordOf(sums.get(head.month) ?? noSums()),
  }));
}

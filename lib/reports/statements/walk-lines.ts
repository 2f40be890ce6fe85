import type { Session } from "@/lib/db/database";
import type { StatementCalendar } from "./calendar";
import type { StatementHead } from "./heads";
import { allLinesSql, closedLinesSql, type LineSums, monthParams, sumColumns } from "./lines";

/** A line of a statement with the names of today. Units: as `LineSums`. */
export interface StatementLine extends LineSums {
  month: string;
  of_month: string;
  user_id: string;
  username: string;
  /** Of the project, else of the account. */
  cost_centre: string;
  project_id: string | null;
  project: string | null;
  /** Who made the key. */
  member_id: string;
  member: string;
  key_id: string;
  key_name: string | null;
  key_prefix: string | null;
  model: string;
}

/** Names and places of a line `l`; `u` pays, `k` is the key, `p` its project. */
export const LINE_NAMES = `JOIN users u ON u.id = l.user_id
LEFT JOIN api_keys k ON k.id = l.key_id LEFT JOIN projects p ON p.id = k.project_id`;
export const COST_CENTRE = "coalesce(nullif(p.cost_centre, ''), u.cost_centre)";

const linesSql = (lines: string) => `WITH ${lines}
SELECT l.month, l.of_month, l.user_id, u.username, ${COST_CENTRE} AS cost_centre, k.project_id, p.name AS project,
  coalesce(m.id, u.id) AS member_id, coalesce(m.username, u.username) AS member, l.key_id, k.name AS key_name,
  k.key_prefix, l.model, ${sumColumns((column) => `l.${column}`)}
FROM lines l ${LINE_NAMES} LEFT JOIN users m ON m.id = k.created_by
WHERE l.month = $3 AND ($4::uuid IS NULL OR l.user_id = $4::uuid) AND ($5::uuid IS NULL OR k.project_id = $5::uuid)
  AND ($6::uuid IS NULL
    OR (l.user_id, l.key_id, l.model COLLATE "C", l.of_month) > ($6::uuid, $7::uuid, $8::text COLLATE "C", $9::text))
ORDER BY l.user_id, l.key_id, l.model COLLATE "C", l.of_month LIMIT $10::int`;

/** Lines that are read at once; large, because those of an open month are summed again for each batch. */
const BATCH = 20_000;

/**
 * The lines of a month in the order of its checksum, in batches and at most `maxRows`: of all accounts, or of one, or of
 * one project. Source: docs/budgets.md#statements.
 */
export async function* walkStatementLines(
  db: Pick<Session, "query">,
  calendar: StatementCalendar,
  head: StatementHead,
  of: { userId?: string | undefined; projectId?: string | undefined; maxRows: number; batch?: number },
): AsyncGenerator<StatementLine[]> {
  const { userId = null, projectId = null, maxRows, batch = BATCH } = of;
  const options = userId === null ? { recent: true } : { where: " AND user_id = $4::uuid" };
  const sql = linesSql(head.closedAt === null ? allLinesSql(options) : closedLinesSql(options));
  let after: [string | null, string | null, string | null, string | null] = [null, null, null, null];
  for (let given = 0; given < maxRows; given += batch) {
    const limit = Math.min(batch, maxRows - given);
    const params = [...monthParams(calendar), head.month, userId, projectId, ...after, limit];
    const rows = await db.query<StatementLine>(sql, params);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    after = [last.user_id, last.key_id, last.model, last.of_month];
  }
}

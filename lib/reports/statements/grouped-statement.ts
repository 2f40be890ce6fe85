import type { Session } from "@/lib/db/database";
import { centsDecimal } from "@/lib/kernel/money";
import { monthAfter, type StatementCalendar } from "./calendar";
import { headRecordOf, type StatementHead } from "./heads";
import { addSums, noSums } from "./line-sums";
import { allLinesSql, closedLinesSql, type LineSums, monthParams, sumColumns } from "./lines";
import { sumRecordOf } from "./sum-record";
import { COST_CENTRE, LINE_NAMES } from "./walk-lines";

/** What the sums of a month are of. */
export const statementGroups = ["account", "project", "costCentre"] as const;
export type StatementGroup = (typeof statementGroups)[number];

/** Id, name and owner of a group; the keys of no project are one group without an id, and so is no cost centre. */
const GROUPS: Record<StatementGroup, [id: string, name: string, owner: string]> = {
  account: ["l.user_id::text", "u.username", "NULL::text"],
  project: [
    "coalesce(k.project_id::text, '')",
    "coalesce(p.name, '')",
    "CASE WHEN p.id IS NOT NULL THEN u.username END",
  ],
  costCentre: [COST_CENTRE, COST_CENTRE, "NULL::text"],
};

const MAX_ROWS = 200;

interface GroupRow extends LineSums {
  id: string;
  name: string;
  owner: string | null;
  count: bigint;
  late: bigint;
  previous_requests: bigint;
  previous_cost: bigint;
}

function groupsSql(by: StatementGroup, closed: boolean): string {
  const [id, name, owner] = GROUPS[by];
  const columns = sumColumns((column) => `sum(${column})::bigint`);
  const lines = closed ? closedLinesSql() : allLinesSql({ recent: true });
  return `WITH ${lines}, grouped AS (
  SELECT ${id} AS id, min(${name}) AS name, min(${owner}) AS owner,
    ${sumColumns((column) => `coalesce(sum(l.${column}) FILTER (WHERE l.month = $3), 0)`)},
    coalesce(sum(l.cost_micro_cents) FILTER (WHERE l.month = $3 AND l.of_month < $3), 0) AS late,
    coalesce(sum(l.requests) FILTER (WHERE l.month = $4), 0) AS previous_requests,
    coalesce(sum(l.cost_micro_cents) FILTER (WHERE l.month = $4), 0) AS previous_cost
  FROM lines l ${LINE_NAMES} WHERE l.month IN ($3, $4) GROUP BY 1
), ranked AS (
  SELECT *, least(${MAX_ROWS + 1}, row_number() OVER (ORDER BY cost_micro_cents DESC, previous_cost DESC, id)) AS rank
  FROM grouped
)
SELECT min(id) AS id, min(name) AS name, min(owner) AS owner, count(*) AS count, ${columns}, sum(late)::bigint AS late,
  sum(previous_requests)::bigint AS previous_requests, sum(previous_cost)::bigint AS previous_cost
FROM ranked GROUP BY rank ORDER BY rank`;
}

/**
 * The sums of a month and of the month before, by account, project or cost centre: the 200 of the highest cost, and the
 * sum of the others. Source: docs/budgets.md#statements.
 */
export async function readGroupedStatement(
  db: Pick<Session, "query">,
  calendar: StatementCalendar,
  head: StatementHead,
  by: StatementGroup,
) {
  const params = [...monthParams(calendar), head.month, monthAfter(head.month, -1)];
  const rows = await db.query<GroupRow>(groupsSql(by, head.closedAt !== null), params);
  const listed = rows.slice(0, MAX_ROWS);
  const others = rows[MAX_ROWS];
  const all = { ...noSums(), late: 0n, previous_requests: 0n, previous_cost: 0n };
  for (const row of rows) {
    addSums(all, row);
    all.late += row.late;
    all.previous_requests += row.previous_requests;
    all.previous_cost += row.previous_cost;
  }
  return {
    ...headRecordOf(head),
    timezone: calendar.timeZone,
    by,
    totals: figuresOf(all),
    rows: listed.map((row) => ({ id: row.id, name: row.name, owner: row.owner, ...figuresOf(row) })),
    others: others === undefined ? null : { count: Number(others.count), ...figuresOf(others) },
  };
}

type Figures = Pick<GroupRow, keyof LineSums | "late" | "previous_requests" | "previous_cost">;

function figuresOf(row: Figures) {
  return {
    ...sumRecordOf(row),
    lateCost: centsDecimal(row.late),
    previous: { requestCount: Number(row.previous_requests), cost: centsDecimal(row.previous_cost) },
  };
}

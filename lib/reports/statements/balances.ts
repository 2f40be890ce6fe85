import type { Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import type { StatementCalendar } from "./calendar";
import type { StatementHead } from "./heads";
import { allLinesSql, closedLinesSql, monthParams } from "./lines";

/** A change of the quota in a month. */
export interface StatementGrant {
  id: string;
  type: "signup" | "grant" | "adjustment" | "invite";
  at: Date;
  amount: bigint;
  reason: string;
}

/** What of an account's balance is no use of it. Units: micro-cents. */
export interface StatementBalances {
  opening: bigint;
  /** At most 1,000, oldest first. */
  grants: StatementGrant[];
  /** The sum of further ones. */
  otherGrants: bigint;
}

const MAX_GRANTS = 1_000;

const openingSql = (lines: string) => `WITH ${lines}
SELECT (u.quota_micro_cents
  - coalesce((SELECT sum(amount_micro_cents) FROM quota_grants WHERE user_id = u.id AND created_at >= $5::timestamptz), 0)
  - coalesce((SELECT sum(cost_micro_cents) FROM lines WHERE month < $3), 0))::text AS opening
FROM users u WHERE u.id = $4::uuid`;

const GRANTS = `SELECT id::text AS id, kind AS type, created_at AS at, amount_micro_cents AS amount, reason
FROM quota_grants WHERE user_id = $1::uuid AND created_at >= $2::timestamptz AND created_at < $3::timestamptz
ORDER BY created_at, id`;

/** The balance at the start of a month, and what was granted in it. Source: docs/budgets.md#statements. */
export async function readStatementBalances(
  db: Pick<Session, "query">,
  calendar: StatementCalendar,
  head: StatementHead,
  userId: string,
): Promise<StatementBalances> {
  const options = { where: " AND user_id = $4::uuid" };
  const lines = head.closedAt === null ? allLinesSql(options) : closedLinesSql(options);
  const params = [...monthParams(calendar), head.month, userId, head.startsAt];
  const { opening } = onlyRow(await db.query<{ opening: string }>(openingSql(lines), params));
  const bounds = [userId, head.startsAt, head.endsAt];
  const grants = await db.query<StatementGrant>(`${GRANTS} LIMIT ${MAX_GRANTS}`, bounds);
  const { added } = onlyRow(
    await db.query<{ added: string }>(
      `SELECT coalesce(sum(amount), 0)::text AS added FROM (${GRANTS}) granted`,
      bounds,
    ),
  );
  const listed = grants.reduce((sum, { amount }) => sum + amount, 0n);
  return { opening: BigInt(opening), grants, otherGrants: BigInt(added) - listed };
}

import { sql } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";

/** Opens the running window of a counter where no request has done so yet. Source: docs/budgets.md#windows. */
export async function openWindow(tx: Orm, budgetId: string, member: string, seed: bigint): Promise<void> {
  const own = sql`o.budget_id = ${budgetId}::uuid AND o.member = ${member}::uuid`;
  await tx.execute(sql`INSERT INTO budget_windows (budget_id, member, starts_at, ends_at, seed, used)
    SELECT b.id, ${member}::uuid, greatest(t.starts, (SELECT max(o.ends_at) FROM budget_windows o WHERE ${own})), t.ends,
      ${seed}::bigint, ${seed}::bigint
    FROM budgets b CROSS JOIN LATERAL budget_period(b.period, b.time_zone, now()) AS t
    WHERE b.id = ${budgetId}::uuid AND NOT EXISTS (SELECT FROM budget_windows o WHERE ${own} AND o.ends_at > now())
    ON CONFLICT (budget_id, member, ends_at) DO NOTHING`);
}

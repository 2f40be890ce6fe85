import { and, eq, sql } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { sqlState } from "@/lib/db/database-error";
import { budgetWindows } from "@/lib/db/schema/budgets";
import { badField } from "@/lib/kernel/errors";
import type { BudgetPeriod } from "@/lib/shared/budget-words";

/** A period; null: it has no beginning or no end. Units: milliseconds since 1970. */
export interface Period {
  startsMs: number | null;
  endsMs: number | null;
}

/** The period that the database's present moment lies in. Throws: INVALID_REQUEST for a zone that the database does not know. */
export async function runningPeriod(orm: Orm, period: BudgetPeriod, timeZone: string): Promise<Period> {
  const milliseconds = (moment: "starts" | "ends") =>
    sql<
      string | null
    >`CASE WHEN isfinite(t.${sql.raw(moment)}) THEN floor(1000 * extract(epoch FROM t.${sql.raw(moment)}))::bigint::text END`;
  try {
    const [found] = await orm
      .select({ starts: milliseconds("starts"), ends: milliseconds("ends") })
      .from(sql`budget_period(${period}::text, ${timeZone}::text, now()) AS t`);
    return { startsMs: numberOf(found?.starts), endsMs: numberOf(found?.ends) };
  } catch (error) {
    if (sqlState(error) !== "22023") throw error;
    throw badField("timeZone", "is a time zone that the database does not know");
  }
}

function numberOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text);
}

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

/** Sets what the running window allows beyond the limit. Returns what it was before. Units: those of the rule. */
export async function giveMore(tx: Orm, budgetId: string, member: string, amount: bigint): Promise<bigint> {
  await openWindow(tx, budgetId, member, 0n);
  const running = and(
    eq(budgetWindows.budgetId, budgetId),
    eq(budgetWindows.member, member),
    sql`${budgetWindows.endsAt} > now()`,
  );
  const [before] = await tx
    .select({ id: budgetWindows.id, extra: budgetWindows.extra })
    .from(budgetWindows)
    .where(running)
    .orderBy(budgetWindows.endsAt)
    .limit(1)
    .for("no key update");
  if (before === undefined) throw new Error("the running window of a rule was not opened");
  await tx.update(budgetWindows).set({ extra: amount }).where(eq(budgetWindows.id, before.id));
  return before.extra;
}

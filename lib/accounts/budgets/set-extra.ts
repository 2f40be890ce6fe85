import { and, eq, sql } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { budgetWindows, NO_MEMBER } from "@/lib/db/schema/budgets";
import type { BudgetColumns } from "./audited-budget";
import { shownAmount, storedAmount } from "./budget-amounts";
import { requireMember } from "./budget-exceptions";
import { openWindow } from "./open-window";

/** More than the limit for the running period of one counter. Units: cents, tokens or requests. */
export interface Extra {
  member?: string | undefined;
  amount: number;
}

/** Sets the extra of a locked rule. Returns what it was before. Throws: INVALID_REQUEST (the member). */
export async function setExtra(tx: Orm, rule: BudgetColumns, { member, amount }: Extra): Promise<number> {
  await requireMember(tx, rule, member);
  const before = await giveMore(tx, rule.id, member ?? NO_MEMBER, storedAmount(rule.unit, amount));
  return shownAmount(rule.unit, before);
}

/** Sets what the running window allows beyond the limit. Returns what it was before. Units: those of the rule. */
async function giveMore(tx: Orm, budgetId: string, member: string, amount: bigint): Promise<bigint> {
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

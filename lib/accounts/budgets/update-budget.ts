import { eq, sql } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { budgets } from "@/lib/db/schema/budgets";
import { badField } from "@/lib/kernel/errors";
import type { BudgetColumns } from "./audited-budget";
import { storedAmount } from "./budget-amounts";
import { type AskedException, writeExceptions } from "./budget-exceptions";

/** A change of a rule; absent fields stay. Units: cents, tokens or requests. */
export interface BudgetChange {
  name?: string | undefined;
  limit?: number | undefined;
  mode?: "stop" | "warn" | undefined;
  enabled?: boolean | undefined;
  exceptions?: readonly AskedException[] | undefined;
}

/**
 * Changes what may change of a locked rule. Throws: INVALID_REQUEST (the mode of a rule that is hard, exceptions).
 * Source: docs/budgets.md#rule.
 */
export async function updateBudget(
  tx: Orm,
  before: BudgetColumns,
  change: BudgetChange,
): Promise<BudgetColumns> {
  const { name, limit, mode, enabled, exceptions } = change;
  if (mode !== undefined && before.mode === "hard")
    throw badField("mode", "of a rule that is hard stays so; end it and make another");
  if (exceptions !== undefined) await writeExceptions(tx, before, exceptions);
  const limitAmount = limit === undefined ? undefined : storedAmount(before.unit, limit);
  const [row] = await tx
    .update(budgets)
    .set({ name, limitAmount, mode, enabled, updatedAt: sql`now()` })
    .where(eq(budgets.id, before.id))
    .returning();
  if (row === undefined) throw new Error("the changed rule was not returned");
  return row;
}

/** Ends a locked rule; its windows stay. */
export async function endBudget(tx: Orm, { id }: BudgetColumns): Promise<void> {
  await tx.update(budgets).set({ endedAt: sql`now()`, updatedAt: sql`now()` }).where(eq(budgets.id, id));
}

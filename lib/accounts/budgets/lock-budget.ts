import { and, eq, isNull } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { budgets } from "@/lib/db/schema/budgets";
import { GatewayError } from "@/lib/kernel/errors";
import type { BudgetColumns } from "./audited-budget";

/** A rule that is in force or switched off, locked until the transaction ends. Throws: NOT_FOUND. */
export async function lockBudget(tx: Orm, id: string): Promise<BudgetColumns> {
  const [row] = await tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.id, id), isNull(budgets.endedAt)))
    .for("no key update");
  if (row === undefined) throw new GatewayError("NOT_FOUND", "There is no such budget.");
  return row;
}

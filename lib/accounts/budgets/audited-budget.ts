import { asc, eq, sql } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { budgetExceptions, type budgets } from "@/lib/db/schema/budgets";
import { shownAmount } from "./budget-amounts";

/** A rule row. */
export type BudgetColumns = typeof budgets.$inferSelect;

/** A rule as the audit keeps it: what was asked for, without counters. */
export async function auditedBudget(tx: Orm, row: BudgetColumns) {
  const { budgetId, member, limitAmount } = budgetExceptions;
  const memberName = sql<string | null>`coalesce((SELECT username FROM users WHERE id = ${member}),
    (SELECT name FROM api_keys WHERE id = ${member}))`;
  const exceptions = await tx
    .select({ member, memberName, limitAmount })
    .from(budgetExceptions)
    .where(eq(budgetId, row.id))
    .orderBy(asc(member));
  return {
    name: row.name,
    scope: row.scope,
    subjectId: row.planId ?? row.userId ?? row.projectId ?? row.keyId,
    each: row.each,
    models: row.models,
    unit: row.unit,
    period: row.period,
    timeZone: row.timeZone,
    limit: shownAmount(row.unit, row.limitAmount),
    mode: row.mode,
    enabled: row.enabled,
    exceptions: exceptions.map((exception) => ({
      member: exception.member,
      memberName: exception.memberName,
      limit: exception.limitAmount === null ? null : shownAmount(row.unit, exception.limitAmount),
    })),
  };
}

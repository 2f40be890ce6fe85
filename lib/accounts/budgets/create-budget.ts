import { and, count, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { budgets, NO_MEMBER } from "@/lib/db/schema/budgets";
import { models } from "@/lib/db/schema/catalog";
import { badField, GatewayError } from "@/lib/kernel/errors";
import {
  type BudgetEach,
  type BudgetMode,
  type BudgetPeriod,
  type BudgetUnit,
  eachOfScope,
  liveRulesOf,
} from "@/lib/shared/budget-words";
import type { BudgetColumns } from "./audited-budget";
import { storedAmount } from "./budget-amounts";
import { type AskedException, writeExceptions } from "./budget-exceptions";
import type { BudgetSubject } from "./budget-subject";
import { openWindow } from "./open-window";

/** A new rule. Units: cents, tokens or requests. */
export interface NewBudget {
  subject: BudgetSubject;
  name: string;
  each: BudgetEach;
  models: readonly string[] | null;
  unit: BudgetUnit;
  period: BudgetPeriod;
  timeZone: string;
  limit: number;
  mode: BudgetMode;
  enabled: boolean;
  exceptions: readonly AskedException[];
  /** Made by an admin for somebody else. */
  locked: boolean;
  createdBy: string;
  /** What was used in the running period. Units: those that are stored. */
  seed: bigint;
}

/**
 * Makes a rule, in a transaction. Throws: INVALID_REQUEST (counters that the scope cannot have, an unknown alias or member),
 * CONFLICT (too many rules of the subject). Source: docs/budgets.md#rule.
 */
export async function createBudget(tx: Orm, rule: NewBudget): Promise<BudgetColumns> {
  const { subject, each, unit } = rule;
  const allowed = eachOfScope[subject.scope];
  if (!allowed.includes(each))
    throw badField("each", `must be ${allowed.join(" or ")} for the scope ${subject.scope}`);
  await requireAliases(tx, rule.models);
  // No other transaction adds a rule to the subject before this one ends.
  await tx.execute(sql`LOCK TABLE ${budgets} IN SHARE ROW EXCLUSIVE MODE`);
  await requireRoom(tx, subject);
  const [row] = await tx
    .insert(budgets)
    .values({
      name: rule.name,
      scope: subject.scope,
      planId: subject.planId,
      userId: subject.userId,
      projectId: subject.projectId,
      keyId: subject.keyId,
      each,
      models: rule.models === null ? null : [...new Set(rule.models)],
      unit,
      period: rule.period,
      timeZone: rule.timeZone,
      limitAmount: storedAmount(unit, rule.limit),
      mode: rule.mode,
      enabled: rule.enabled,
      locked: rule.locked,
      createdBy: rule.createdBy,
    })
    .returning();
  if (row === undefined) throw new Error("the inserted rule was not returned");
  await writeExceptions(tx, row, rule.exceptions);
  if (each === "none") await openWindow(tx, row.id, NO_MEMBER, rule.seed);
  return row;
}

async function requireAliases(tx: Orm, asked: readonly string[] | null): Promise<void> {
  if (asked === null) return;
  const rows = await tx
    .select({ alias: models.alias })
    .from(models)
    .where(inArray(models.alias, [...asked]));
  const unknown = asked.filter((alias) => rows.every((row) => row.alias !== alias));
  if (unknown.length > 0) throw badField("models", `has names of no model: ${unknown.join(", ")}`);
}

async function requireRoom(
  tx: Orm,
  { scope, planId, userId, projectId, keyId }: BudgetSubject,
): Promise<void> {
  const subject = and(
    eq(budgets.scope, scope),
    isNull(budgets.endedAt),
    planId === null ? undefined : eq(budgets.planId, planId),
    userId === null ? undefined : eq(budgets.userId, userId),
    projectId === null ? undefined : eq(budgets.projectId, projectId),
    keyId === null ? undefined : eq(budgets.keyId, keyId),
  );
  const { total } = onlyRow(await tx.select({ total: count() }).from(budgets).where(subject));
  const most = liveRulesOf(scope);
  if (total < most) return;
  const whose = scope === "platform" ? "The platform" : `This ${scope}`;
  throw new GatewayError("CONFLICT", `${whose} may have at most ${most} budgets. End one first.`, {
    reason: "too_many_budgets",
  });
}

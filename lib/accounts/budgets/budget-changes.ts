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
import { shownAmount, storedAmount } from "./budget-amounts";
import { type AskedException, requireMember, writeExceptions } from "./budget-exceptions";
import type { BudgetSubject } from "./budget-subject";
import { giveMore, openWindow } from "./budget-window";

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
  const { name, period, timeZone, mode, enabled, locked, createdBy } = rule;
  const { scope, planId, userId, projectId, keyId } = subject;
  const [row] = await tx
    .insert(budgets)
    .values({
      ...{
        name,
        scope,
        planId,
        userId,
        projectId,
        keyId,
        each,
        unit,
        period,
        timeZone,
        mode,
        enabled,
        locked,
        createdBy,
      },
      models: rule.models === null ? null : [...new Set(rule.models)],
      limitAmount: storedAmount(unit, rule.limit),
    })
    .returning();
  if (row === undefined) throw new Error("the inserted rule was not returned");
  await writeExceptions(tx, row, rule.exceptions);
  if (each === "none") await openWindow(tx, row.id, NO_MEMBER, rule.seed);
  return row;
}

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
  throw new GatewayError("CONFLICT", `${whose} may have at most ${most} budgets. End one first.`);
}

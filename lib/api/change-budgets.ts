import { auditedBudget } from "@/lib/accounts/budgets/audited-budget";
import type { BudgetReader } from "@/lib/accounts/budgets/budget-reader";
import { type AskedSubject, refuseForeignRule, subjectOf } from "@/lib/accounts/budgets/budget-subject";
import { createBudget, type NewBudget } from "@/lib/accounts/budgets/create-budget";
import { findBudget, ownsBudget } from "@/lib/accounts/budgets/find-budget";
import { lockBudget } from "@/lib/accounts/budgets/lock-budget";
import { runningPeriod } from "@/lib/accounts/budgets/running-period";
import { setExtra } from "@/lib/accounts/budgets/set-extra";
import { type BudgetChange, endBudget, updateBudget } from "@/lib/accounts/budgets/update-budget";
import { type Actor, recordAudit, refuseManagedByFile } from "@/lib/admin/audit";
import { levelOf, refuseOlderProcesses } from "@/lib/admin/older-processes";
import type { Orm } from "@/lib/db/database";
import { runtime } from "@/lib/gateway/runtime";
import { usedSince } from "@/lib/reports/budget-preview";

/** Who makes or changes rules. */
export interface BudgetAuthor {
  reader: BudgetReader;
  actor: Actor;
}

/** What a caller asks for in a new rule. */
type AskedBudget = AskedSubject &
  Omit<NewBudget, "subject" | "timeZone" | "locked" | "createdBy" | "seed"> & {
    timeZone?: string | undefined;
    fromNow: boolean;
  };

/**
 * Makes a rule, which begins with what was used in the running period unless it is to begin now. Throws: INVALID_REQUEST, CONFLICT.
 * Source: docs/budgets.md#start.
 */
export async function makeBudget({ reader, actor }: BudgetAuthor, asked: AskedBudget) {
  const { db, settings, reports } = runtime();
  await refuseOlderProcesses(db, levelOf.rules, "would not check this budget");
  const timeZone = asked.timeZone ?? settings.reportTimezone;
  const subject = await subjectOf(db.orm, reader, asked);
  const { startsMs } = await runningPeriod(db.orm, asked.period, timeZone);
  const isSeeded = asked.each === "none" && !asked.fromNow;
  const use = { subject, models: asked.models, unit: asked.unit, fromMs: startsMs };
  const seed = isSeeded ? await reports.run(reader.userId, () => usedSince(db, use)) : 0n;
  const locked = reader.isAdmin && ["account", "project", "key"].includes(asked.scope);
  const id = await db.orm.transaction(async (tx) => {
    const rule = { ...asked, subject, timeZone, locked, createdBy: reader.userId, seed };
    const row = await createBudget(tx, rule);
    await audit(tx, actor, "budget.create", row.id, { after: await auditedBudget(tx, row) });
    return row.id;
  });
  return findBudget(db, reader, id);
}

/** Changes a rule. Throws: NOT_FOUND, FORBIDDEN, CONFLICT, INVALID_REQUEST. Source: docs/budgets.md#rule. */
export async function changeBudget(author: BudgetAuthor, id: string, change: BudgetChange) {
  const { exceptions: _, ...rest } = change;
  await inChange(author, id, async (tx, row) => {
    // The file cannot name accounts and keys, so their exceptions are the admins'.
    if (Object.values(rest).some((value) => value !== undefined)) refuseManagedByFile(row);
    const before = await auditedBudget(tx, row);
    const after = await auditedBudget(tx, await updateBudget(tx, row, change));
    await audit(tx, author.actor, "budget.update", id, { before, after });
  });
  return findBudget(runtime().db, author.reader, id);
}

/** Ends a rule. Throws: as `changeBudget`. */
export async function removeBudget(author: BudgetAuthor, id: string): Promise<void> {
  await inChange(author, id, async (tx, row) => {
    refuseManagedByFile(row);
    await audit(tx, author.actor, "budget.delete", id, { before: await auditedBudget(tx, row) });
    await endBudget(tx, row);
  });
}

/** Gives more in the running period only. Throws: as `changeBudget`. Source: docs/budgets.md#extra. */
export async function giveExtra(
  author: BudgetAuthor,
  id: string,
  extra: { member?: string | undefined; amount: number; reason: string },
) {
  const { member = null, amount, reason } = extra;
  await inChange(author, id, async (tx, row) => {
    const before = await setExtra(tx, row, extra);
    await audit(tx, author.actor, "budget.extra", id, {
      before: { name: row.name, unit: row.unit, member, extra: before },
      after: { name: row.name, unit: row.unit, member, extra: amount, reason },
    });
  });
  return findBudget(runtime().db, author.reader, id);
}

async function inChange(
  { reader }: BudgetAuthor,
  id: string,
  work: (tx: Orm, row: Awaited<ReturnType<typeof lockBudget>>) => Promise<void>,
): Promise<void> {
  const { db } = runtime();
  const own = await ownsBudget(db, reader, id);
  await db.orm.transaction(async (tx) => {
    const row = await lockBudget(tx, id);
    refuseForeignRule(reader, { ...row, own });
    await work(tx, row);
  });
}

async function audit(
  tx: Orm,
  actor: Actor,
  action: string,
  targetId: string,
  states: { before?: unknown; after?: unknown },
): Promise<void> {
  await recordAudit(tx, actor, { action, targetType: "budget", targetId, ...states });
}

import { and, count, eq, isNotNull, isNull, max, ne, sql } from "drizzle-orm";
import { planRecordOf } from "@/lib/accounts/keys";
import { storedLimits } from "@/lib/config/account-limits";
import type { PlanEntry } from "@/lib/config/file-schema";
import type { Orm, Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { apiKeys, invitations, plans, users } from "@/lib/db/schema/accounts";
import { budgets } from "@/lib/db/schema/budgets";
import { GatewayError } from "@/lib/kernel/errors";
import { microCentsFromCents } from "@/lib/kernel/money";
import { type Actor, changeConfig, refuseManagedByFile, requireFound, takenName } from "./audit";

type PlanRow = typeof plans.$inferSelect;

/**
 * Every plan with the number of its keys and accounts. Deleted keys do not count; `userCount` includes deleted
 * accounts, `currentUserCount` does not.
 */
export async function listPlansWithUse(db: Session) {
  const rows = await db.orm.select().from(plans).orderBy(plans.id);
  const keys = await db.orm
    .select({ id: apiKeys.planId, total: count() })
    .from(apiKeys)
    .where(isNull(apiKeys.deletedAt))
    .groupBy(apiKeys.planId);
  const accounts = await db.orm
    .select({
      id: users.planId,
      total: count(),
      current: sql<string>`count(*) FILTER (WHERE ${users.status} <> 'deleted')::text`,
    })
    .from(users)
    .groupBy(users.planId);
  const totalOf = (totals: { id: number; total: number }[], id: number) =>
    totals.find((entry) => entry.id === id)?.total ?? 0;
  return rows.map((row) => ({
    ...adminRecordOf(row),
    keyCount: totalOf(keys, row.id),
    userCount: totalOf(accounts, row.id),
    currentUserCount: Number(accounts.find(({ id }) => id === row.id)?.current ?? 0),
  }));
}

/** One plan. Throws: NOT_FOUND. */
export async function findPlan(db: Session, id: string) {
  return adminRecordOf(await planById(db.orm, id));
}

/** Creates a plan; without an id it gets the next one. Throws: CONFLICT (its id or its name). Source: docs/contract.md#s3. */
export async function createPlan(
  db: Session,
  actor: Actor,
  input: Omit<PlanEntry, "id"> & { id?: number | undefined },
) {
  return changeConfig(db, actor, async (tx) => {
    const highest = onlyRow(await tx.select({ id: max(plans.id) }).from(plans));
    const id = input.id ?? (highest.id ?? 0) + 1;
    await refuseTakenName(tx, input.name, id);
    const [row] = await tx
      .insert(plans)
      .values({ ...columnsOf(input), ...required(input), id })
      .returning();
    const result = adminRecordOf(requireFound(row, "plan"));
    return {
      result,
      audit: { action: "plan.create", targetType: "plan", targetId: String(id), after: result },
    };
  });
}

/** Changes a plan; the change applies to its keys at once. Throws: NOT_FOUND, CONFLICT (managed by file, its name). */
export async function updatePlan(
  db: Session,
  actor: Actor,
  id: string,
  change: Partial<Omit<PlanEntry, "id">>,
) {
  return changeConfig(db, actor, async (tx) => {
    const before = await planById(tx, id);
    refuseManagedByFile(before);
    if (change.name !== undefined && change.name !== before.name)
      await refuseTakenName(tx, change.name, before.id);
    const [row] = await tx
      .update(plans)
      .set({ ...columnsOf(change), updatedAt: new Date() })
      .where(eq(plans.id, before.id))
      .returning();
    const result = adminRecordOf(requireFound(row, "plan"));
    return {
      result,
      audit: {
        action: "plan.update",
        targetType: "plan",
        targetId: String(before.id),
        before: adminRecordOf(before),
        after: result,
      },
    };
  });
}

/** Deletes a plan that no key and no account uses, and ends its budgets. Throws: NOT_FOUND, CONFLICT. */
export async function deletePlan(db: Session, actor: Actor, id: string): Promise<void> {
  await changeConfig(db, actor, async (tx) => {
    const row = await planById(tx, id);
    refuseManagedByFile(row);
    const onPlan = eq(apiKeys.planId, row.id);
    const keys = onlyRow(
      await tx
        .select({ total: count() })
        .from(apiKeys)
        .where(and(onPlan, isNull(apiKeys.deletedAt))),
    );
    const accounts = onlyRow(await tx.select({ total: count() }).from(users).where(eq(users.planId, row.id)));
    if (keys.total + accounts.total > 0) {
      throw new GatewayError("CONFLICT", "Keys or accounts still have this plan.");
    }
    // Rows of deleted keys stay for their sums and need a plan.
    const planOfOwner = sql`(SELECT ${users.planId} FROM ${users} WHERE ${users.id} = ${apiKeys.userId})`;
    await tx
      .update(apiKeys)
      .set({ planId: planOfOwner })
      .where(and(onPlan, isNotNull(apiKeys.deletedAt)));
    // Before the plan is locked, because a registration locks its invitation first, too.
    await tx.update(invitations).set({ planId: null }).where(eq(invitations.planId, row.id));
    await tx
      .update(budgets)
      .set({ endedAt: sql`now()`, updatedAt: sql`now()` })
      .where(and(eq(budgets.planId, row.id), isNull(budgets.endedAt)));
    await tx.delete(plans).where(eq(plans.id, row.id));
    return {
      result: undefined,
      audit: {
        action: "plan.delete",
        targetType: "plan",
        targetId: String(row.id),
        before: adminRecordOf(row),
      },
    };
  });
}

/**
 * Refuses a name that another plan has, regardless of case. The database does not enforce this, because an older
 * installation may have two plans with one name, which keep it.
 */
async function refuseTakenName(tx: Orm, name: string, ownId: number): Promise<void> {
  // No other transaction can take the name before the write.
  await tx.execute(sql`LOCK TABLE ${plans} IN SHARE ROW EXCLUSIVE MODE`);
  const [taken] = await tx
    .select({ id: plans.id })
    .from(plans)
    .where(and(sql`lower(${plans.name}) = lower(${name})`, ne(plans.id, ownId)))
    .limit(1);
  if (taken !== undefined) throw takenName("name", "is the name of another plan");
}

async function planById(orm: Orm, id: string): Promise<PlanRow> {
  const number = /^\d{1,9}$/.test(id) ? Number(id) : undefined;
  const [row] = await orm
    .select()
    .from(plans)
    .where(eq(plans.id, requireFound(number, "plan")))
    .limit(1);
  return requireFound(row, "plan");
}

function columnsOf({ keyQuotaCents, accountLimits, ...columns }: Partial<Omit<PlanEntry, "id">>) {
  return {
    ...columns,
    ...(accountLimits === undefined ? {} : { accountLimits: storedLimits(accountLimits) }),
    ...(keyQuotaCents === undefined ? {} : { keyQuotaMicroCents: microCentsFromCents(keyQuotaCents) }),
  };
}

function required({ name, keyQuotaCents }: Pick<PlanEntry, "name" | "keyQuotaCents">) {
  return { name, keyQuotaMicroCents: microCentsFromCents(keyQuotaCents) };
}

function adminRecordOf(row: PlanRow) {
  return { ...planRecordOf(row), managedByFile: row.managedByFile };
}

import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { LeftBehind } from "@/lib/accounts/projects/leave-all";
import { endMadeKeys } from "@/lib/accounts/projects/made-keys";
import { eraseUser, requireAnotherAdmin } from "@/lib/accounts/self";
import { deleteLogins, type UserRow } from "@/lib/accounts/session";
import type { GivenLimits } from "@/lib/config/account-limits";
import type { Orm, Session } from "@/lib/db/database";
import { isOutcomeUnknown, outcomeUnknown } from "@/lib/db/database-error";
import { apiKeys, plans, quotaGrants, users } from "@/lib/db/schema/accounts";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { centsDecimal, MAX_CENTS, microCentsFromCents } from "@/lib/kernel/money";
import type { UserRole } from "@/lib/shared/user-roles";
import { type Actor, recordAudit, requireFound } from "./audit";
import { recordEndedKeys, recordLeftBehind } from "./left-behind";
import { lockUser } from "./lock-user";
import { userById, userRecordOf } from "./user-records";

/** A change of an account by an admin. Units: quota in whole cents. */
export interface UserChange {
  name?: string | undefined;
  email?: string | undefined;
  role?: UserRole | undefined;
  status?: "active" | "suspended" | undefined;
  /** Why the account is suspended; only together with that status. */
  reason?: string | undefined;
  planId?: number | undefined;
  quota?: number | undefined;
  limitOverrides?: GivenLimits | null | undefined;
  /** Whom statements count its use for. */
  costCentre?: string | undefined;
}

/**
 * Changes an account. A new role or status ends its sessions; a new quota is recorded as an adjustment; a new plan also
 * applies to keys that had the old one. A suspension blocks the keys that it made in projects of others.
 * Throws: NOT_FOUND, INVALID_REQUEST, CONFLICT (one's own role or status, the last admin).
 * Source: docs/dashboard.md#s2-9.
 */
export async function updateUser(db: Session, actor: Actor, id: string, change: UserChange) {
  return db.orm.transaction(async (tx) => {
    const before = await lockUser(tx, id, {
      keys: change.planId !== undefined || change.status === "suspended",
      admins: losesAdmin(change.role) || change.status === "suspended",
    });
    await refuseDangerous(tx, actor, before, change);
    if (change.planId !== undefined) await changePlan(tx, before, change.planId);
    const { quota, reason: _, ...columns } = change;
    const endsSessions =
      (change.role ?? before.role) !== before.role || (change.status ?? before.status) !== before.status;
    await tx
      .update(users)
      .set({
        ...columns,
        ...suspensionOf(before, change),
        tokenVersion: before.tokenVersion + (endsSessions ? 1 : 0),
      })
      .where(eq(users.id, before.id));
    if (endsSessions) await deleteLogins(tx, before.id);
    const suspends = change.status === "suspended" && before.status === "active";
    const endedKeys = suspends ? await endMadeKeys(tx, before.id, "blocked") : [];
    await recordEndedKeys(tx, actor, endedKeys);
    if (quota !== undefined) await setQuota(tx, actor, before, quota);
    const after = userRecordOf(await userById(tx, id));
    await recordAudit(tx, actor, {
      action: "user.update",
      targetType: "user",
      targetId: before.id,
      before: userRecordOf(before),
      after,
    });
    return { user: after, endedKeys };
  });
}

/** When and why the account is suspended; a new reason of a suspension in force keeps its time. */
function suspensionOf(before: UserRow, { status, reason }: UserChange) {
  if (reason !== undefined && status !== "suspended")
    throw badField("reason", "goes with the status suspended only");
  if (status === undefined) return {};
  if (status === "active") return { suspendedAt: null, suspendedReason: null };
  if (before.status === "suspended") return { suspendedReason: reason };
  return { suspendedAt: sql`now()`, suspendedReason: reason ?? null };
}

/**
 * Deletes an account like its owner does, but blocks the keys that it made in projects of others. Throws: NOT_FOUND,
 * CONFLICT (the admin's own account, the last admin).
 */
export async function removeUser(db: Session, actor: Actor, id: string, now: Date): Promise<LeftBehind> {
  return db.orm.transaction(async (tx) => {
    const before = await lockUser(tx, id, { projects: true, keys: true, admins: true });
    if (before.id === actor.id) throw ownAccount("Admins do not delete themselves here.");
    await requireAnotherAdmin(tx, before);
    const left = await eraseUser(tx, before.id, now, "blocked");
    const after = { status: "deleted" };
    await recordAudit(tx, actor, { action: "user.delete", targetType: "user", targetId: before.id, after });
    await recordLeftBehind(tx, actor, left);
    return left;
  });
}

/** Whether a change of the role takes that of an admin. */
function losesAdmin(role: UserChange["role"]): boolean {
  return role !== undefined && role !== "admin";
}

async function refuseDangerous(tx: Orm, actor: Actor, before: UserRow, change: UserChange): Promise<void> {
  const demoted = losesAdmin(change.role) && before.role === "admin";
  const suspended = change.status === "suspended" && before.status === "active";
  if (!demoted && !suspended) return;
  if (before.id === actor.id) throw ownAccount("Admins do not demote or suspend themselves.");
  await requireAnotherAdmin(tx, before);
}

function ownAccount(message: string): GatewayError {
  return new GatewayError("CONFLICT", message, { reason: "own_account" });
}

/** Changes the plan of an account and of its keys with the same plan, so that no key keeps the old limits. */
async function changePlan(tx: Orm, account: UserRow, planId: number): Promise<void> {
  await requirePlan(tx, planId);
  await tx
    .update(apiKeys)
    .set({ planId })
    .where(and(eq(apiKeys.userId, account.id), eq(apiKeys.planId, account.planId)));
}

async function requirePlan(tx: Orm, planId: number): Promise<void> {
  const [plan] = await tx.select({ id: plans.id }).from(plans).where(eq(plans.id, planId)).limit(1);
  if (plan === undefined) throw badField("planId", "is not the id of a plan", "unknown_plan");
}

const MAX_MICRO_CENTS = microCentsFromCents(MAX_CENTS);

/**
 * Adds to an account's quota, or subtracts with a negative amount; writes one entry in its ledger. When the database's
 * answer is lost, the entry is looked up. Units: whole cents.
 * Throws: NOT_FOUND, INVALID_REQUEST when the quota would leave its bounds, INTERNAL_ERROR with `outcome_unknown`.
 * Source: docs/contract.md#s5, #grant-unknown.
 */
export async function addGrant(
  db: Session,
  actor: Actor,
  userId: string,
  input: { amount: number; reason: string },
) {
  const id = randomUUID();
  try {
    return await giveQuota(db, actor, userId, { ...input, id });
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    return findGiven(db, userId, id, error);
  }
}

/**
 * Looks up a grant whose transaction gave no answer. The account's lock is free only after that transaction has ended.
 */
async function findGiven(db: Session, userId: string, grantId: string, cause: unknown) {
  const look = db.orm.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    const [row] = await tx.select().from(quotaGrants).where(eq(quotaGrants.id, grantId));
    return { user, row };
  });
  const { user, row } = await look.catch(() => {
    throw outcomeUnknown(cause);
  });
  const nothing = "The database did not answer, and nothing was done. Try again.";
  if (row === undefined) throw new GatewayError("INTERNAL_ERROR", nothing, { cause });
  return { grant: grantRecordOf(row), user: userRecordOf(user) };
}

function giveQuota(
  db: Session,
  actor: Actor,
  userId: string,
  input: { id: string; amount: number; reason: string },
) {
  return db.orm.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    const amount = microCentsFromCents(input.amount);
    const kind = input.amount >= 0 ? "grant" : "adjustment";
    const grant = await writeGrant(tx, actor, user, { ...input, amount, kind });
    const after = { amount: centsDecimal(amount), reason: input.reason };
    await recordAudit(tx, actor, { action: "user.grant", targetType: "user", targetId: user.id, after });
    return { grant, user: userRecordOf({ ...user, quotaMicroCents: user.quotaMicroCents + amount }) };
  });
}

/** Sets an account's quota; the difference becomes an adjustment. Units: whole cents. The caller has locked the row. */
async function setQuota(tx: Orm, actor: Actor, user: UserRow, cents: number): Promise<void> {
  const amount = microCentsFromCents(cents) - user.quotaMicroCents;
  if (amount !== 0n)
    await writeGrant(tx, actor, user, { amount, kind: "adjustment", reason: "set by an admin" });
}

async function writeGrant(
  tx: Orm,
  actor: Actor,
  user: UserRow,
  change: { id?: string; amount: bigint; kind: "grant" | "adjustment"; reason: string },
) {
  const quotaMicroCents = user.quotaMicroCents + change.amount;
  if (quotaMicroCents < 0n || quotaMicroCents > MAX_MICRO_CENTS) {
    const reason = quotaMicroCents < 0n ? "quota_too_small" : "quota_too_large";
    throw badField("amount", `would leave the account's quota outside 0 to ${MAX_CENTS} cents`, reason);
  }
  await tx.update(users).set({ quotaMicroCents }).where(eq(users.id, user.id));
  const [row] = await tx
    .insert(quotaGrants)
    .values({
      id: change.id,
      userId: user.id,
      kind: change.kind,
      amountMicroCents: change.amount,
      reason: change.reason,
      actorId: actor.id,
    })
    .returning();
  return grantRecordOf(requireFound(row, "grant"));
}

function grantRecordOf({ id, kind, amountMicroCents, reason, createdAt }: typeof quotaGrants.$inferSelect) {
  return {
    id,
    type: kind,
    amount: centsDecimal(amountMicroCents),
    reason,
    createdAt: createdAt.toISOString(),
  };
}

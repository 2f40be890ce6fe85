import { and, count, desc, eq, ilike, or, type SQL } from "drizzle-orm";
import { randomBase62 } from "@/lib/accounts/gateway-key";
import { offsetOf, type Page, type PageRequest, pageOf } from "@/lib/accounts/page";
import type { UserRow } from "@/lib/accounts/principal";
import { eraseUser, requireAnotherAdmin, setPassword } from "@/lib/accounts/self";
import { clearFailures } from "@/lib/accounts/sign-in";
import { createUser, type NewUser } from "@/lib/accounts/users";
import type { Orm, Session } from "@/lib/db/database";
import { apiKeys, type LimitValues, plans, users } from "@/lib/db/schema/accounts";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { type Actor, recordAudit } from "./audit";
import { lockUser, setQuota, userById, userRecordOf } from "./quota";

/** A filter of accounts; absent fields match everything. */
export interface UserFilter {
  /** Part of a username, display name or e-mail. */
  search?: string | undefined;
  role?: UserRow["role"] | undefined;
  status?: UserRow["status"] | undefined;
  planId?: number | undefined;
}

/** A change of an account by an admin. Units: quota in whole cents. */
export interface UserChange {
  name?: string | undefined;
  email?: string | undefined;
  role?: "user" | "admin" | undefined;
  status?: "active" | "suspended" | undefined;
  planId?: number | undefined;
  quota?: number | undefined;
  limitOverrides?: Partial<LimitValues> | null | undefined;
}

/** Accounts, newest first. */
export async function listUsers(
  db: Session,
  filter: UserFilter,
  request: PageRequest,
): Promise<Page<ReturnType<typeof userRecordOf>>> {
  const condition = and(
    filter.search === undefined ? undefined : matches(filter.search),
    filter.role && eq(users.role, filter.role),
    filter.status && eq(users.status, filter.status),
    filter.planId === undefined ? undefined : eq(users.planId, filter.planId),
  );
  const rows = await db.orm
    .select()
    .from(users)
    .where(condition)
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(request.pageSize)
    .offset(offsetOf(request));
  const [total] = await db.orm.select({ total: count() }).from(users).where(condition);
  return pageOf(request, rows.map(userRecordOf), total?.total ?? 0);
}

/** One account. Throws: NOT_FOUND. */
export async function findAccount(db: Session, id: string) {
  return userRecordOf(await userById(db.orm, id));
}

/** Creates an account. Throws: CONFLICT (taken name), INVALID_REQUEST (unknown plan). */
export async function addUser(
  db: Session,
  actor: Actor,
  input: NewUser & {
    role?: "user" | "admin" | undefined;
    planId?: number | undefined;
    quota?: number | undefined;
  },
  signupQuotaCents: number,
) {
  const { role, planId, quota, ...person } = input;
  const row = await createUser(db, person, {
    role: role ?? "user",
    planId,
    quotaCents: quota ?? signupQuotaCents,
  });
  const after = userRecordOf(row);
  await recordAudit(db.orm, actor, { action: "user.create", targetType: "user", targetId: row.id, after });
  return after;
}

/**
 * Changes an account. A new role or status ends its sessions; a new quota is recorded as an adjustment; a new plan also
 * applies to keys that had the old one.
 * Throws: NOT_FOUND, INVALID_REQUEST, CONFLICT (one's own role or status, the last admin).
 * Source: docs/dashboard.md#s2-9.
 */
export async function updateUser(db: Session, actor: Actor, id: string, change: UserChange) {
  return db.orm.transaction(async (tx) => {
    const before = await lockUser(tx, id);
    await refuseDangerous(tx, actor, before, change);
    if (change.planId !== undefined) await changePlan(tx, before, change.planId);
    const { quota, ...columns } = change;
    const endsSessions =
      (change.role ?? before.role) !== before.role || (change.status ?? before.status) !== before.status;
    await tx
      .update(users)
      .set({ ...columns, tokenVersion: before.tokenVersion + (endsSessions ? 1 : 0) })
      .where(eq(users.id, before.id));
    if (quota !== undefined) await setQuota(tx, actor, before, quota);
    const after = userRecordOf(await userById(tx, id));
    await recordAudit(tx, actor, {
      action: "user.update",
      targetType: "user",
      targetId: before.id,
      before: userRecordOf(before),
      after,
    });
    return after;
  });
}

/** Deletes an account like its owner does. Throws: NOT_FOUND, CONFLICT (the admin's own account, the last admin). */
export async function removeUser(db: Session, actor: Actor, id: string, now: Date): Promise<void> {
  await db.orm.transaction(async (tx) => {
    const before = await lockUser(tx, id);
    if (before.id === actor.id) throw new GatewayError("CONFLICT", "Admins do not delete themselves here.");
    await requireAnotherAdmin(tx, before);
    await eraseUser(tx, before.id, now);
    const after = { status: "deleted" };
    await recordAudit(tx, actor, { action: "user.delete", targetType: "user", targetId: before.id, after });
  });
}

async function refuseDangerous(tx: Orm, actor: Actor, before: UserRow, change: UserChange): Promise<void> {
  const demoted = change.role === "user" && before.role === "admin";
  const suspended = change.status === "suspended" && before.status === "active";
  if (!demoted && !suspended) return;
  if (before.id === actor.id)
    throw new GatewayError("CONFLICT", "Admins do not demote or suspend themselves.");
  await requireAnotherAdmin(tx, before);
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
  if (plan === undefined) throw badField("planId", "is not the id of a plan");
}

function matches(search: string): SQL | undefined {
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  return or(ilike(users.username, pattern), ilike(users.name, pattern), ilike(users.email, pattern));
}

const GENERATED_LENGTH = 20;

/**
 * Sets an account's password and ends its sessions. Generates a random password when none is given; only this result
 * shows it. Throws: NOT_FOUND.
 */
export async function resetPassword(
  db: Session,
  actor: Actor,
  userId: string,
  newPassword: string | undefined,
): Promise<{ password: string }> {
  const user = await db.orm.transaction((tx) => lockUser(tx, userId));
  const password = newPassword ?? randomBase62(GENERATED_LENGTH);
  await setPassword(db, user.id, password);
  await clearFailures(db, user.usernameKey);
  await recordAudit(db.orm, actor, { action: "user.password", targetType: "user", targetId: user.id });
  return { password };
}

import { and, eq, isNull, sql } from "drizzle-orm";
import { hashPassword, verifyPassword } from "@/lib/accounts/password";
import { type LeftBehind, leaveAllProjects, lockPaidProjects } from "@/lib/accounts/projects/leave-all";
import { lockKeys } from "@/lib/accounts/projects/made-keys";
import { deleteLogins, type UserRow } from "@/lib/accounts/session";
import { clearFailures, recordFailure, requireNotBlocked, serializeByName } from "@/lib/accounts/sign-in";
import type { Orm, Session } from "@/lib/db/database";
import { apiKeys, logViews, type SavedView, users } from "@/lib/db/schema/accounts";
import { badField, GatewayError } from "@/lib/kernel/errors";

/** Changes display name or e-mail. Source: docs/spec.md#s4-11. */
export async function updateSelf(
  db: Session,
  user: UserRow,
  change: { name?: string | undefined; email?: string | undefined },
): Promise<UserRow> {
  if (change.name === undefined && change.email === undefined) return user;
  return updated(db.orm, user.id, { name: change.name, email: change.email });
}

/** Ends every bearer token and session of an account. */
export async function endAllSessions(db: Session, userId: string): Promise<UserRow> {
  return db.orm.transaction((tx) => endingLogins(tx, userId, {}));
}

/**
 * Sets a new password, which ends every older session. Shape: the account at its new token version.
 * Throws: INVALID_REQUEST when the current password is wrong, RATE_LIMITED.
 */
export async function changePassword(
  db: Session,
  user: UserRow,
  currentPassword: string,
  newPassword: string,
): Promise<UserRow> {
  await confirmPassword(db, user, "currentPassword", currentPassword);
  return setPassword(db, user.id, newPassword);
}

/** Sets a password without asking for the old one; every older session ends. */
export async function setPassword(db: Session, userId: string, newPassword: string): Promise<UserRow> {
  const passwordHash = await hashPassword(newPassword);
  return db.orm.transaction((tx) => setPasswordHash(tx, userId, passwordHash));
}

/** The same with a hash, for a transaction: comparing and making hashes takes long. */
export function setPasswordHash(tx: Orm, userId: string, passwordHash: string): Promise<UserRow> {
  return endingLogins(tx, userId, { passwordHash });
}

/**
 * Deletes an account: keys and sessions end at once, personal fields are erased, money records stay. `record` writes the
 * audit in the same transaction.
 * Throws: INVALID_REQUEST when the password is wrong, CONFLICT for the last admin, RATE_LIMITED.
 * Source: docs/contract.md#s5.
 */
export async function deleteSelf(
  db: Session,
  user: UserRow,
  password: string,
  now: Date,
  record: (tx: Orm, left: LeftBehind) => Promise<void>,
): Promise<LeftBehind> {
  await confirmPassword(db, user, "password", password);
  return db.orm.transaction(async (tx) => {
    await lockPaidProjects(tx, user.id);
    await lockKeys(tx, user.id);
    await requireAnotherAdmin(tx, user);
    const left = await eraseUser(tx, user.id, now, "disabled");
    await record(tx, left);
    return left;
  });
}

/**
 * Deletes the keys of an account and erases its personal data; its username becomes available. Keys that it made in
 * projects of others get the status `ofOthers`. Returns what it left.
 */
export async function eraseUser(
  tx: Orm,
  userId: string,
  now: Date,
  ofOthers: "disabled" | "blocked",
): Promise<LeftBehind> {
  const left = await leaveAllProjects(tx, userId, now, ofOthers);
  await tx
    .update(apiKeys)
    .set({ status: "disabled", deletedAt: now, name: "" })
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.deletedAt)));
  await tx.delete(logViews).where(eq(logViews.userId, userId));
  await endingLogins(tx, userId, {
    username: "deleted",
    usernameKey: `deleted:${userId}`,
    name: "",
    email: "",
    passwordHash: "",
    inviteCode: `deleted:${userId}`,
    role: "user",
    status: "deleted",
    deletedAt: now,
    suspendedAt: null,
    suspendedReason: null,
  });
  return left;
}

/** The saved views of an account, in its order. Source: docs/contract.md#views. */
export async function readViews(db: Session, userId: string): Promise<SavedView[]> {
  const [row] = await db.orm.select().from(logViews).where(eq(logViews.userId, userId));
  return row?.views ?? [];
}

/** Replaces the saved views of an account. */
export async function replaceViews(db: Session, userId: string, views: SavedView[]): Promise<void> {
  await db.orm
    .insert(logViews)
    .values({ userId, views })
    .onConflictDoUpdate({ target: logViews.userId, set: { views } });
}

/** Refuses a change that would leave no active admin; locks the admins against parallel changes. Throws: CONFLICT. */
export async function requireAnotherAdmin(tx: Orm, removed: Pick<UserRow, "id" | "role">): Promise<void> {
  if (removed.role !== "admin") return;
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, "admin"), eq(users.status, "active")))
    .orderBy(users.id)
    .for("update");
  if (admins.some((admin) => admin.id !== removed.id)) return;
  const message = "This is the last admin. Make another one first.";
  throw new GatewayError("CONFLICT", message, { reason: "last_admin" });
}

/** Checks the password of a signed-in user; failures count like failed logins, in case the session was stolen. */
function confirmPassword(db: Session, user: UserRow, field: string, password: string): Promise<void> {
  return serializeByName(user.usernameKey, async () => {
    await requireNotBlocked(db, user.usernameKey);
    if (await verifyPassword(password, user.passwordHash)) return clearFailures(db.orm, user.usernameKey);
    await recordFailure(db, user.usernameKey);
    throw badField(field, "is wrong");
  });
}

type UserValues = Parameters<ReturnType<Orm["update"]>["set"]>[0];

/** Changes an account and ends all its logins, in the transaction of the caller. */
async function endingLogins(tx: Orm, userId: string, values: UserValues): Promise<UserRow> {
  const user = await updated(tx, userId, { ...values, tokenVersion: sql`${users.tokenVersion} + 1` });
  await deleteLogins(tx, userId);
  return user;
}

async function updated(orm: Orm, userId: string, values: UserValues): Promise<UserRow> {
  const [row] = await orm.update(users).set(values).where(eq(users.id, userId)).returning();
  if (row === undefined) throw new GatewayError("NOT_FOUND", "There is no such account.");
  return row;
}

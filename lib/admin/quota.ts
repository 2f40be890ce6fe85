import { eq } from "drizzle-orm";
import type { UserRow } from "@/lib/accounts/principal";
import { profileOf } from "@/lib/accounts/users";
import type { Orm, Session } from "@/lib/db/database";
import { quotaGrants, users } from "@/lib/db/schema/accounts";
import { badField } from "@/lib/kernel/errors";
import { centsDecimal, MAX_CENTS, microCentsFromCents } from "@/lib/kernel/usage";
import { type Actor, found, recordAudit, uuidOf } from "./audit";

const MAX_MICRO_CENTS = microCentsFromCents(MAX_CENTS);

/**
 * Adds to an account's quota, or subtracts with a negative amount; one entry in its ledger. Units: whole cents.
 * Throws: NOT_FOUND, INVALID_REQUEST when the quota would leave its bounds. Source: docs/contract.md#s5.
 */
export async function addGrant(
  db: Session,
  actor: Actor,
  userId: string,
  input: { amount: number; reason: string },
) {
  return db.orm.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    const amount = microCentsFromCents(input.amount);
    const kind = input.amount >= 0 ? "grant" : "adjustment";
    const grant = await writeGrant(tx, actor, user, { amount, kind, reason: input.reason });
    const after = { amount: centsDecimal(amount), reason: input.reason };
    await recordAudit(tx, actor, { action: "user.grant", targetType: "user", targetId: user.id, after });
    return { grant, user: userRecordOf({ ...user, quotaMicroCents: user.quotaMicroCents + amount }) };
  });
}

/** Sets an account's quota; the difference becomes an adjustment. Units: whole cents. The caller has locked the row. */
export async function setQuota(tx: Orm, actor: Actor, user: UserRow, cents: number): Promise<void> {
  const amount = microCentsFromCents(cents) - user.quotaMicroCents;
  if (amount !== 0n)
    await writeGrant(tx, actor, user, { amount, kind: "adjustment", reason: "set by an admin" });
}

async function writeGrant(
  tx: Orm,
  actor: Actor,
  user: UserRow,
  change: { amount: bigint; kind: "grant" | "adjustment"; reason: string },
) {
  const quotaMicroCents = user.quotaMicroCents + change.amount;
  if (quotaMicroCents < 0n || quotaMicroCents > MAX_MICRO_CENTS) {
    throw badField("amount", `would leave the account's quota outside 0 to ${MAX_CENTS} cents`);
  }
  await tx.update(users).set({ quotaMicroCents }).where(eq(users.id, user.id));
  const [row] = await tx
    .insert(quotaGrants)
    .values({
      userId: user.id,
      kind: change.kind,
      amountMicroCents: change.amount,
      reason: change.reason,
      actorId: actor.id,
    })
    .returning();
  const { id, kind, reason, createdAt } = found(row, "grant");
  return { id, type: kind, amount: centsDecimal(change.amount), reason, createdAt: createdAt.toISOString() };
}

/** The account as admins see it. */
export function userRecordOf(row: UserRow) {
  return {
    ...profileOf(row),
    limitOverrides: row.limitOverrides,
    invitedBy: row.invitedBy,
    deletedAt: row.deletedAt?.toISOString() ?? null,
  };
}

/** The row of an account in any state. Throws: NOT_FOUND. */
export async function userById(orm: Orm, id: string): Promise<UserRow> {
  const [row] = await orm
    .select()
    .from(users)
    .where(eq(users.id, uuidOf(id, "account")))
    .limit(1);
  return found(row, "account");
}

/** Locks an account that is not deleted for the rest of the transaction. Throws: NOT_FOUND. */
export async function lockUser(tx: Orm, id: string): Promise<UserRow> {
  const [row] = await tx
    .select()
    .from(users)
    .where(eq(users.id, uuidOf(id, "account")))
    .for("update");
  return found(row?.status === "deleted" ? undefined : row, "account");
}

import { count, desc, eq, sql } from "drizzle-orm";
import { randomBase62 } from "@/lib/accounts/key-text";
import { planFor } from "@/lib/accounts/users";
import type { Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { invitations } from "@/lib/db/schema/accounts";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { type Actor, recordAudit, requireFound, uuidOf } from "./audit";

/** The most invitations that are kept. */
const MAX_INVITATIONS = 200;

/** Longer than the codes of accounts, so that the two kinds never collide. */
const CODE_LENGTH = 16;

/** The fields that an admin writes. */
export interface InvitationFields {
  note: string;
  maxUses: number;
  /** Null: it does not expire. */
  expiresAt: Date | null;
  /** The plan of the accounts created with it; null: the plan of every new account. */
  planId: number | null;
  /** The quota of these accounts; null: the quota of every new account. Units: whole cents. */
  quotaCents: number | null;
}

type InvitationRow = typeof invitations.$inferSelect;

/** Every invitation, the newest first. */
export async function listInvitations({ orm }: Session) {
  const rows = await orm
    .select()
    .from(invitations)
    .orderBy(desc(invitations.createdAt), desc(invitations.id))
    .limit(MAX_INVITATIONS);
  return rows.map(recordOf);
}

/**
 * Creates an invitation. Throws: INVALID_REQUEST (an end in the past, no such plan), CONFLICT when there are too many.
 */
export async function createInvitation(db: Session, actor: Actor, fields: InvitationFields, now: Date) {
  if (fields.expiresAt !== null && fields.expiresAt <= now)
    throw badField("expiresAt", "must be in the future");
  return db.orm.transaction(async (tx) => {
    if (fields.planId !== null) await planFor(tx, fields.planId);
    // No other transaction can insert one between the count and the insert; registrations continue.
    await tx.execute(sql`LOCK TABLE ${invitations} IN SHARE UPDATE EXCLUSIVE MODE`);
    const { total } = onlyRow(await tx.select({ total: count() }).from(invitations));
    if (total >= MAX_INVITATIONS) {
      throw new GatewayError("CONFLICT", `There are ${MAX_INVITATIONS} invitations. Revoke one first.`);
    }
    const code = randomBase62(CODE_LENGTH);
    const [row] = await tx
      .insert(invitations)
      .values({ ...fields, code })
      .returning();
    const after = requireFound(row, "invitation");
    const target = { targetType: "invitation", targetId: after.id } as const;
    await recordAudit(tx, actor, { action: "invitation.create", ...target, after: withoutCode(after) });
    return recordOf(after);
  });
}

/** Deletes an invitation: its code is no longer valid, accounts created with it stay. Throws: NOT_FOUND. */
export async function revokeInvitation(db: Session, actor: Actor, id: string): Promise<void> {
  await db.orm.transaction(async (tx) => {
    const [row] = await tx
      .delete(invitations)
      .where(eq(invitations.id, uuidOf(id, "invitation")))
      .returning();
    const before = requireFound(row, "invitation");
    const target = { targetType: "invitation", targetId: before.id } as const;
    await recordAudit(tx, actor, { action: "invitation.revoke", ...target, before: withoutCode(before) });
  });
}

function recordOf(row: InvitationRow) {
  return {
    ...row,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** The part that the audit keeps; the code is left out, because anybody with it can register. */
function withoutCode(row: InvitationRow) {
  const { code: _, ...record } = recordOf(row);
  return record;
}

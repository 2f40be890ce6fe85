import { eq } from "drizzle-orm";
import type { UserRow } from "@/lib/accounts/principal";
import { profileOf } from "@/lib/accounts/users";
import type { Orm } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { found, uuidOf } from "./config-change";

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

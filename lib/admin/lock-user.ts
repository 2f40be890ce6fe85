import { eq, sql } from "drizzle-orm";
import { lockPaidProjects } from "@/lib/accounts/projects/leave-all";
import { lockKeys } from "@/lib/accounts/projects/made-keys";
import type { UserRow } from "@/lib/accounts/session";
import type { Orm } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { requireFound, uuidOf } from "./audit";

/**
 * Locks an account that is not deleted for the rest of the transaction. `projects`: also locks the
 * projects that it pays, to archive them; `keys`: also locks its keys and those that it made in projects of others, to
 * change them; `admins`: also locks every active admin, to check that one remains. Projects are locked first, then all
 * keys and then all accounts, in order of id, as batches of the ledger do. Throws: NOT_FOUND. Source: docs/reliability.md#a0.
 */
export async function lockUser(
  tx: Orm,
  id: string,
  further: { projects?: boolean; keys?: boolean; admins?: boolean } = {},
): Promise<UserRow> {
  const userId = uuidOf(id, "account");
  if (further.projects) await lockPaidProjects(tx, userId);
  if (further.keys) await lockKeys(tx, userId);
  if (further.admins) await lockWithAdmins(tx, userId);
  const [row] = await tx.select().from(users).where(eq(users.id, userId)).for("update");
  return requireFound(row?.status === "deleted" ? undefined : row, "account");
}

/** Locks an account, and, when it is an admin, every active admin. */
async function lockWithAdmins(tx: Orm, userId: string): Promise<void> {
  await tx
    .select({ id: users.id })
    .from(users)
    .where(
      sql`${users.id} = ${userId} OR (${users.role} = 'admin' AND ${users.status} = 'active'
        AND EXISTS (SELECT FROM users removed WHERE removed.id = ${userId} AND removed.role = 'admin'))`,
    )
    .orderBy(users.id)
    .for("update");
}

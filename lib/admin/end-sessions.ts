import { eq } from "drizzle-orm";
import { deleteLogins } from "@/lib/accounts/session";
import type { Session } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { type Actor, recordAudit } from "./audit";
import { lockUser } from "./lock-user";

/** Ends every bearer token and session of an account. Throws: NOT_FOUND. */
export async function endSessionsOf(db: Session, actor: Actor, id: string): Promise<void> {
  await db.orm.transaction(async (tx) => {
    const user = await lockUser(tx, id);
    await tx
      .update(users)
      .set({ tokenVersion: user.tokenVersion + 1 })
      .where(eq(users.id, user.id));
    await deleteLogins(tx, user.id);
    await recordAudit(tx, actor, { action: "user.logout", targetType: "user", targetId: user.id });
  });
}

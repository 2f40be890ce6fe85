import { randomBase62 } from "@/lib/accounts/key-text";
import { setPassword } from "@/lib/accounts/self";
import { clearFailures } from "@/lib/accounts/sign-in-throttle";
import type { Session } from "@/lib/db/database";
import { type Actor, recordAudit } from "./audit";
import { lockUser } from "./user-record";

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

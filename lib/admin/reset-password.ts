import { randomBase62 } from "@/lib/accounts/key-text";
import { hashPassword } from "@/lib/accounts/password";
import { setPasswordHash } from "@/lib/accounts/self";
import { clearFailures } from "@/lib/accounts/sign-in";
import type { Session } from "@/lib/db/database";
import { type Actor, recordAudit } from "./audit";
import { lockUser } from "./lock-user";

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
  const password = newPassword ?? randomBase62(GENERATED_LENGTH);
  const hash = await hashPassword(password);
  await db.orm.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    await setPasswordHash(tx, user.id, hash);
    await clearFailures(tx, user.usernameKey);
    await recordAudit(tx, actor, { action: "user.password", targetType: "user", targetId: user.id });
  });
  return { password };
}

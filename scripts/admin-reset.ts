import { eq } from "drizzle-orm";
import { closePasswordPool } from "@/lib/accounts/password";
import { setPassword } from "@/lib/accounts/self";
import { usernameKey } from "@/lib/accounts/users";
import { parseSettings, type Settings } from "@/lib/config/env";
import { StartupError } from "@/lib/config/startup-error";
import { openDatabase } from "@/lib/db/client";
import { keepFilesPrivate } from "@/lib/db/private-directory";
import { auditLog, users } from "@/lib/db/schema/accounts";
import { newPassword } from "@/lib/process/first-admin";
import { startError } from "@/lib/process/start-problems";

/**
 * Sets a new random password for an account, ends its sessions, and returns the message to print.
 * Throws: StartupError, also when there is no such account.
 */
export async function resetPassword(username: string): Promise<string> {
  keepFilesPrivate();
  const settings = parseSettings(process.env);
  try {
    return await reset(username, settings);
  } catch (error) {
    throw startError(error, settings);
  }
}

async function reset(username: string, { databaseUrl, dataDir }: Settings): Promise<string> {
  const db = await openDatabase({ url: databaseUrl, dataDir });
  try {
    const [user] = await db.orm
      .select()
      .from(users)
      .where(eq(users.usernameKey, usernameKey(username)));
    if (user === undefined)
      throw new StartupError("The password is as it was:", [`there is no account named ${username}`]);
    const password = newPassword();
    await setPassword(db, user.id, password);
    await db.orm
      .insert(auditLog)
      .values({ actorName: "admin:reset", action: "password.reset", targetType: "user", targetId: user.id });
    return `New password of ${user.username}, shown only now: ${password}\nAll sessions of this account have ended.`;
  } finally {
    await closePasswordPool();
    await db.close();
  }
}

import { eq } from "drizzle-orm";
import { setPassword } from "@/lib/accounts/self";
import { usernameKey } from "@/lib/accounts/users";
import { parseSettings } from "@/lib/config/env";
import { openDatabase } from "@/lib/db/client";
import { keepFilesPrivate } from "@/lib/db/private-directory";
import { KEYS_CHANNEL, keyAnnouncement } from "@/lib/db/replicas";
import { auditLog, users } from "@/lib/db/schema/accounts";
import { closePasswordPool } from "../lib/accounts/password";
import { newPassword } from "../lib/process/first-admin";

/**
 * Sets a new random password for an account, ends its sessions, and returns the message to print.
 * Throws: Error with a readable message when there is no such account.
 */
export async function resetPassword(username: string): Promise<string> {
  keepFilesPrivate();
  const settings = parseSettings(process.env);
  const db = await openDatabase({ url: settings.databaseUrl, dataDir: settings.dataDir });
  try {
    const [user] = await db.orm
      .select()
      .from(users)
      .where(eq(users.usernameKey, usernameKey(username)));
    if (user === undefined) throw new Error(`There is no account named ${username}.`);
    const password = newPassword();
    await setPassword(db, user.id, password);
    await db.orm
      .insert(auditLog)
      .values({ actorName: "admin:reset", action: "password.reset", targetType: "user", targetId: user.id });
    await db.notify(KEYS_CHANNEL, keyAnnouncement({ kind: "user", id: user.id }));
    return `New password of ${user.username}, shown only now: ${password}\nAll sessions of this account have ended.`;
  } finally {
    await closePasswordPool();
    await db.close();
  }
}

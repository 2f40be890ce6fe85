import { CONFIG_CHANNEL } from "@/lib/db/config-version";
import { announceKey, announceUser } from "@/lib/db/key-announcements";
import { runtime } from "@/lib/gateway/runtime";

/** Invalidates a changed key in this process and notifies the others. */
export function keyChanged(keyId: string): Promise<void> {
  const { keys, db } = runtime();
  keys.invalidateKey(keyId);
  return tell(announceKey(db, keyId));
}

/** Invalidates the keys of an account after a change of its status, role, plan or limits. */
export function userChanged(userId: string): Promise<void> {
  const { keys, db } = runtime();
  keys.invalidateUser(userId);
  return tell(announceUser(db, userId));
}

/**
 * Applies a changed configuration, which is in force when this resolves. Cached keys contain plans, so they are
 * cleared.
 */
export async function configChanged(): Promise<void> {
  const { catalog, keys, db } = runtime();
  await catalog.reload();
  keys.clear();
  await tell(db.notify(CONFIG_CHANNEL, ""));
}

/** Logs a failed notification: the change is stored, and the other processes detect it within seconds. */
async function tell(announcement: Promise<void>): Promise<void> {
  try {
    await announcement;
  } catch (error) {
    runtime().log.warn({ err: error }, "a change could not be announced to the other processes");
  }
}

import { CONFIG_CHANNEL } from "@/lib/db/config-version";
import { runtime } from "@/lib/gateway/runtime";

/** Forgets a changed key in this process; the others hear of it from the database. */
export function keyChanged(keyId: string): void {
  runtime().keys.invalidateKey(keyId);
}

/** Forgets the keys of an account after a change of its status, role, plan, limits or quota, as `keyChanged`. */
export function userChanged(userId: string): void {
  runtime().keys.invalidateUser(userId);
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

import { announceKey, announceUser } from "@/lib/accounts/key-channel";
import { CONFIG_CHANNEL } from "@/lib/db/config-channel";
import { runtime } from "@/lib/gateway/runtime";

/** A key has changed: this process forgets it at once, the others when they hear of it. */
export function keyChanged(keyId: string): Promise<void> {
  const { keys, db } = runtime();
  keys.invalidateKey(keyId);
  return tell(announceKey(db, keyId));
}

/** An account has changed in a way that its keys notice: status, role, plan, limits. */
export function userChanged(userId: string): Promise<void> {
  const { keys, db } = runtime();
  keys.invalidateUser(userId);
  return tell(announceUser(db, userId));
}

/** The configuration has changed: it is in force when this resolves. Plans are part of every remembered key. */
export async function configChanged(): Promise<void> {
  const { catalog, keys, db } = runtime();
  await catalog.reload();
  keys.clear();
  await tell(db.notify(CONFIG_CHANNEL, ""));
}

/** The change itself is stored; without the announcement the others see it within seconds anyway. */
async function tell(announcement: Promise<void>): Promise<void> {
  try {
    await announcement;
  } catch (error) {
    runtime().log.warn({ err: error }, "a change could not be announced to the other processes");
  }
}

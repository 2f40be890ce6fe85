import { KEYS_CHANNEL, type KeyAnnouncement, keyAnnouncement } from "@/lib/accounts/key-channel";
import { CONFIG_CHANNEL } from "@/lib/router/load-catalog";
import { runtime } from "@/lib/runtime";

/** A key has changed: this process forgets it at once, the others when they hear of it. */
export function keyChanged(keyId: string): Promise<void> {
  runtime().keys.invalidateKey(keyId);
  return announce({ kind: "key", id: keyId });
}

/** An account has changed in a way that its keys notice: status, role, plan, limits. */
export function userChanged(userId: string): Promise<void> {
  runtime().keys.invalidateUser(userId);
  return announce({ kind: "user", id: userId });
}

/** The configuration has changed: it is in force when this resolves. Plans are part of every remembered key. */
export async function configChanged(): Promise<void> {
  const { catalog, keys } = runtime();
  await catalog.reload();
  keys.clear();
  await tell(CONFIG_CHANNEL, "");
}

function announce(announcement: KeyAnnouncement): Promise<void> {
  return tell(KEYS_CHANNEL, keyAnnouncement(announcement));
}

/** The change itself is stored; without the announcement the others see it within seconds anyway. */
async function tell(channel: string, payload: string): Promise<void> {
  const { db, log } = runtime();
  try {
    await db.notify(channel, payload);
  } catch (error) {
    log.warn({ err: error, channel }, "a change could not be announced to the other processes");
  }
}

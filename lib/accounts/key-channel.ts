import type { Database } from "@/lib/db/database";

/** Channel on which changed keys are announced to the other processes. Payload: `key:<id>` or `user:<id>`. */
export const KEYS_CHANNEL = "tollgate_keys";

/** What an announcement is about. */
export interface KeyAnnouncement {
  kind: "key" | "user";
  id: string;
}

/** The payload of an announcement. */
export function keyAnnouncement({ kind, id }: KeyAnnouncement): string {
  return `${kind}:${id}`;
}

/** Tells every process that a key has changed. */
export function announceKey(db: Database, keyId: string): Promise<void> {
  return db.notify(KEYS_CHANNEL, keyAnnouncement({ kind: "key", id: keyId }));
}

/** Tells every process that an account has changed in a way that its keys notice. */
export function announceUser(db: Database, userId: string): Promise<void> {
  return db.notify(KEYS_CHANNEL, keyAnnouncement({ kind: "user", id: userId }));
}

/** What a payload says; null for one that is not ours. */
export function readKeyAnnouncement(payload: string): KeyAnnouncement | null {
  const [kind, id] = payload.split(":", 2);
  return (kind === "key" || kind === "user") && id ? { kind, id } : null;
}

import type { Database } from "./database";

/** The notification channel for changed keys. Payload: `key:<id>` or `user:<id>`. */
export const KEYS_CHANNEL = "tollgate_keys";

/** The subject of an announcement. */
export interface KeyAnnouncement {
  kind: "key" | "user";
  id: string;
}

/** The payload of an announcement. */
export function keyAnnouncement({ kind, id }: KeyAnnouncement): string {
  return `${kind}:${id}`;
}

/** Notifies every process that a key has changed. */
export function announceKey(db: Database, keyId: string): Promise<void> {
  return db.notify(KEYS_CHANNEL, keyAnnouncement({ kind: "key", id: keyId }));
}

/** Notifies every process of a change of an account that affects its keys. */
export function announceUser(db: Database, userId: string): Promise<void> {
  return db.notify(KEYS_CHANNEL, keyAnnouncement({ kind: "user", id: userId }));
}

/** Parses a payload; null for an unknown one. */
export function readKeyAnnouncement(payload: string): KeyAnnouncement | null {
  const [kind, id] = payload.split(":", 2);
  return (kind === "key" || kind === "user") && id ? { kind, id } : null;
}

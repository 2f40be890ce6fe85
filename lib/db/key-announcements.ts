/**
 * The notification channel for changed keys. Payload: `key:<id>`, `user:<id>` or `plan:<id>`, which triggers of the tables
 * send with the transaction. Source: docs/reliability.md#s3-2.
 */
export const KEYS_CHANNEL = "tollgate_keys";

/** The subject of an announcement; of a plan, all keys on it. */
export interface KeyAnnouncement {
  kind: "key" | "user";
  id: string;
}

/** Parses a payload; null for one that may concern any key. */
export function readKeyAnnouncement(payload: string): KeyAnnouncement | null {
  const [kind, id] = payload.split(":", 2);
  return (kind === "key" || kind === "user") && id ? { kind, id } : null;
}

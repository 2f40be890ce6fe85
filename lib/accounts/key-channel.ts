/** Channel on which changed keys are announced to the other processes. Payload: `key:<id>` or `user:<id>`. */
export const KEYS_CHANNEL = "tollgate_keys";

/** What an announcement is about. */
export interface KeyAnnouncement {
  kind: "key" | "user";
  id: string;
}

/** The payload of an announcement. */
export function keyAnnouncement(announcement: KeyAnnouncement): string {
  return `${announcement.kind}:${announcement.id}`;
}

/** What a payload says; null for one that is not ours. */
export function readKeyAnnouncement(payload: string): KeyAnnouncement | null {
  const [kind, id] = payload.split(":", 2);
  return (kind === "key" || kind === "user") && id ? { kind, id } : null;
}

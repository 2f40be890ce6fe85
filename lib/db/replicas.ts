import { eq, sql } from "drizzle-orm";
import { settingsTable } from "@/lib/db/schema/catalog";
import type { Database, Orm, Session } from "./database";
import { onlyRow } from "./rows";

/** Name of the row in `settings` that grows with every change of the configuration. */
const CONFIG_VERSION = "config_version";

/** Channel on which a change of the configuration is announced to the other processes. */
export const CONFIG_CHANNEL = "tollgate_config";

/** The current configuration version, `"0"` before the first change. */
export async function readConfigVersion(session: Session): Promise<string> {
  const rows = await session.orm
    .select({ value: settingsTable.value })
    .from(settingsTable)
    .where(eq(settingsTable.name, CONFIG_VERSION));
  return rows[0]?.value ?? "0";
}

/** Increments the configuration version; call it in the transaction of the change. */
export async function bumpConfigVersion(orm: Orm): Promise<void> {
  await orm
    .insert(settingsTable)
    .values({ name: CONFIG_VERSION, value: "1" })
    .onConflictDoUpdate({
      target: settingsTable.name,
      set: { value: sql`(${settingsTable.value}::bigint + 1)::text` },
    });
}

/** A process without a heartbeat for this long counts as dead. Units: seconds. Source: docs/reliability.md#s2-5. */
export const DEAD_AFTER_SECONDS = 60;

/** Records that this process is alive, by the database's clock. */
export async function recordHeartbeat(session: Session, instanceId: string): Promise<void> {
  await session.query(
    `INSERT INTO instances (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET heartbeat_at = now()`,
    [instanceId],
  );
}

/** Counts processes with a heartbeat within the last minute, this one included; at least 1. */
export async function countLiveInstances(session: Session): Promise<number> {
  const rows = await session.query<{ live: bigint }>(
    `SELECT count(*) AS live FROM instances WHERE heartbeat_at > now() - make_interval(secs => $1)`,
    [DEAD_AFTER_SECONDS],
  );
  return Math.max(1, Number(onlyRow(rows).live));
}

/** Whether no live process has run longer than this one. The embedded database has one process only. */
export async function isOldestInstance(database: Database, instanceId: string): Promise<boolean> {
  if (database.kind === "embedded") return true;
  const [row] = await database.query<{ id: string }>(
    `SELECT id FROM instances WHERE heartbeat_at > now() - make_interval(secs => $1)
     ORDER BY started_at, id LIMIT 1`,
    [DEAD_AFTER_SECONDS],
  );
  return row?.id === instanceId;
}

/** Removes this process at its shutdown, and processes whose last heartbeat is more than an hour old. */
export async function removeInstance(session: Session, instanceId: string): Promise<void> {
  await session.query(`DELETE FROM instances WHERE id = $1 OR heartbeat_at < now() - interval '1 hour'`, [
    instanceId,
  ]);
}

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

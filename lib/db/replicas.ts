import type { Database, Session } from "./database";
import { onlyRow } from "./rows";

/** A process without a heartbeat for this long counts as dead. Units: seconds. Source: docs/reliability.md#s2-5. */
export const DEAD_AFTER_SECONDS = 60;

/**
 * What a process of this version knows: 1: rules by period of every scope, 2: credentials of clouds.
 * Source: docs/budgets.md#versions, docs/clouds.md#stored.
 */
export const OWN_LEVEL = 2;

/** Records that this process is alive, by the database's clock, and what it knows. */
export async function recordHeartbeat(session: Session, instanceId: string): Promise<void> {
  await session.query(
    `INSERT INTO instances (id, level) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET heartbeat_at = now(), level = excluded.level`,
    [instanceId, OWN_LEVEL],
  );
}

/**
 * The least that a live process knows, this one included. What it would not know must not be made.
 * Throws: the driver's error. Source: docs/budgets.md#versions, docs/clouds.md#stored.
 */
export async function lowestLiveLevel(session: Session): Promise<number> {
  const rows = await session.query<{ level: number }>(
    `SELECT least(min(level), $2)::int AS level FROM instances
     WHERE heartbeat_at > now() - make_interval(secs => $1)`,
    [DEAD_AFTER_SECONDS, OWN_LEVEL],
  );
  return onlyRow(rows).level;
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

import type { Session } from "./database";

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
  const [row] = await session.query<{ live: bigint }>(
    `SELECT count(*) AS live FROM instances WHERE heartbeat_at > now() - make_interval(secs => $1)`,
    [DEAD_AFTER_SECONDS],
  );
  return Math.max(1, Number(row?.live ?? 1n));
}

/** Removes this process at its shutdown, and processes whose last heartbeat is more than an hour old. */
export async function removeInstance(session: Session, instanceId: string): Promise<void> {
  await session.query(`DELETE FROM instances WHERE id = $1 OR heartbeat_at < now() - interval '1 hour'`, [
    instanceId,
  ]);
}

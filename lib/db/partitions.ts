import type { Database, Session } from "./database";

const DAY_MS = 86_400_000;
const WEEKS_AHEAD = 4;

/**
 * Creates the missing weekly partitions of the request log from `from` to four weeks after `to`. Returns how many it
 * created.
 */
export async function makePartitions(session: Session, from: Date, to: Date): Promise<number> {
  const last = new Date(to.getTime() + WEEKS_AHEAD * 7 * DAY_MS);
  const [row] = await session.query<{ made: number }>("SELECT request_log_make_partitions($1, $2) AS made", [
    from,
    last,
  ]);
  return row?.made ?? 0;
}

/**
 * Daily maintenance: creates partitions for the coming weeks, drops request logs older than the retention, deletes holds
 * that ended more than a week ago. The ledger and the roll-ups stay. Source: docs/reliability.md#a2b, docs/contract.md#s2
 * (`LOG_RETENTION_DAYS`).
 */
export async function maintainTables(
  database: Database,
  retentionDays: number,
  now: Date,
): Promise<{ made: number; dropped: number }> {
  return database.session(async (session) => {
    const made = await makePartitions(session, now, now);
    const before = new Date(now.getTime() - retentionDays * DAY_MS);
    const [row] = await session.query<{ dropped: number }>(
      "SELECT request_log_drop_partitions($1) AS dropped",
      [before],
    );
    await session.query("DELETE FROM usage_holds WHERE state <> 'held' AND resolved_at < $1", [
      new Date(now.getTime() - 7 * DAY_MS),
    ]);
    return { made, dropped: row?.dropped ?? 0 };
  });
}

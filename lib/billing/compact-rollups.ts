import type { Session } from "@/lib/db/database";

/**
 * Sums the 15-minute roll-ups that are at least two hours old into 4-hour ones, one day of usage per transaction.
 * Returns the moment up to which they are complete. Several processes may run it at once. Source: docs/reliability.md#a2.
 */
export async function compactRollups(db: Pick<Session, "query">): Promise<Date> {
  let done = new Date(Number.NaN);
  for (;;) {
    const [row] = await db.query<{ done: Date }>("SELECT usage_rollups_fold() AS done");
    if (row === undefined || row.done.getTime() === done.getTime()) return done;
    done = row.done;
  }
}

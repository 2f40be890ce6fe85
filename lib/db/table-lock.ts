import { sql } from "drizzle-orm";
import type { Orm, Session } from "./database";
import { sqlState } from "./database-error";

/** Every other statement on the table waits as long as this one does. */
const TABLE_LOCK_MS = 300;

/**
 * Runs work that needs a whole table for itself, in a transaction of its own that waits at most 300 ms for each
 * lock: while it waits behind a long reader, everything else on the table waits behind it. `lock`: an advisory lock that
 * the transaction holds.
 * Throws: an error for which `isLockTimeout` is true when the table is not free; then nothing was done.
 * Source: docs/reliability.md#s2-14.
 */
export function withTableLock<T>(session: Session, lock: number, work: (tx: Orm) => Promise<T>): Promise<T> {
  return session.orm.transaction(async (tx) => {
    await tx.execute(sql.raw(`SET LOCAL lock_timeout = '${TABLE_LOCK_MS}ms'`));
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${lock})`);
    return work(tx);
  });
}

/** True when a statement waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === "55P03";
}

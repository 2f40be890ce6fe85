import type { Database, Session } from "@/lib/db/database";
import { advisoryLocks } from "@/lib/db/locks";

/** The latest run of this process on each database. */
const lastRuns = new WeakMap<Database, Promise<unknown>>();

/**
 * Runs work on the configuration alone: within this process by a queue, because the embedded database has only one
 * session; across processes by an advisory lock that ends with the session's connection. Work must not ask for it again.
 * Throws: what the work throws.
 */
export function runExclusively<T>(db: Database, work: (session: Session) => Promise<T>): Promise<T> {
  const run = (lastRuns.get(db) ?? Promise.resolve()).then(() =>
    db.session(async (session) => {
      if (db.kind === "postgres") await session.query("SELECT pg_advisory_lock($1)", [advisoryLocks.config]);
      return work(session);
    }),
  );
  lastRuns.set(
    db,
    run.catch(() => {}),
  );
  return run;
}

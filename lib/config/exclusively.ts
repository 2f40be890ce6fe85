import type { Database, Session } from "@/lib/db/database";
import { advisoryLocks } from "@/lib/db/locks";
import { isLockTimeout } from "@/lib/db/table-lock";
import { StartupError } from "./startup-error";

/** How a process waits for the lock of another one. */
export interface Turn {
  /** Called with a line about each wait but the last. */
  say: (line: string) => void;
  /** How long one wait is, and how many there are. Units: milliseconds. */
  waitMs: number;
  waits: number;
}

const PATIENT: Turn = { say: () => {}, waitMs: 10_000, waits: 6 };

/** The latest run of this process on each database. */
const lastRuns = new WeakMap<Database, Promise<unknown>>();

/**
 * Runs work on the configuration alone: within this process by a queue, because the embedded database has only one
 * session; across processes by an advisory lock that ends with the session's connection. Work must not call this
 * function again. `turn`: how long to wait for another process; by default six times ten seconds.
 * Throws: StartupError when the lock is not free by then; what the work throws. Source: docs/reliability.md#s2-14.
 */
export function runExclusively<T>(
  db: Database,
  work: (session: Session) => Promise<T>,
  turn: Partial<Turn> = {},
): Promise<T> {
  const run = (lastRuns.get(db) ?? Promise.resolve()).then(() =>
    db.session(async (session) => {
      if (db.kind === "postgres") await waitForTurn(session, { ...PATIENT, ...turn });
      return work(session);
    }),
  );
  lastRuns.set(
    db,
    run.catch(() => {}),
  );
  return run;
}

/** Takes the lock for the rest of the session. */
async function waitForTurn(session: Session, { say, waitMs, waits }: Turn): Promise<void> {
  await session.query(`SET lock_timeout = ${waitMs}`);
  for (let wait = 1; ; wait++) {
    try {
      await session.query("SELECT pg_advisory_lock($1)", [advisoryLocks.config]);
      break;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (wait === waits) throw busy((waitMs * waits) / 1_000);
      say("another process works on the configuration; this one waits for it");
    }
  }
  await session.query("RESET lock_timeout");
}

function busy(seconds: number): StartupError {
  return new StartupError("The configuration is locked:", [
    `another process has held the advisory lock ${advisoryLocks.config} for ${seconds} s; end that process, or its session (pg_locks names it, pg_terminate_backend ends it), and start again`,
  ]);
}

import path from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { migrate as applyAll } from "drizzle-orm/postgres-js/migrator";
import { DAY_MS, HOUR_MS } from "@/lib/kernel/clock";
import type { Database, Session } from "./database";
import { onlyRow } from "./rows";

const LOCK_NUMBER = 7_405_001;
const LOCK_WAIT = "60s";

/** The schema version of a database. */
export interface SchemaVersion {
  /** Applied migrations, and migrations of this program. */
  applied: number;
  known: number;
  /** False on a standby, or on a server that was made read-only. */
  takesWrites: boolean;
}

/**
 * Migrates the schema to this program's version; several processes may call it at once. Also creates the log partitions
 * of the coming weeks. Throws: the database's error; then the failed run had no effect.
 */
export async function migrate(database: Database): Promise<SchemaVersion> {
  await database.session(async (session) => {
    if (database.kind === "embedded") return apply(session);
    await session.query(`SET lock_timeout = '${LOCK_WAIT}'`);
    await session.query("SELECT pg_advisory_lock($1)", [LOCK_NUMBER]);
    try {
      await apply(session);
    } finally {
      await session.query("SELECT pg_advisory_unlock($1)", [LOCK_NUMBER]);
    }
  });
  return schemaVersion(database);
}

/** Reads the schema version; a process is ready when `applied >= known` and the database takes writes. */
export async function schemaVersion(database: Session): Promise<SchemaVersion> {
  const rows = await database.query<{ applied: bigint; read_only: string }>(
    `SELECT count(*) AS applied, current_setting('transaction_read_only') AS read_only
     FROM drizzle.__drizzle_migrations`,
  );
  const row = onlyRow(rows);
  return {
    applied: Number(row.applied),
    known: readMigrationFiles({ migrationsFolder: folder() }).length,
    takesWrites: row.read_only === "off",
  };
}

async function apply(session: Session): Promise<void> {
  // The migrator only uses the dialect and the session of the handle, which both drizzle drivers have.
  const orm = session.orm as unknown as Parameters<typeof applyAll>[0];
  await applyAll(orm, { migrationsFolder: folder() });
  const now = new Date();
  await makePartitions(session, now, now);
  await makeDays(session, now);
}

function folder(): string {
  return path.join(process.cwd(), "drizzle");
}

const WEEKS_AHEAD = 4;

/**
 * Creates the missing weekly partitions of the request log from `from` to four weeks after `to`. Returns how many it
 * created.
 */
export async function makePartitions(session: Session, from: Date, to: Date): Promise<number> {
  const last = new Date(to.getTime() + WEEKS_AHEAD * 7 * DAY_MS);
  const rows = await session.query<{ made: number }>("SELECT request_log_make_partitions($1, $2) AS made", [
    from,
    last,
  ]);
  return onlyRow(rows).made;
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
    const rows = await session.query<{ dropped: number }>(
      "SELECT request_log_drop_partitions($1) AS dropped",
      [before],
    );
    await session.query("DELETE FROM usage_holds WHERE state <> 'held' AND resolved_at < $1", [
      new Date(now.getTime() - 7 * DAY_MS),
    ]);
    return { made, dropped: onlyRow(rows).dropped };
  });
}

const DAYS_AHEAD = 3;

async function makeDays(session: Session, now: Date): Promise<number> {
  const last = new Date(now.getTime() + DAYS_AHEAD * DAY_MS);
  const rows = await session.query<{ made: number }>(
    "SELECT stored_responses_make_partitions($1, $2) AS made",
    [now, last],
  );
  return onlyRow(rows).made;
}

/**
 * Hourly maintenance of the stored responses: creates partitions for the coming days, drops those older than the
 * retention. `hours` 0 deletes all. Source: docs/responses.md#s4-4.
 */
export async function maintainStoredResponses(
  database: Database,
  hours: number,
  now: Date,
): Promise<{ made: number; dropped: number }> {
  return database.session(async (session) => {
    const made = await makeDays(session, now);
    if (hours === 0) await session.query("TRUNCATE stored_responses");
    const before = new Date(now.getTime() - hours * HOUR_MS);
    const rows = await session.query<{ dropped: number }>(
      "SELECT stored_responses_drop_partitions($1) AS dropped",
      [before],
    );
    return { made, dropped: onlyRow(rows).dropped };
  });
}

import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { migrate as applyAll } from "drizzle-orm/postgres-js/migrator";
import type { Database, Session } from "./database";
import { UnsuitableDatabaseError } from "./database-url";
import { advisoryLocks } from "./locks";
import { type KnownMigrations, markOldestProgram, refusalOfNewerSchema } from "./newer-schema";
import { makeDuePartitions } from "./partitions";
import { onlyRow } from "./rows";
import { isLockTimeout } from "./table-lock";

/** After this time a line reports that another process migrates. Units: seconds. */
const SAY_SECONDS = 10;
/** A migration that waits for a table makes everything else on the table wait. Units: seconds. */
const TABLE_WAIT_SECONDS = 1;
/** How often a migration is tried while a table is not free, and the pause between. */
const TRIES = 60;
const PAUSE_MS = 4_000;

/** A table that a migration changes stayed in use. */
export class MigrationBlockedError extends Error {
  constructor(cause: unknown) {
    super(
      "the schema could not be migrated: a table stayed in use, e.g. by pg_dump or a long report; start again when that has ended",
      { cause },
    );
    this.name = "MigrationBlockedError";
  }
}

/** The schema version of a database. */
export interface SchemaVersion {
  /** Applied migrations, and migrations of this program. */
  applied: number;
  known: number;
  /** False on a standby, or on a server that was made read-only. */
  takesWrites: boolean;
}

/**
 * Migrates the schema to this program's version; several processes may call it at once: one migrates, the others wait for
 * it without end. Also creates the partitions of the coming weeks, as far as their tables are free. `say` gets a line
 * about every wait of ten seconds.
 * Throws: MigrationBlockedError; UnsuitableDatabaseError for a database that only a newer program can work with; the
 * database's error. Then the failed run had no effect. Source: docs/reliability.md#s2-14.
 */
export async function migrate(
  database: Database,
  say: (line: string) => void = () => {},
): Promise<SchemaVersion> {
  await database.session(async (session) => {
    if (database.kind === "embedded") {
      await applyKnown(session);
      return makeDuePartitions(session, new Date());
    }
    await waitForTurn(session, say);
    try {
      await session.query(`SET lock_timeout = '${TABLE_WAIT_SECONDS}s'`);
      await applyWhenFree(session, say);
      await makeDuePartitions(session, new Date());
    } finally {
      await session.query("SELECT pg_advisory_unlock($1)", [advisoryLocks.migration]);
    }
  });
  return schemaVersion(database);
}

/** Waits until no other process migrates. */
async function waitForTurn(session: Session, say: (line: string) => void): Promise<void> {
  await session.query(`SET lock_timeout = '${SAY_SECONDS}s'`);
  for (;;) {
    try {
      await session.query("SELECT pg_advisory_lock($1)", [advisoryLocks.migration]);
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      say("another process migrates the database; this one waits for it");
    }
  }
}

/**
 * Applies all missing migrations in one transaction. While a table is not free it is rolled back, so that calls go on.
 */
async function applyWhenFree(session: Session, say: (line: string) => void): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyKnown(session);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt === TRIES) throw new MigrationBlockedError(error);
      if (attempt % 2 === 1)
        say("the migration waits for a table that is in use, e.g. by pg_dump or a long report");
    }
    await sleep(PAUSE_MS);
  }
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
    known: knownMigrations().count,
    takesWrites: row.read_only === "off",
  };
}

/** Throws: UnsuitableDatabaseError, without any change, when only a newer program can work with the database. */
async function applyKnown(session: Session): Promise<void> {
  const refusal = await refusalOfNewerSchema(session, knownMigrations());
  if (refusal !== null) throw new UnsuitableDatabaseError(refusal);
  await applyMigrations(session);
  await markOldestProgram(session);
}

/** Why this program cannot work with a migrated database; null when it can. Source: docs/reliability.md#s2-15. */
export function refusalOfSchema(session: Session): Promise<string | null> {
  return refusalOfNewerSchema(session, knownMigrations());
}

function knownMigrations(): KnownMigrations {
  const all = readMigrationFiles({ migrationsFolder: folder() });
  return { count: all.length, lastAtMs: all.at(-1)?.folderMillis ?? 0 };
}

async function applyMigrations(session: Session): Promise<void> {
  // The migrator only uses the dialect and the session of the handle, which both drizzle drivers have.
  const orm = session.orm as unknown as Parameters<typeof applyAll>[0];
  await applyAll(orm, { migrationsFolder: folder() });
}

function folder(): string {
  return path.join(process.cwd(), "drizzle");
}

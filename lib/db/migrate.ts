import path from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { migrate as applyAll } from "drizzle-orm/postgres-js/migrator";
import type { Database, Session } from "./database";
import { makePartitions } from "./partitions";

const LOCK_NUMBER = 7_405_001;
const LOCK_WAIT = "60s";

/** The schema version of a database. */
export interface SchemaVersion {
  /** Applied migrations, and migrations of this program. */
  applied: number;
  known: number;
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

/** Reads the schema version; a process is ready when `applied >= known`. */
export async function schemaVersion(database: Session): Promise<SchemaVersion> {
  const [row] = await database.query<{ applied: bigint }>(
    "SELECT count(*) AS applied FROM drizzle.__drizzle_migrations",
  );
  return {
    applied: Number(row?.applied ?? 0n),
    known: readMigrationFiles({ migrationsFolder: folder() }).length,
  };
}

async function apply(session: Session): Promise<void> {
  // The migrator only uses the dialect and the session of the handle, which both drizzle drivers have.
  const orm = session.orm as unknown as Parameters<typeof applyAll>[0];
  await applyAll(orm, { migrationsFolder: folder() });
  const now = Date.now();
  await makePartitions(session, new Date(now), new Date(now));
}

function folder(): string {
  return path.join(process.cwd(), "drizzle");
}

import type { Session } from "./database";
import { onlyRow } from "./rows";

/**
 * How many migrations a program must know to run on the schema of this one. A migration that drops, renames or retypes
 * what older programs use sets it to the number of migrations of the first program that does not use it.
 * Source: docs/reliability.md#s2-15.
 */
export const OLDEST_PROGRAM = 23;

/** Name of the row in `settings` that holds the greatest `OLDEST_PROGRAM` of the programs that migrated the database. */
const MARKER = "schema_oldest_program";

/** The migrations that this program knows. */
export interface KnownMigrations {
  count: number;
  /** When the last one was written. Units: milliseconds since 1970. */
  lastAtMs: number;
}

/**
 * Why this program may not run on a database that a newer one has migrated; null when it may: the database is not
 * newer, or its newest program has stored that programs such as this one run beside it. Source:
 * docs/reliability.md#s2-15.
 */
export async function refusalOfNewerSchema(session: Session, known: KnownMigrations): Promise<string | null> {
  const tables = await session.query<{ migrated: boolean }>(
    "SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS migrated",
  );
  if (!onlyRow(tables).migrated) return null;
  const migrations = await session.query<{ applied: number; last: string | null }>(
    "SELECT count(*)::int AS applied, max(created_at)::text AS last FROM drizzle.__drizzle_migrations",
  );
  const { applied, last } = onlyRow(migrations);
  if (applied <= known.count && Number(last ?? 0) <= known.lastAtMs) return null;
  const markers = await session.query<{ oldest: string | null }>(
    "SELECT max(value) AS oldest FROM settings WHERE name = $1",
    [MARKER],
  );
  const { oldest } = onlyRow(markers);
  if (oldest !== null && Number(oldest) <= known.count) return null;
  return `a newer version of this program has migrated the database (${applied} migrations; this version knows ${known.count}), and this version cannot work with it: start the newer version, or restore a backup from before`;
}

/** Stores which programs run on the schema of this one; never lowers what a newer program stored. */
export async function markOldestProgram(session: Session): Promise<void> {
  await session.query(
    `INSERT INTO settings AS s (name, value) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE s.value::int < excluded.value::int`,
    [MARKER, String(OLDEST_PROGRAM)],
  );
}

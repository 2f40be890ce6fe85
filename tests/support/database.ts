import { cpSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, describe } from "vitest";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { migrate } from "@/lib/db/migrate";
import { isComplete } from "./complete";
import { createTestDatabase, dropTestDatabase, postgresServer } from "./postgres";
import { oncePerRun, runDirectory } from "./run-directory";

/** Opens a fresh, migrated database; it is closed and removed after the test file. */
export type OpenTestDatabase = () => Promise<Database>;

type DatabaseSuite = (kind: Database["kind"], open: OpenTestDatabase) => void;

/**
 * Runs one suite on the embedded database and on PostgreSQL. Without PostgreSQL its suite is skipped with the reason
 * in its name.
 */
export async function forEachDatabase(suite: DatabaseSuite): Promise<void> {
  describe("embedded", () => suite("embedded", cleanedUp(openEmbeddedTestDatabase)));
  await onPostgres(suite);
}

/**
 * The same for what depends on SQL alone: where there is PostgreSQL, the embedded database is left to
 * `npm run test:all`.
 */
export async function forEachDatabaseInAll(suite: DatabaseSuite): Promise<void> {
  const hasPostgres = !("unavailable" in (await postgresServer()));
  if (isComplete || !hasPostgres) await forEachDatabase(suite);
  else await onPostgres(suite);
}

async function onPostgres(suite: DatabaseSuite): Promise<void> {
  const server = await postgresServer();
  if ("unavailable" in server)
    describe.skip(server.unavailable, () => suite("postgres", openPostgresTestDatabase));
  else describe("postgres", () => suite("postgres", cleanedUp(openPostgresTestDatabase)));
}

/** A new, migrated embedded database in its own directory; closing it removes the directory. */
export async function openEmbeddedTestDatabase(): Promise<Database> {
  const directory = await embeddedDirectory();
  const database = await openDatabase({ url: null, dataDir: directory });
  return onClose(database, async () => rmSync(directory, { recursive: true, force: true }));
}

/** A fresh, migrated PostgreSQL database; closing it drops it. */
export async function openPostgresTestDatabase(): Promise<Database> {
  const url = await createTestDatabase();
  const database = await openDatabase({ url, dataDir: runDirectory() });
  return onClose(database, () => dropTestDatabase(url));
}

/** A data directory with a migrated, closed embedded database; copied, because making one takes seconds. */
export async function embeddedDirectory(): Promise<string> {
  const template = await oncePerRun("embedded", async () => {
    const directory = path.join(runDirectory(), "embedded-template");
    const database = await openDatabase({ url: null, dataDir: directory });
    await migrate(database);
    await database.close();
    return directory;
  });
  const directory = mkdtempSync(path.join(runDirectory(), "embedded-"));
  cpSync(template, directory, { recursive: true });
  return directory;
}

function onClose(database: Database, clean: () => Promise<void>): Database {
  return {
    ...database,
    async close() {
      await database.close();
      await clean();
    },
  };
}

function cleanedUp(open: OpenTestDatabase): OpenTestDatabase {
  const opened: Database[] = [];
  afterAll(async () => {
    for (const database of opened) await database.close();
  });
  return async () => {
    const database = await open();
    opened.push(database);
    return database;
  };
}

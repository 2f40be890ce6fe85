import postgres, { type Sql } from "postgres";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { migrate } from "@/lib/db/migrate";
import { migrateTo } from "@/tests/support/earlier-schema";
import { createEmptyTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { runDirectory } from "@/tests/support/run-directory";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/** Source: docs/reliability.md#s2-14. */
describe.skipIf(without !== "")(`a migration${without}`, () => {
  let url: string;
  let database: Database;
  let other: Sql;
  beforeEach(async () => {
    url = await createEmptyTestDatabase();
    database = await openDatabase({ url, dataDir: runDirectory() });
    other = postgres(url, { max: 1, onnotice: () => {} });
  });
  afterEach(async () => {
    await Promise.all([database.close(), other.end()]);
    await dropTestDatabase(url);
  });

  test("waits for that of another process, says so, and then goes on", async () => {
    const lines: string[] = [];
    await other`SELECT pg_advisory_lock(7405001)`;
    const migrated = migrate(database, (line) => lines.push(line));
    await expect.poll(() => lines, { timeout: 30_000 }).toHaveLength(1);
    await other`SELECT pg_advisory_unlock(7405001)`;
    const { applied, known } = await migrated;
    expect(applied).toBe(known);
    expect(lines[0]).toContain("another process migrates");
  }, 60_000);

  test("takes everything back while a table is in use, so that others get at it, and is done once it is free", async () => {
    // Migration 17 locks the table of users.
    await migrateTo(database, 16);
    const lines: string[] = [];
    let migrated: ReturnType<typeof migrate> | undefined;
    await other.begin(async (tx) => {
      await tx`LOCK TABLE users IN ACCESS SHARE MODE`;
      migrated = migrate(database, (line) => lines.push(line));
      migrated.catch(() => {});
      await expect.poll(() => lines, { timeout: 30_000 }).toHaveLength(1);
      expect(await database.query("SELECT to_regclass('logins')::text AS logins")).toEqual([
        { logins: null },
      ]);
      await database.query("UPDATE users SET request_count = request_count");
    });
    const version = await migrated;
    expect(version?.applied).toBe(version?.known);
    expect(lines[0]).toContain("in use");
  }, 60_000);
});

import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "@/lib/db/database";
import { migrate, schemaVersion } from "@/lib/db/migrate";
import { OLDEST_PROGRAM } from "@/lib/db/newer-schema";
import { forEachDatabase } from "@/tests/support/database";

/** Source: docs/reliability.md#s2-15. */
await forEachDatabase((_kind, open) => {
  let database: Database;
  let known: number;
  beforeAll(async () => {
    database = await open();
    known = (await schemaVersion(database)).known;
  });
  beforeEach(async () => {
    await database.query("DELETE FROM drizzle.__drizzle_migrations WHERE hash = 'of a newer program'");
    await migrate(database);
  });
  afterAll(async () => {
    await database.query("DELETE FROM drizzle.__drizzle_migrations WHERE hash = 'of a newer program'");
  });

  /** Leaves what a newer program leaves: its migration, and what it says of older programs. */
  async function migrateNewer(oldestProgram: number | null): Promise<void> {
    await database.query(
      "INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('of a newer program', 4102444800000)",
    );
    await database.query("DELETE FROM settings WHERE name = 'schema_oldest_program'");
    if (oldestProgram !== null)
      await database.query("INSERT INTO settings (name, value) VALUES ('schema_oldest_program', $1)", [
        String(oldestProgram),
      ]);
  }

  const marker = () => database.query("SELECT value FROM settings WHERE name = 'schema_oldest_program'");

  test("a database of this program says which programs run beside it", async () => {
    expect(OLDEST_PROGRAM).toBeLessThanOrEqual(known);
    expect(await marker()).toEqual([{ value: String(OLDEST_PROGRAM) }]);
  });

  test("a newer database that lets this program run is used, and goes on saying what the newer one said", async () => {
    await migrateNewer(known);
    expect(await migrate(database)).toMatchObject({ applied: known + 1, known });
    expect(await marker()).toEqual([{ value: String(known) }]);
  });

  test.each([
    ["wants a newer one", 1],
    ["does not say so", null],
  ])("a newer database that %s is refused, and nothing in it is changed", async (_what, beyond) => {
    await migrateNewer(beyond === null ? null : known + beyond);
    const before = await marker();
    await expect(migrate(database)).rejects.toThrow(
      `a newer version of this program has migrated the database (${known + 1} migrations; this version knows ${known})`,
    );
    expect(await marker()).toEqual(before);
  });
});

test("no migration takes away what programs use that may run beside it", () => {
  const files = readdirSync("drizzle").filter((name) => /^\d{4}_.*\.sql$/.test(name));
  const later = files.filter((name) => Number(name.slice(0, 4)) >= OLDEST_PROGRAM);
  const takesAway =
    /\b(DROP\s+(TABLE|COLUMN)|RENAME\s+(TO|COLUMN)|SET\s+DATA\s+TYPE|ALTER\s+COLUMN\s+\S+\s+TYPE)\b/i;
  const found = later.filter((name) => takesAway.test(readFileSync(`drizzle/${name}`, "utf8")));
  expect(found).toEqual([]);
});

import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
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

/** The migrations that run beside programs of the version before. */
const later = readdirSync("drizzle")
  .filter((name) => /^\d{4}_.*\.sql$/.test(name) && Number(name.slice(0, 4)) >= OLDEST_PROGRAM)
  .map((name) => ({ name, text: readFileSync(`drizzle/${name}`, "utf8") }));

test("no migration takes away what programs use that may run beside it", () => {
  const takesAway =
    /\b(DROP\s+(TABLE|COLUMN)|RENAME\s+(TO|COLUMN)|SET\s+DATA\s+TYPE|ALTER\s+COLUMN\s+\S+\s+TYPE)\b/i;
  expect(later.filter(({ text }) => takesAway.test(text)).map(({ name }) => name)).toEqual([]);
});

/** Source: docs/reliability.md#s2-14. */
describe("no migration goes through the rows of a table while it holds the table", () => {
  test("of those that run beside programs of the version before", () => {
    expect(later.flatMap(({ name, text }) => workOnRows(text).map((found) => `${name}: ${found}`))).toEqual(
      [],
    );
  });

  test.each([
    "UPDATE plans SET name = ''",
    'DELETE FROM "plans"',
    "INSERT INTO sums (id) SELECT id FROM plans",
    "INSERT INTO sums WITH all_plans AS (TABLE plans) SELECT id FROM all_plans",
    'CREATE UNIQUE INDEX "by_name" ON "plans" USING btree ("name")',
    "CREATE INDEX ON plans (name)",
    "CREATE INDEX IF NOT EXISTS by_name ON ONLY public.plans (name)",
    'ALTER TABLE "plans" ALTER COLUMN "name" SET NOT NULL',
    'ALTER TABLE "plans" ADD CONSTRAINT "named" CHECK (name <> \'\')',
    "DO $$ BEGIN UPDATE plans SET name = ''; END $$",
    "WITH gone AS (DELETE FROM plans RETURNING id) SELECT 1",
  ])("%s is found", (statement) => {
    expect(workOnRows(`CREATE TABLE "sums" ("id" uuid);\n${statement};`)).toHaveLength(1);
  });

  test.each([
    'ALTER TABLE "plans" ADD COLUMN "limits" jsonb',
    'CREATE INDEX "sums_by_id" ON "sums" USING btree ("id")',
    "INSERT INTO settings (name, value) VALUES ('a', 'b')",
    "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE plans SET name = '' $$",
    "CREATE TRIGGER t AFTER DELETE ON plans FOR EACH STATEMENT EXECUTE FUNCTION f()",
    "-- UPDATE plans SET name = ''",
  ])("%s is none", (statement) => {
    expect(workOnRows(`CREATE TABLE "sums" ("id" uuid);\n${statement};`)).toEqual([]);
  });
});

/** Statements whose time grows with the rows of a table that was there before. */
function workOnRows(text: string): string[] {
  const own = new Set([...text.matchAll(/\bCREATE\s+TABLE\s+"?(\w+)"?/gi)].map(([, table]) => table));
  const statements = text
    .replace(/--.*$/gm, "")
    .replace(/\bCREATE\s+(OR\s+REPLACE\s+)?FUNCTION\b[^$]*\$\$[\s\S]*?\$\$[^;]*/gi, "")
    .split(";")
    .map((statement) => statement.trim());
  return statements.filter((statement) => {
    if (/^CREATE\s+(OR\s+REPLACE\s+)?TRIGGER\b/i.test(statement)) return false;
    const table = indexedTable.exec(statement)?.[1];
    if (table !== undefined) return !own.has(table);
    return goesThroughRows.test(statement);
  });
}

const indexedTable =
  /^CREATE\s+(?:UNIQUE\s+)?INDEX\b[^(]*?\bON\s+(?:ONLY\s+)?(?:"?\w+"?\.)?"?(\w+)"?(?=\s|\()/i;
const goesThroughRows =
  /\b(UPDATE\s+(ONLY\s+)?["\w.]+\s+(AS\s+)?(\w+\s+)?SET|DELETE\s+FROM|INSERT\s+INTO\b[\s\S]*\bSELECT|SET\s+NOT\s+NULL|ADD\s+CONSTRAINT)\b/i;

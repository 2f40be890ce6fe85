import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { forEachDatabase } from "@/tests/support/database";

await forEachDatabase((kind, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  test("migrating twice changes nothing", async () => {
    const first = await migrate(database);
    expect(await migrate(database)).toEqual(first);
    expect(first.applied).toBe(first.known);
  });
  test("x", async () => {
    expect(kind).toBe(database.kind);
    await database.orm.execute(sql`select 1`);
  });
});

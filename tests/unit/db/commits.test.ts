import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database, Orm } from "@/lib/db/database";
import { settingsTable } from "@/lib/db/schema/catalog";
import { forEachDatabase } from "@/tests/support/database";

/** Source: docs/reliability.md#s2-13. */
await forEachDatabase((kind, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  const write = (tx: Orm, name: string) => tx.insert(settingsTable).values({ name, value: "1" });
  const stored = (name: string) =>
    database.orm.select().from(settingsTable).where(eq(settingsTable.name, name));
  const divideByZero = (tx: Orm) => Promise.resolve(tx.execute("SELECT 1 / 0"));

  test("a transaction in which a statement failed is never told as done, also when its work went on", async () => {
    const work = database.orm.transaction(async (tx) => {
      await write(tx, "aborted");
      await divideByZero(tx).catch(() => {});
      return "done";
    });
    await expect(work).rejects.toThrow();
    expect(await stored("aborted")).toEqual([]);
  });

  test("a savepoint that fails undoes its own part, and the rest is stored", async () => {
    await database.orm.transaction(async (tx) => {
      await write(tx, "outside");
      const inner = tx.transaction(async (savepoint) => {
        await write(savepoint, "inside");
        await divideByZero(savepoint);
      });
      await expect(inner).rejects.toThrow();
      await tx.transaction((savepoint) => write(savepoint, "second"));
    });
    expect([await stored("outside"), await stored("inside"), await stored("second")]).toMatchObject([
      [{ value: "1" }],
      [],
      [{ value: "1" }],
    ]);
  });

  test("statements that a transaction starts at once all run in it", async () => {
    const names = ["first at once", "second at once", "third at once"];
    const failing = database.orm.transaction(async (tx) => {
      await Promise.all(names.map((name) => write(tx, name)));
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    for (const name of names) expect(await stored(name)).toEqual([]);
  });

  test.skipIf(kind === "embedded")("no command of a transaction is prepared", async () => {
    await database.session(async (session) => {
      await session.orm.transaction((tx) => tx.transaction((savepoint) => write(savepoint, "prepared")));
      await expect(session.orm.transaction(divideByZero)).rejects.toThrow();
      const texts = await session.query<{ statement: string }>(
        "SELECT statement FROM pg_prepared_statements",
      );
      expect(texts.filter(({ statement }) => /begin|commit|rollback|savepoint/i.test(statement))).toEqual([]);
    });
  });
});

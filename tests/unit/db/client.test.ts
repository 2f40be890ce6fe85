import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "@/lib/db/client";
import { DataDirectoryBusyError } from "@/lib/db/data-lock";
import type { Database } from "@/lib/db/database";
import { constraintOf, isAmbiguous, isUniqueViolation, sqlState } from "@/lib/db/database-error";
import { settingsTable } from "@/lib/db/schema/catalog";
import { embeddedDirectory, forEachDatabase } from "@/tests/support/database";

await forEachDatabase((kind, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  test("values come back with the same types from either database", async () => {
    const [row] = await database.query<Record<string, unknown>>(
      `SELECT 9007199254740993::bigint AS big, 7::integer AS small, 1.50::numeric AS exact, true AS yes, NULL AS nothing,
         '2026-11-20T10:07:03.456Z'::timestamptz AS moment, '2026-11-20'::date AS day,
         '2026-11-20 10:07:03'::timestamp AS local, '{"a": [1]}'::jsonb AS json,
         ARRAY['a,b', '', 'c"d']::text[] AS texts, ARRAY[1, 9007199254740993]::bigint[] AS bigs`,
    );
    expect(row).toEqual({
      big: 9_007_199_254_740_993n,
      small: 7,
      exact: "1.50",
      yes: true,
      nothing: null,
      moment: new Date("2026-11-20T10:07:03.456Z"),
      day: "2026-11-20",
      local: "2026-11-20 10:07:03",
      json: { a: [1] },
      texts: ["a,b", "", 'c"d'],
      bigs: [1n, 9_007_199_254_740_993n],
    });
  });

  test("parameters go in with the same meaning in either database", async () => {
    const moment = new Date("2026-11-20T10:07:03.456Z");
    const [row] = await database.query(
      `SELECT $1::bigint AS big, $2::timestamptz AS moment, $3::jsonb AS json, $4::text[] AS texts, $5::bytea = $6::bytea AS same`,
      [2n ** 62n, moment, '{"a":1}', ["x", 'y"z'], Buffer.from([0, 255]), new Uint8Array([0, 255])],
    );
    expect(row).toEqual({ big: 2n ** 62n, moment, json: { a: 1 }, texts: ["x", 'y"z'], same: true });
  });

  test("a transaction that throws leaves nothing; one that returns leaves everything", async () => {
    const put = (value: string, fail: boolean) =>
      database.orm.transaction(async (tx) => {
        await tx.insert(settingsTable).values({ name: value, value });
        if (fail) throw new Error("rolled back");
        return value;
      });
    await expect(put("gone", true)).rejects.toThrow("rolled back");
    expect(await put("kept", false)).toBe("kept");
    const left = await database.query("SELECT name, value FROM settings WHERE name IN ('gone', 'kept')");
    expect(left).toEqual([{ name: "kept", value: "kept" }]);
  });

  test("a nested transaction can fail alone", async () => {
    await database.orm.transaction(async (tx) => {
      await tx.insert(settingsTable).values({ name: "outer", value: "1" });
      await tx
        .transaction(async (inner) => {
          await inner.insert(settingsTable).values({ name: "inner", value: "1" });
          throw new Error("inner");
        })
        .catch(() => {});
    });
    const names = await database.query("SELECT name FROM settings WHERE name IN ('outer', 'inner')");
    expect(names).toEqual([{ name: "outer" }]);
  });

  test("transactions that read and then write do not lose each other's updates", async () => {
    await database.orm.insert(settingsTable).values({ name: "counter", value: "0" });
    await Promise.all(
      Array.from({ length: 20 }, () =>
        database.orm.transaction(async (tx) => {
          const [row] = await tx
            .select()
            .from(settingsTable)
            .where(eq(settingsTable.name, "counter"))
            .for("update");
          const value = String(Number(row?.value) + 1);
          await tx.update(settingsTable).set({ value }).where(eq(settingsTable.name, "counter"));
        }),
      ),
    );
    expect(await database.query("SELECT value FROM settings WHERE name = 'counter'")).toEqual([
      { value: "20" },
    ]);
  });

  test("a refused row says so the same way in either database, also through drizzle", async () => {
    const insert = () => database.orm.insert(settingsTable).values({ name: "twice", value: "1" });
    await insert();
    const error: unknown = await insert().then(
      () => null,
      (reason) => reason,
    );
    expect(sqlState(error)).toBe("23505");
    expect(constraintOf(error)).toBe("settings_pkey");
    expect(isUniqueViolation(error)).toBe(true);
    expect(isAmbiguous(error)).toBe(false);
  });

  test("listeners hear what is notified on their channel until they stop", async () => {
    const heard: string[] = [];
    const stop = await database.listen("catalog", (payload) => heard.push(payload));
    const alsoStop = await database.listen("catalog", (payload) => heard.push(`second ${payload}`));
    await database.notify("other", "x");
    await database.notify("catalog", "it's 1");
    await expect.poll(() => [...heard].sort()).toEqual(["it's 1", "second it's 1"]);
    await stop();
    await database.notify("catalog", "2");
    await expect.poll(() => heard.at(-1)).toBe("second 2");
    await alsoStop();
    await database.notify("catalog", "3");
    // What is notified later arrives later: whoever still listened would have heard.
    const after: string[] = [];
    const stopAfter = await database.listen("after", (payload) => after.push(payload));
    await database.notify("after", "4");
    await expect.poll(() => after).toEqual(["4"]);
    await stopAfter();
    expect(heard).toHaveLength(3);
  });

  if (kind === "postgres") {
    test("a statement of the pool ends after two seconds, one of a session does not", async () => {
      await expect(database.query("SELECT pg_sleep(10)")).rejects.toMatchObject({ code: "57014" });
      expect(await database.session((session) => session.query("SELECT pg_sleep(2.5)"))).toHaveLength(1);
    });
  }

  test("a session does what the database does", async () => {
    const one = await database.session((session) => session.query("SELECT 1 AS one"));
    expect(one).toEqual([{ one: 1 }]);
    expect(await database.batchQuery("SELECT $1::integer AS two", [2])).toEqual([{ two: 2 }]);
    await database.resetBatch();
    expect(await database.batchQuery("SELECT 3 AS three", [])).toEqual([{ three: 3 }]);
  });

  test("the statement of a batch gives lists of integers, and runs again after an error", async () => {
    const sql = `SELECT ARRAY[$1::integer, 10 / $1::integer] AS small, ARRAY[$2]::bigint[] AS large,
      '{}'::bigint[] AS none, $3::text AS text`;
    const answer = [{ small: [5, 2], large: [2n ** 60n], none: [], text: null }];
    expect(await database.batchQuery(sql, [5, 2n ** 60n, null])).toEqual(answer);
    await expect(database.batchQuery(sql, [0, 1n, "'"])).rejects.toMatchObject({ code: "22012" });
    await expect(database.batchQuery("SELECT nothing", [])).rejects.toMatchObject({ code: "42703" });
    expect(await database.batchQuery(sql, [5, 2n ** 60n, null])).toEqual(answer);
  });
});

describe("the embedded database", () => {
  test("refuses a second opener by name and lets it in after the first has closed", async () => {
    const dataDir = await embeddedDirectory();
    const first = await openDatabase({ url: null, dataDir });
    await expect(openDatabase({ url: null, dataDir })).rejects.toBeInstanceOf(DataDirectoryBusyError);
    await first.close();
    const second = await openDatabase({ url: null, dataDir });
    expect(await second.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await second.close();
  });

  test("after its end every call fails, and says why", async () => {
    const database = await openDatabase({ url: null, dataDir: await embeddedDirectory() });
    await database.close();
    await expect(database.query("SELECT 1")).rejects.toThrow("the embedded database is closed");
    await expect(database.orm.execute(sql`SELECT 1`)).rejects.toThrow();
  });

  test("a transaction that waits for itself is ended after five seconds, and the others go on", async () => {
    const database = await openDatabase({ url: null, dataDir: await embeddedDirectory() });
    const stuck = database.orm.transaction(async () => {
      await database.query("SELECT 1");
    });
    const behind = database.query("SELECT 2 AS two");
    await expect(stuck).rejects.toThrow("was the outer database used inside it?");
    expect(await behind).toEqual([{ two: 2 }]);
    await database.close();
  });
});

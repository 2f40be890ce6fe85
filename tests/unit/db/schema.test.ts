import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "@/lib/db/database";
import { migrate } from "@/lib/db/migrate";
import { maintainTables, makePartitions } from "@/lib/db/partitions";
import { DAY_MS } from "@/lib/kernel/durations";
import { errorCodeOrder } from "@/lib/kernel/errors";
import { LATENCY_BUCKETS } from "@/lib/kernel/latency-histogram";
import { makeAccount, openTestLedger, requestId, settlementOf } from "@/tests/support/billing";
import { forEachDatabase } from "@/tests/support/database";

await forEachDatabase((_kind, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  test("migrating again, also twice at once, changes nothing", async () => {
    const before = await schemaText(database);
    const versions = await Promise.all([migrate(database), migrate(database)]);
    for (const version of versions) expect(version.applied).toBe(version.known);
    expect(await schemaText(database)).toBe(before);
  });

  describe("append-only tables", () => {
    beforeAll(async () => {
      const account = await makeAccount(database, { account: 100n, keys: [100n] });
      const ledger = await openTestLedger(database);
      await ledger.settle(settlementOf(account, { requestId: requestId() }));
      await ledger.drain();
    });

    test.each([
      "UPDATE usage_ledger SET cost_micro_cents = 0",
      "DELETE FROM usage_ledger",
      "TRUNCATE usage_ledger",
      "DELETE FROM quota_grants",
      "UPDATE audit_log SET actor_name = ''",
    ])("%s is refused", async (statement) => {
      await expect(database.query(statement)).rejects.toThrow("append-only");
      const [row] = await database.query(
        "SELECT count(*) AS rows FROM usage_ledger WHERE cost_micro_cents > 0",
      );
      expect(row).toEqual({ rows: 1n });
    });
  });

  describe("partitions of the request log", () => {
    const partitions = () =>
      database.query<{ name: string }>(
        `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'request_log'::regclass ORDER BY 1`,
      );
    const now = new Date();

    test("this week and the next four exist after migrating", async () => {
      const names = (await partitions()).map(({ name }) => name);
      expect(names).toHaveLength(6);
      expect(names).toContain("request_log_default");
    });

    test("a row of a week without partition is kept, and moves when its partition is made", async () => {
      const account = await makeAccount(database, { account: 10_000n, keys: [10_000n] });
      const ledger = await openTestLedger(database);
      const createdAt = new Date(now.getTime() - 20 * DAY_MS);
      const ids = [requestId(), requestId()];
      for (const id of ids) await ledger.settle(settlementOf(account, { requestId: id, createdAt }));
      await ledger.drain();
      const place = async () => {
        const rows = await database.query<{ place: string }>(
          "SELECT DISTINCT tableoid::regclass::text AS place FROM request_log WHERE request_id = ANY($1)",
          [ids],
        );
        return rows.map((row) => row.place);
      };
      expect(await place()).toEqual(["request_log_default"]);
      expect(await makePartitions(database, createdAt, now)).toBeGreaterThanOrEqual(2);
      expect(await place()).toEqual([expect.stringMatching(/^request_log_\d{8}$/)]);
      expect(await makePartitions(database, createdAt, now)).toBe(0);
    });

    test("retention drops whole old weeks and nothing younger, and leaves ledger and roll-ups", async () => {
      const sums = () =>
        database.query(
          "SELECT (SELECT count(*) FROM usage_ledger) AS ledger, (SELECT sum(request_count) FROM usage_rollups)::text AS rolled",
        );
      const before = await sums();
      const { dropped } = await maintainTables(database, 10, now);
      expect(dropped).toBeGreaterThanOrEqual(1);
      const oldest = await database.query("SELECT 1 FROM request_log WHERE created_at < $1", [
        new Date(now.getTime() - 17 * DAY_MS),
      ]);
      expect(oldest).toEqual([]);
      expect(await sums()).toEqual(before);
      expect(await maintainTables(database, 10, now)).toEqual({ made: 0, dropped: 0, blocked: false });
    });

    test("the newest log page of an account is read by index, newest first, without sorting", async () => {
      const plan = await database.session(async (session) => {
        await session.query("SET enable_seqscan = off");
        const rows = await session.query<{ "QUERY PLAN": string }>(
          "EXPLAIN SELECT * FROM request_log WHERE user_id = $1 ORDER BY created_at DESC, request_id DESC LIMIT 20",
          [requestId()],
        );
        await session.query("RESET enable_seqscan");
        return rows.map((row) => row["QUERY PLAN"]).join("\n");
      });
      expect(plan).toContain("Index Scan Backward");
      expect(plan).not.toMatch(/Seq Scan|Sort {2}\(/);
    });
  });

  test("a model's own output limit from before the change stays; the usual one counts as none", async () => {
    await database.query(
      "INSERT INTO models (alias, default_max_tokens) VALUES ('own-limit', 321), ('usual-limit', 4096)",
    );
    const sql = await readFile("drizzle/0004_configured_max_tokens.sql", "utf8");
    await database.query(sql.slice(sql.indexOf("UPDATE")));
    const rows = await database.query(
      "SELECT alias, configured_max_tokens AS tokens FROM models WHERE alias LIKE '%-limit' ORDER BY alias",
    );
    expect(rows).toEqual([
      { alias: "own-limit", tokens: 321 },
      { alias: "usual-limit", tokens: null },
    ]);
  });

  test("histograms add element by element, whatever their lengths", async () => {
    const [row] = await database.query(
      `SELECT int_array_add('{1,2}', '{10,20,30}') AS longer, int_array_add('{1,2,3}', '{0,5}') AS shorter,
         int_array_add('{}', '{0,0,4}') AS first, int_array_bump('{0,0,0}', '{1,3,3}') AS bumped,
         int_array_bump('{1}', '{4}') AS grown, int_array_bump('{1}', '{}') AS same,
         (SELECT int_array_sum(x) FROM (VALUES ('{1,2}'::int[]), ('{3,4,5}')) v(x)) AS summed`,
    );
    expect(row).toEqual({
      longer: [11, 22, 30],
      shorter: [1, 7, 3],
      first: [0, 0, 4],
      bumped: [1, 0, 2],
      grown: [1, 0, 0, 1],
      same: [1],
      summed: [4, 6, 5],
    });
  });

  test("roll-up rows have the lengths that the code knows", async () => {
    const rows = await database.query(
      "SELECT DISTINCT cardinality(latency_histogram) AS buckets, cardinality(error_counts) AS codes FROM usage_rollups",
    );
    expect(rows).toEqual([{ buckets: LATENCY_BUCKETS, codes: errorCodeOrder.length }]);
  });
});

async function schemaText(database: Database): Promise<string> {
  const rows = await database.query<{ line: string }>(
    `SELECT table_name || '.' || column_name || ' ' || data_type AS line FROM information_schema.columns
     WHERE table_schema = 'public' ORDER BY 1`,
  );
  return rows.map((row) => row.line).join("\n");
}

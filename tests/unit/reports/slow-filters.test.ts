import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { HOUR_MS } from "@/lib/kernel/durations";
import { newRequestId } from "@/lib/kernel/request-id";
import { readLogValues } from "@/lib/reports/log-values";
import { readLogVolume } from "@/lib/reports/log-volume";
import { listLogs } from "@/lib/reports/logs";
import { makeAccount, openTestLedger, settlementOf, type TestLedger } from "@/tests/support/billing";
import { openPostgresTestDatabase } from "@/tests/support/database";
import { postgresServer } from "@/tests/support/postgres";

const now = new Date("2026-11-21T10:07:30.000Z");
const REQUESTS = 3;
const server = await postgresServer();

/** The log as a view: statements whose text matches the pattern of `slow_statements` take longer than they may. */
const SLOW_LOG = `
  ALTER TABLE request_log RENAME TO kept_log;
  CREATE TABLE slow_statements (pattern text);
  CREATE FUNCTION is_read() RETURNS boolean LANGUAGE plpgsql VOLATILE COST 0.001 AS $$
  BEGIN
    PERFORM pg_sleep(10) FROM slow_statements WHERE current_query() LIKE pattern;
    RETURN true;
  END $$;
  CREATE VIEW request_log AS SELECT * FROM kept_log WHERE is_read();`;

describe.skipIf("unavailable" in server)("a filter of a log that is too large for it", () => {
  let db: Database;
  let ledger: TestLedger;
  const slow = async (pattern: string) => {
    await db.query("DELETE FROM slow_statements");
    await db.query("INSERT INTO slow_statements VALUES ($1)", [pattern]);
  };

  beforeAll(async () => {
    db = await openPostgresTestDatabase();
    await makePartitions(db, new Date(now.getTime() - 24 * HOUR_MS), now);
    ledger = await openTestLedger(db);
    const account = await makeAccount(db, { account: 10_000_000n, keys: [5_000_000n] });
    for (let made = 0; made < REQUESTS; made++)
      await ledger.settle(settlementOf(account, { requestId: newRequestId(), createdAt: now }));
    for (const statement of SLOW_LOG.split(/;(?=\n {2}(?:ALTER|CREATE))/)) await db.query(statement);
  });
  afterAll(async () => {
    await ledger.drain();
    await db.close();
  });

  test.each([
    ["page", () => listLogs(db, { client: "curl" }, { page: 1, pageSize: 2 })],
    ["volume", () => readLogVolume(db, { client: "curl" }, "UTC", now)],
    ["count of values", () => readLogValues(db, { client: "curl" })],
  ])("is refused with its reason: its %s", async (_name, read) => {
    await slow("%user_agent%");
    await expect(read()).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: "`from` must be nearer: the filter takes too long over so many entries.",
      details: { reason: "time_too_long", fields: { from: [expect.stringContaining("nearer")] } },
    });
  });

  test("is told when to sort it takes too long, while newest first it is read", async () => {
    await slow("%order by%cost_micro_cents%");
    await expect(listLogs(db, {}, { page: 1, pageSize: 2, sort: "cost" })).rejects.toMatchObject({
      message: "`from` must be nearer: sorting takes too long over so many entries.",
      details: { reason: "time_too_long" },
    });
    expect((await listLogs(db, {}, { page: 1, pageSize: 2 })).data).toHaveLength(2);
  });

  test("shows its page without a total when only counting takes too long", async () => {
    await slow("%select count(*)%");
    const { data, total, nextCursor } = await listLogs(db, {}, { page: 1, pageSize: 2 });
    expect([data.length, total]).toEqual([2, null]);
    await slow("none");
    expect((await listLogs(db, {}, { page: 1, pageSize: 2 })).total).toBe(REQUESTS);
    expect(nextCursor).not.toBeNull();
  });
});

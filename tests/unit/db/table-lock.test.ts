import postgres, { type Sql } from "postgres";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { migrate } from "@/lib/db/migrate";
import { maintainStoredResponses, maintainTables, makePartitions } from "@/lib/db/partitions";
import { DAY_MS } from "@/lib/kernel/durations";
import { startMaintenance } from "@/lib/process/table-maintenance";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { runDirectory } from "@/tests/support/run-directory";

const RETENTION_DAYS = 10;
const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/** Source: docs/reliability.md#s2-14. */
describe.skipIf(without !== "")(`a table that somebody reads for long${without}`, () => {
  let url: string;
  let database: Database;
  let other: Database;
  let reader: Sql;
  const now = new Date();
  beforeEach(async () => {
    url = await createTestDatabase();
    database = await openDatabase({ url, dataDir: runDirectory() });
    other = await openDatabase({ url, dataDir: runDirectory() });
    reader = postgres(url, { max: 1, onnotice: () => {} });
    await database.session((session) => makePartitions(session, new Date(now.getTime() - 35 * DAY_MS), now));
  });
  afterEach(async () => {
    await Promise.all([database.close(), other.close(), reader.end()]);
    await dropTestDatabase(url);
  });

  async function partitions(): Promise<string[]> {
    const rows = await database.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname ~ '^request_log_[0-9]{8}$' ORDER BY relname",
    );
    return rows.map(({ name }) => name);
  }

  /** Reads a table in an open transaction while `work` runs, as pg_dump does. */
  async function whileRead(table: string, work: () => Promise<void>): Promise<void> {
    await reader.begin(async (tx) => {
      await tx.unsafe(`LOCK TABLE ${table} IN ACCESS SHARE MODE`);
      await work();
    });
  }

  /** Sends writes to the log until `until` settles. Returns how many were refused. */
  async function refusedWrites(until: Promise<unknown>): Promise<number> {
    let ended = false;
    let refused = 0;
    const end = until.finally(() => {
      ended = true;
    });
    do {
      // The bound of ordinary statements on a lock is a second.
      await other.query("DO $$ BEGIN LOCK TABLE request_log IN ROW EXCLUSIVE MODE; END $$").catch(() => {
        refused += 1;
      });
    } while (!ended);
    await end;
    return refused;
  }

  test("keeps its partitions for the time being, and writes to it are not held up", async () => {
    const before = await partitions();
    expect(before.length).toBeGreaterThan(5);
    await whileRead("request_log", async () => {
      const maintained = maintainTables(database, RETENTION_DAYS, now);
      expect(await refusedWrites(maintained)).toBe(0);
      expect(await maintained).toMatchObject({ dropped: 0, blocked: true });
    });
    expect(await partitions()).toEqual(before);
    const { dropped, blocked } = await maintainTables(database, RETENTION_DAYS, now);
    expect({ blocked, left: before.length - dropped }).toEqual({
      blocked: false,
      left: (await partitions()).length,
    });
    expect(dropped).toBeGreaterThan(2);
  });

  test("loses the partitions that nobody reads: each has a transaction of its own", async () => {
    const [oldest, second] = await partitions();
    await whileRead(String(second), async () => {
      expect(await maintainTables(database, RETENTION_DAYS, now)).toMatchObject({
        dropped: 1,
        blocked: true,
      });
    });
    expect(await partitions()).not.toContain(oldest);
    expect(await partitions()).toContain(second);
  });

  test("gets no new partition for the time being, and a start is not held up by that", async () => {
    await database.query("DROP TABLE stored_responses_default");
    await database.query("CREATE TABLE stored_responses_default PARTITION OF stored_responses DEFAULT");
    const later = new Date(now.getTime() + 60 * DAY_MS);
    await whileRead("stored_responses_default", async () => {
      expect(await maintainStoredResponses(database, 72_000, later)).toEqual({
        made: 0,
        dropped: 0,
        blocked: true,
      });
      expect(await migrate(database)).toMatchObject({ takesWrites: true });
    });
    expect(await maintainStoredResponses(database, 72_000, later)).toEqual({
      made: 4,
      dropped: 0,
      blocked: false,
    });
  });

  test("keeps its stored responses for the time being where storing is switched off, and loses them later", async () => {
    const insert = `INSERT INTO stored_responses (request_id, created_at, key_id, depth, item_count, item_tags, items, envelope, bytes)
      VALUES (gen_random_uuid(), now(), gen_random_uuid(), 0, 0, '{}', '', '', 0)`;
    await database.query(insert);
    const [row] = await database.query<{ part: string }>(
      "SELECT tableoid::regclass::text AS part FROM stored_responses",
    );
    await whileRead(String(row?.part), async () => {
      expect(await maintainStoredResponses(database, 0, now)).toMatchObject({ blocked: true });
    });
    expect(await database.query("SELECT 1 FROM stored_responses")).toHaveLength(1);
    expect(await maintainStoredResponses(database, 0, now)).toMatchObject({ blocked: false });
    expect(await database.query("SELECT 1 FROM stored_responses")).toHaveLength(0);
  });

  test("is maintained by one of several processes at a time, and completely", async () => {
    const before = await partitions();
    const runs = await Promise.all(
      [database, other, database, other].map((one) => maintainTables(one, RETENTION_DAYS, now)),
    );
    const dropped = runs.reduce((sum, run) => sum + run.dropped, 0);
    expect(dropped).toBe(before.length - (await partitions()).length);
    await maintainTables(database, RETENTION_DAYS, now);
    expect(await maintainTables(database, RETENTION_DAYS, now)).toEqual({
      made: 0,
      dropped: 0,
      blocked: false,
    });
  });

  test("is tried again until it is free", async () => {
    const lines: string[] = [];
    const say = (line: unknown): void => {
      lines.push(String(line));
    };
    const before = await partitions();
    let runs = 0;
    let stop = () => {};
    await whileRead("request_log", async () => {
      stop = startMaintenance({
        table: "request log",
        everyMs: DAY_MS,
        run: () => maintainTables(database, RETENTION_DAYS, now).finally(() => runs++),
        log: { warn: say, error: say } as unknown as Parameters<typeof startMaintenance>[0]["log"],
        pauseMs: 50,
      });
      await expect.poll(() => runs, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
    });
    await expect
      .poll(async () => (await partitions()).length, { timeout: 20_000 })
      .toBeLessThan(before.length - 2);
    stop();
    expect(lines).toEqual([expect.stringContaining("is in use")]);
  });
});

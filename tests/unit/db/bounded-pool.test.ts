import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { poolFailure } from "@/lib/db/database-error";
import { settingsTable } from "@/lib/db/schema/catalog";
import { endsWithin } from "@/tests/support/deadlines";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { startTcpProxy, type TcpProxy } from "@/tests/support/tcp-proxy";

const POOL = 5;
const CALLS = 500;
/** The pool's own bound is 1.3 s. */
const ABOUT_A_SECOND_MS = 2_000;
const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/** Source: docs/reliability.md#s2-10, #r-40, #r-41, #r-43. */
describe.skipIf(without !== "")(`the pool of PostgreSQL${without}`, () => {
  let proxy: TcpProxy;
  let database: Database;
  let direct: Database;
  let url: string;
  beforeEach(async () => {
    url = await createTestDatabase();
    const behind = new URL(url);
    proxy = await startTcpProxy({ host: behind.hostname, port: Number(behind.port) });
    behind.hostname = "127.0.0.1";
    behind.port = String(proxy.port);
    database = await openDatabase({ url: behind.href, dataDir: "unused", poolSize: POOL });
    direct = await openDatabase({ url, dataDir: "unused", poolSize: 1 });
  });
  afterEach(async () => {
    proxy.heal();
    await Promise.all([database.close(), direct.close()]);
    await proxy.close();
    await dropTestDatabase(url);
  });

  /** How a statement ended: its answer, what the pool said, or what the database said. */
  async function outcome(work: Promise<unknown>): Promise<string> {
    return work.then(
      () => "answered",
      (error: unknown) => poolFailure(error) ?? String(error),
    );
  }

  /** Connections of this database that do anything. */
  async function busyConnections(): Promise<number> {
    const [row] = await direct.query<{ busy: bigint }>(
      "SELECT count(*) AS busy FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()",
    );
    return Number(row?.busy);
  }

  test(`of ${POOL} connections under ${CALLS} statements and transactions at once answers some, refuses the rest, and is idle afterwards`, async () => {
    const transaction = () =>
      database.orm.transaction(async (tx) => {
        await tx.execute("SELECT 1");
        await sleep(100);
      });
    const outcomes = await Promise.all(
      Array.from({ length: CALLS }, (_, index) =>
        outcome(index % 2 === 0 ? transaction() : database.query("SELECT pg_sleep(0.1)")),
      ),
    );
    const busy = outcomes.filter((one) => one === "busy").length;
    const answered = outcomes.filter((one) => one === "answered").length;
    expect(busy).toBeGreaterThan(0);
    expect(answered).toBeGreaterThanOrEqual(POOL);
    expect(busy + answered).toBe(CALLS);
    expect(await busyConnections()).toBe(0);
    expect(await outcome(database.query("SELECT 1"))).toBe("answered");
  });

  test("replaces every connection once writes are taken again, refuses no work for that, and goes on to hear notifications", async () => {
    await direct.close();
    const observer = postgres(url, { max: 1, onnotice: () => {} });
    const backends = async (): Promise<number[]> => {
      const rows = await observer.unsafe(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      );
      return rows.map(({ pid }) => Number(pid));
    };
    const heard: string[] = [];
    await database.listen("renewed", (payload) => heard.push(payload));
    const running = Array.from({ length: POOL }, () => outcome(database.query("SELECT pg_sleep(0.3)")));
    await Promise.all(
      Array.from({ length: database.batchLanes }, (_, lane) => database.batchQuery("SELECT 1", [], lane)),
    );
    const before = new Set(await backends());
    expect(before.size).toBeGreaterThan(POOL + database.batchLanes);
    database.renewWhenWritable();
    const late = Array.from({ length: 40 }, async (_, index) => {
      await sleep(index * 25);
      return outcome(database.query("SELECT 1"));
    });
    expect(new Set(await Promise.all([...running, ...late]))).toEqual(new Set(["answered"]));
    const old = async () => (await backends()).filter((pid) => before.has(pid));
    await expect.poll(old, { timeout: 10_000 }).toEqual([]);
    await observer.end();
    await expect
      .poll(
        async () => {
          await database.notify("renewed", "yes");
          return heard.includes("yes");
        },
        { timeout: 10_000 },
      )
      .toBe(true);
  });

  test.each(["cut", "ended by the server"])(
    "a connection that is %s while a statement of a transaction runs fails that transaction only",
    async (how) => {
      const begun = database.orm.transaction(async (tx) => {
        await tx.execute("SELECT 1");
        await tx.execute("SELECT pg_sleep(1.5)");
      });
      const ended = outcome(begun);
      const sleeping =
        "SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_sleep(1.5)%' AND pid <> pg_backend_pid()";
      await expect.poll(() => direct.query(sleeping)).toHaveLength(1);
      if (how === "cut") proxy.heal();
      else await direct.query(`SELECT pg_terminate_backend(pid) FROM (${sleeping}) AS one`);
      expect(await ended).not.toBe("answered");
      await expect.poll(() => outcome(database.query("SELECT 1")), { timeout: 10_000 }).toBe("answered");
      expect(await outcome(database.orm.transaction((tx) => tx.execute("SELECT 1")))).toBe("answered");
    },
  );

  test("lets a slow statement be while the database answers others", async () => {
    const slow = outcome(database.query("SELECT pg_sleep(1.5)"));
    expect(await outcome(database.query("SELECT 1"))).toBe("answered");
    expect(await slow).toBe("answered");
  });

  test.each(["hang", "delay"] as const)(
    "gives up in about a second when the database accepts and does not answer (%s), and is back by itself",
    async (fault) => {
      if (fault === "hang") proxy.fail("hang");
      else proxy.delay(5_000);
      const asked = Promise.all(Array.from({ length: 20 }, () => outcome(database.query("SELECT 1"))));
      expect(await endsWithin(asked, ABOUT_A_SECOND_MS)).toBe(true);
      const outcomes = await asked;
      expect(new Set(outcomes.slice(0, POOL))).toEqual(new Set(["unresponsive"]));
      const again = outcome(database.orm.select().from(settingsTable));
      expect(await endsWithin(again, 100)).toBe(true);
      expect(await again).toBe("unresponsive");
      proxy.heal();
      let last = "";
      for (let tries = 0; tries < 100 && last !== "answered"; tries++) {
        await sleep(100);
        last = await outcome(database.query("SELECT 1"));
      }
      expect(last).toBe("answered");
      expect(await outcome(database.orm.transaction((tx) => tx.execute("SELECT 1")))).toBe("answered");
    },
  );
});

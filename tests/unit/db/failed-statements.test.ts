import postgres, { type Sql } from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { isAmbiguous, sqlState } from "@/lib/db/database-error";
import { settingsTable } from "@/lib/db/schema/catalog";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { startTcpProxy } from "@/tests/support/tcp-proxy";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/** Sends some hundred rows, most of which leave the server, and then runs into the statement timeout. */
const DIES_AFTER_ROWS = `SELECT i, repeat('x', 200) AS pad, CASE WHEN i = 300 THEN pg_sleep(30) END AS slept
  FROM generate_series(1, 400) i WHERE $1::int = 1`;
const ONE = "SELECT $1::int AS one";
const ROUNDS = 100;
const CALLERS = 8;

/** Source: docs/reliability.md#s2-13, docs/adr/0019-rows-after-an-error.md#decision. */
describe.skipIf(without !== "")(
  `a statement of PostgreSQL that dies after it has sent rows${without}`,
  () => {
    let url: string;
    let admin: Sql;
    let database: Database;
    beforeAll(async () => {
      url = await createTestDatabase();
      admin = postgres(url, { max: 1, onnotice: () => {} });
    });
    afterAll(async () => {
      await admin.end();
      await dropTestDatabase(url);
    });
    const open = (timeoutMs: number, poolSize: number) =>
      openDatabase({ url: `${url}?statement_timeout=${timeoutMs}`, dataDir: "unused", poolSize });
    beforeEach(async () => {
      database = await open(400, 1);
    });
    afterEach(() => database.close());

    /** The SQLSTATE of a failure, or the answer. */
    const outcome = (work: Promise<unknown>) => work.catch(sqlState);

    type Run = (text: string) => Promise<unknown>;
    const ways: [string, Run][] = [
      ["query", (text) => database.query(text, [1])],
      ["query without parameters", (text) => database.query(text.replace("$1", "1"))],
      ["drizzle", (text) => database.orm.execute(text.replace("$1", "1"))],
      ["the connection of a batch", (text) => database.batchQuery(text, [1])],
      ["a transaction", (text) => database.orm.transaction((tx) => tx.execute(text.replace("$1", "1")))],
      [
        "a savepoint",
        (text) =>
          database.orm.transaction((tx) => tx.transaction((inner) => inner.execute(text.replace("$1", "1")))),
      ],
    ];

    test.each(ways)("leaves the next result of %s whole", async (_way, run) => {
      for (let round = 0; round < 3; round++) {
        expect(await outcome(run(DIES_AFTER_ROWS))).toBe("57014");
        expect(await run(ONE)).toEqual([{ one: 1 }]);
      }
    });

    test("leaves the next result in a session whole, and the one after a savepoint", async () => {
      await database.session(async (session) => {
        await session.query("SET statement_timeout = 400");
        expect(await outcome(session.query(DIES_AFTER_ROWS, [1]))).toBe("57014");
        expect(await session.query(ONE, [1])).toEqual([{ one: 1 }]);
        await session.orm.transaction(async (tx) => {
          const inner = tx.transaction((savepoint) => savepoint.execute(DIES_AFTER_ROWS.replace("$1", "1")));
          expect(await outcome(inner)).toBe("57014");
          expect(await tx.execute(ONE.replace("$1", "1"))).toEqual([{ one: 1 }]);
        });
      });
    });

    test("makes the result of a statement that was sent with it an error, and never no row", async () => {
      await database.batchQuery(ONE, [1]);
      await database.batchQuery("SELECT 1 AS sent", []);
      const dies = database.batchQuery(DIES_AFTER_ROWS.replace("$1", "1"), []);
      const sentWithIt = database.batchQuery<{ sent: number }>("SELECT 1 AS sent", []);
      const [died, answered] = await Promise.allSettled([dies, sentWithIt]);
      expect(died.status).toBe("rejected");
      if (answered.status === "fulfilled") expect(answered.value).toEqual([{ sent: 1 }]);
      else expect(isAmbiguous(answered.reason)).toBe(true);
      expect(await database.batchQuery(ONE, [1])).toEqual([{ one: 1 }]);
    });

    test(`leaves the results of ${CALLERS} callers whole through ${ROUNDS} rounds`, async () => {
      const shared = await open(60, 4);
      const seen = new Map<string, number>();
      const call = async (caller: number) => {
        for (let round = 0; round < ROUNDS; round++) {
          if ((round + caller) % CALLERS === 0) await outcome(shared.query(DIES_AFTER_ROWS, [1]));
          const answer = await shared
            .query(ONE, [round])
            .catch((error: unknown) => sqlState(error) ?? String(error));
          const text =
            JSON.stringify(answer) === JSON.stringify([{ one: round }]) ? "whole" : JSON.stringify(answer);
          seen.set(text, (seen.get(text) ?? 0) + 1);
        }
      };
      try {
        await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
      } finally {
        await shared.close();
      }
      const timedOut = seen.get('"57014"') ?? 0; // possible on a slow machine, and no wrong answer
      expect([...seen.keys()].filter((text) => text !== '"57014"')).toEqual(["whole"]);
      expect((seen.get("whole") ?? 0) + timedOut).toBe(CALLERS * ROUNDS);
    }, 60_000);

    /** Ends the other connections of this database that wait inside a transaction, and waits until they are gone. */
    async function endTransactions(): Promise<void> {
      for (;;) {
        const found = await admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`;
        if (found.length === 0) return;
      }
    }

    test("a transaction whose connection ends does nothing outside of it on the next connection", async () => {
      const name = "after the cut";
      const work = database.orm.transaction(async (tx) => {
        await tx.execute("SELECT 1");
        await endTransactions();
        const insert = () => tx.insert(settingsTable).values({ name, value: "1" });
        await Promise.allSettled([insert(), insert()]);
      });
      await expect(work).rejects.toThrow();
      expect(await database.query("SELECT 1 FROM settings WHERE name = $1", [name])).toEqual([]);
    });

    test("a connection that is cut between rows gives the next statement whole rows", async () => {
      const behind = new URL(url);
      const proxy = await startTcpProxy({ host: behind.hostname, port: Number(behind.port) });
      const cut = await openDatabase({
        url: `postgres://tollgate@127.0.0.1:${proxy.port}${behind.pathname}`,
        dataDir: "unused",
        poolSize: 1,
      });
      try {
        const half = outcome(cut.query(DIES_AFTER_ROWS, [1]));
        const sleeping = () => admin`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event = 'PgSleep'`;
        while ((await sleeping()).length === 0);
        proxy.heal();
        expect(await half).toBeNull();
        expect(await cut.query(ONE, [1])).toEqual([{ one: 1 }]);
      } finally {
        await cut.close();
        await proxy.close();
      }
    });
  },
);

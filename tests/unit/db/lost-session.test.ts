import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "@/lib/db/client";
import type { Database, Session } from "@/lib/db/database";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";
const LOST = { code: "08006", name: "SessionLostError" };

/** Source: docs/reliability.md#s2-13. */
describe.skipIf(without !== "")(`a session whose connection was lost${without}`, () => {
  let url: string;
  let database: Database;
  beforeAll(async () => {
    url = await createTestDatabase();
    database = await openDatabase({ url, dataDir: "unused" });
  });
  afterAll(async () => {
    await database.close();
    await dropTestDatabase(url);
  });

  /** Ends the session's connection and waits until the server has forgotten it. */
  async function endConnectionOf(pid: number): Promise<void> {
    await database.query("SELECT pg_terminate_backend($1)", [pid]);
    const left = () => database.query("SELECT pid FROM pg_stat_activity WHERE pid = $1", [pid]);
    await expect.poll(left).toEqual([]);
  }

  const pidOf = async (session: Session): Promise<number> => {
    const [row] = await session.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    return Number(row?.pid);
  };

  test("runs no statement and no transaction more after one that failed with the connection", async () => {
    await database.session(async (session) => {
      await session.query("SELECT pg_advisory_lock(4711)");
      await endConnectionOf(await pidOf(session));
      await session.query("SELECT 1").catch(() => {}); // the connection's own end
      await expect(session.query("SELECT 1")).rejects.toMatchObject(LOST);
      await expect(session.orm.transaction(async () => "done")).rejects.toMatchObject(LOST);
      await expect(session.query("SELECT 1")).rejects.toMatchObject(LOST);
    });
  });

  test("runs none of the statements that were given together with one that ends the connection", async () => {
    await database.session(async (session) => {
      const own = await pidOf(session);
      const together = [
        session.query("SELECT pg_terminate_backend($1)", [own]),
        session.query("SELECT $1::int", [1]),
        session.query("SELECT $1::int", [2]),
      ];
      const outcomes = await Promise.allSettled(together);
      expect(outcomes.slice(1).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    });
  });

  test("leaves the next session whole", async () => {
    expect(await database.session((session) => session.query("SELECT 1 AS one"))).toEqual([{ one: 1 }]);
  });
});

import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, postgresServer } from "@/tests/support/postgres";
import { discardServer, startServer, type TestServer, type TestUser } from "@/tests/support/server";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";
const TIMEOUT_MS = 400;
const ROUNDS = 100;
const CALLERS = 8;

/** Source: docs/reliability.md#s2-13. */
describe.skipIf(without !== "")(`a server whose statements are ended between their rows${without}`, () => {
  let target: TestServer;
  let admin: Sql;
  const users: TestUser[] = [];
  beforeAll(async () => {
    const url = await createTestDatabase();
    admin = postgres(url, { max: 1, onnotice: () => {} });
    target = await startServer({
      env: { DATABASE_URL: `${url}?statement_timeout=${TIMEOUT_MS}`, DEMO_PROVIDER: "1", LOG_LEVEL: "error" },
    });
    for (let caller = 0; caller < CALLERS; caller++) users.push(await target.user());
  });
  afterAll(async () => {
    await admin.end();
    await discardServer(target);
  });

  /** While it stands, every load of the configuration sends rows of nodes, is counted, and then runs into the timeout. */
  async function endLoads(): Promise<void> {
    await admin.unsafe(`BEGIN; CREATE SEQUENCE ended_loads; ALTER TABLE nodes RENAME TO nodes_kept;
      CREATE VIEW nodes AS SELECT n.* FROM nodes_kept n, generate_series(1, 2000) g
        WHERE g < 1500 OR (g = 1500 AND nextval('ended_loads') IS NOT NULL AND pg_sleep(30) IS NOT NULL); COMMIT`);
  }

  test(`knows every key and its models through ${ROUNDS} of them among ${CALLERS} callers, and loads the configuration afterwards`, async () => {
    await endLoads();
    const rounds = async () => {
      const [row] = await admin`SELECT last_value FROM ended_loads`;
      return Number(row?.last_value);
    };
    const seen = new Map<string, number>();
    const call = async (user: TestUser) => {
      while ((await rounds()) < ROUNDS) {
        await admin`SELECT pg_notify('tollgate_config', ''), pg_notify('tollgate_keys', 'all')`;
        const answer = await target.gateway("/v1/models", user.key);
        const body = await answer.text();
        const what =
          answer.status === 200 && !body.includes('"id"') ? "200 without models" : `${answer.status}`;
        seen.set(what, (seen.get(what) ?? 0) + 1);
      }
    };
    await Promise.all(users.map(call));
    await admin.unsafe("BEGIN; DROP VIEW nodes; ALTER TABLE nodes_kept RENAME TO nodes; COMMIT");
    // A machine with much to do may make a look-up late; it never makes a key unknown.
    expect([...seen.keys()].filter((what) => !["200", "500", "503"].includes(what))).toEqual([]);
    expect(seen.get("200") ?? 0).toBeGreaterThan(CALLERS);
    const token = await target.adminToken();
    const nodes = await target.api<{ items: { id: string }[] }>("GET", "/api/admin/nodes", token);
    expect(nodes.status).toBe(200);
    expect((await target.gateway("/v1/models", users[0]?.key ?? "")).status).toBe(200);
  }, 300_000);
});

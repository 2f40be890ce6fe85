import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, eventually, gatewayFor, reconcile } from "../support/gateway-fixtures";
import { postgresServer } from "../support/postgres";
import { TestServer, type TestUser } from "../support/server";
import { sharedSecrets } from "../support/shared-secrets";
import { startTcpProxy } from "../support/tcp-proxy";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

const LIMIT = 777;
const CALLS = 2_000;
const KEYS = 8;
const BACK_MS = 200;

/** Source: docs/budgets.md#batch. */
describe.skipIf(without !== "")(`rules by period on three processes${without}`, () => {
  const gateway = gatewayFor({
    database: "postgres",
    env: sharedSecrets(),
    models: [{ alias: "quick", routes: [["chat", "sim-usage-1-2"]] }],
  });
  let sql: postgres.Sql;
  let replicas: TestServer[];
  beforeAll(async () => {
    const { env } = gateway.server;
    sql = postgres(env.DATABASE_URL ?? "", { max: 2, onnotice: () => {} });
    const others = [new TestServer({ ...env }), new TestServer({ ...env })];
    await Promise.all(others.map((other) => other.start()));
    replicas = [gateway.server, ...others];
  });
  afterAll(async () => {
    for (const replica of replicas.slice(1)) await replica.stop("SIGKILL");
    await sql.end();
  });

  async function statusOn(replica: TestServer, user: TestUser): Promise<number> {
    const answer = await replica.gateway("/v1/chat/completions", user.key, chatBody("quick"));
    await answer.arrayBuffer();
    return answer.status;
  }

  /** A rule of requests that no process is told about but by its row. */
  async function makeRule(scope: "account" | "key", user: TestUser, limit: number): Promise<string> {
    const [row] = await sql<{ id: string }[]>`INSERT INTO budgets
      (name, scope, user_id, key_id, unit, period, time_zone, limit_amount, mode)
      SELECT 'shared', ${scope}, CASE ${scope} WHEN 'account' THEN user_id END, CASE ${scope} WHEN 'key' THEN id END,
        'requests', 'month', 'Asia/Shanghai', ${limit}, 'hard' FROM api_keys WHERE id = ${user.keyId} RETURNING id`;
    return row?.id ?? "";
  }

  const windowsOf = (rule: string) =>
    sql<{ used: number; held: number }[]>`
      SELECT used::int, held::int FROM budget_windows WHERE budget_id = ${rule}`;

  /** The most that was seen used and held while `work` ran, and how often it was looked at. */
  async function watching(rule: string, work: Promise<unknown>): Promise<{ most: number; samples: number }> {
    let running = true;
    const ended = work.finally(() => {
      running = false;
    });
    const seen = { most: 0, samples: 0 };
    while (running) {
      const [window] = await windowsOf(rule);
      seen.most = Math.max(seen.most, (window?.used ?? 0) + (window?.held ?? 0));
      seen.samples += 1;
    }
    await ended;
    return seen;
  }

  test(`of ${CALLS} calls at once over ${KEYS} keys a hard rule of ${LIMIT} requests lets exactly ${LIMIT} pass`, async () => {
    const account = await gateway.server.user();
    const keys = [account];
    while (keys.length < KEYS) keys.push(await gateway.server.key(account));
    const rule = await makeRule("account", account, LIMIT);
    // A new rule is in force once every process refuses by it.
    await sql`UPDATE budgets SET limit_amount = 0 WHERE id = ${rule}`;
    for (const replica of replicas)
      for (const key of keys)
        await eventually(async () => ((await statusOn(replica, key)) === 402 ? true : null));
    await sql`UPDATE budgets SET limit_amount = ${LIMIT} WHERE id = ${rule}`;

    const counts: Record<number, number> = {};
    const call = async (turn: number): Promise<void> => {
      const [replica, user] = [replicas[turn % 3], keys[turn % KEYS]];
      if (replica === undefined || user === undefined) throw new Error("nobody calls");
      let status = await statusOn(replica, user);
      // A crowd is shed in part, which is not billed; who was told so comes back a moment later.
      for (; status === 503; status = await statusOn(replica, user)) await sleep(BACK_MS);
      counts[status] = (counts[status] ?? 0) + 1;
    };
    const calls = Promise.all(Array.from({ length: CALLS }, (_, turn) => call(turn)));
    const { most, samples } = await watching(rule, calls);

    expect(counts).toEqual({ 200: LIMIT, 402: CALLS - LIMIT });
    expect(most).toBe(LIMIT);
    expect(samples).toBeGreaterThan(10);
    expect(await windowsOf(rule)).toEqual([{ used: LIMIT, held: 0 }]);
    expect(await reconcile(gateway.server)).toMatchObject({ ok: true, openHolds: 0, mismatches: [] });
  });

  test("a rule that is made on one is in force on the others, and a changed limit holds for the next call on each", async () => {
    const user = await gateway.key();
    for (const replica of replicas) expect(await statusOn(replica, user)).toBe(200);
    const rule = await makeRule("key", user, 0);
    for (const replica of replicas)
      await eventually(async () => ((await statusOn(replica, user)) === 402 ? true : null));
    for (const limit of [100, 0, 100]) {
      await sql`UPDATE budgets SET limit_amount = ${limit} WHERE id = ${rule}`;
      const status = limit === 0 ? 402 : 200;
      expect(await Promise.all(replicas.map((replica) => statusOn(replica, user)))).toEqual(
        replicas.map(() => status),
      );
    }
  });

  /** Source: docs/reliability.md#s3-2. */
  test("a process that hears of no change refuses by a new rule all the same, once its record of the key is five seconds old", async () => {
    const { env } = gateway.server;
    const url = new URL(env.DATABASE_URL ?? "");
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    const deaf = await new TestServer({ ...env, DATABASE_URL: url.href }).start();
    try {
      const user = await gateway.key();
      expect(await statusOn(deaf, user)).toBe(200);
      proxy.fail("deaf");
      await makeRule("key", user, 0);
      await eventually(async () => ((await statusOn(deaf, user)) === 402 ? true : null), 8_000);
      expect(proxy.withheld).toContain(`key:${user.keyId}`);
    } finally {
      await deaf.stop("SIGKILL");
      await proxy.close();
    }
  });
});

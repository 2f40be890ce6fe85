import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, eventually, gatewayFor, keyMoney, reconcile } from "../support/gateway-fixtures";
import { zoneWithMidnightAt } from "../support/midnight";
import { postgresServer } from "../support/postgres";
import type { TestUser } from "../support/server";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/** Source: docs/budgets.md#windows. */
describe.skipIf(without !== "")(`periods of rules${without}`, () => {
  const gateway = gatewayFor({
    database: "postgres",
    models: [
      { alias: "quick", routes: [["chat", "sim-usage-1-2"]] },
      { alias: "long", routes: [["chat", "sim-first-4000ms+usage-1-2"]] },
    ],
  });
  let sql: postgres.Sql;
  beforeAll(() => {
    sql = postgres(gateway.server.env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
  });
  afterAll(() => sql.end());

  async function makeRule(user: TestUser, limit: number, timeZone = "Asia/Shanghai"): Promise<string> {
    const [row] = await sql<{ id: string }[]>`INSERT INTO budgets
      (name, scope, key_id, unit, period, time_zone, limit_amount, mode)
      VALUES ('daily', 'key', ${user.keyId}, 'requests', 'day', ${timeZone}, ${limit}, 'hard') RETURNING id`;
    return row?.id ?? "";
  }

  const windowsOf = (rule: string) => sql<{ used: number; held: number }[]>`
    SELECT used::int, held::int FROM budget_windows WHERE budget_id = ${rule} ORDER BY ends_at`;

  async function statusOf(user: TestUser, model = "quick"): Promise<number> {
    const answer = await gateway.server.gateway("/v1/chat/completions", user.key, chatBody(model));
    await answer.arrayBuffer();
    return answer.status;
  }

  const untilEnded = (rule: string) =>
    eventually(async () => {
      const open = await sql`SELECT 1 FROM budget_windows WHERE budget_id = ${rule} AND ends_at > now()`;
      return open.length === 0 ? true : null;
    });

  test("a key that was refused, and asks nothing meanwhile, passes with its first call of the next period", async () => {
    const user = await gateway.key();
    const rule = await makeRule(user, 1);
    expect([await statusOf(user), await statusOf(user)]).toEqual([200, 402]);
    await sql`UPDATE budget_windows SET ends_at = now() + interval '1 second' WHERE budget_id = ${rule}`;
    expect(await statusOf(user)).toBe(402);
    await untilEnded(rule);
    expect([await statusOf(user), await statusOf(user)]).toEqual([200, 402]);
    expect(await windowsOf(rule)).toEqual([
      { used: 1, held: 0 },
      { used: 1, held: 0 },
    ]);
  });

  test("a rule that an old key gets counts nothing of what the key has used in its life, nor does a later period", async () => {
    const user = await gateway.key();
    for (let call = 0; call < 5; call += 1) expect(await statusOf(user)).toBe(200);
    const { usedQuota } = await keyMoney(gateway.server, user);
    expect(usedQuota).toBeGreaterThan(0);
    const rule = await makeRule(user, 2);
    await eventually(async () => {
      expect(await statusOf(user)).toBe(200);
      return (await windowsOf(rule)).length > 0 ? true : null;
    });
    const [first] = await windowsOf(rule);
    expect(first).toEqual({ used: 1, held: 0 });
    expect([await statusOf(user), await statusOf(user)]).toEqual([200, 402]);
    await sql`UPDATE budget_windows SET ends_at = now() WHERE budget_id = ${rule}`;
    expect([await statusOf(user), await statusOf(user), await statusOf(user)]).toEqual([200, 200, 402]);
    expect((await windowsOf(rule)).map(({ used }) => used)).toEqual([2, 2]);
  });

  test("a call that began before midnight and ends after it is charged to the old day, and nothing to the new one", async () => {
    const user = await gateway.key();
    const midnight = 1_000 * Math.ceil(Date.now() / 1_000 + 1);
    const rule = await makeRule(user, 10, zoneWithMidnightAt(midnight));
    const running = statusOf(user, "long");
    await eventually(async () => ((await windowsOf(rule))[0]?.held === 1 ? true : null));
    await untilEnded(rule);
    expect(await statusOf(user)).toBe(200);
    expect(await windowsOf(rule)).toEqual([
      { used: 0, held: 1 },
      { used: 1, held: 0 },
    ]);
    expect(await running).toBe(200);
    expect(await windowsOf(rule)).toEqual([
      { used: 1, held: 0 },
      { used: 1, held: 0 },
    ]);
  });

  test("leave nothing that does not add up", async () => {
    expect(await reconcile(gateway.server)).toMatchObject({ ok: true, openHolds: 0, mismatches: [] });
  });
});

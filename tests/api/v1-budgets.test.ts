import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  chatBody,
  eventually,
  gatewayFor,
  keyMoney,
  logEntry,
  reconcile,
  requestIdOf,
} from "../support/gateway-fixtures";
import { postgresServer } from "../support/postgres";
import type { TestUser } from "../support/server";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/** One cent a token of output, nothing else: a request holds `max_tokens` cents, and costs two. */
const CENT_A_TOKEN = { input: 0, output: 1_000_000 };
const CENT = 1_000_000n;

const paths = { chat: "/v1/chat/completions", messages: "/v1/messages", responses: "/v1/responses" } as const;
type Path = keyof typeof paths;

/** Source: docs/budgets.md#rule. */
describe.skipIf(without !== "")(`rules by period${without}`, () => {
  const gateway = gatewayFor({
    database: "postgres",
    models: [
      { alias: "two-cents", routes: [["chat", "sim-usage-1-2"]], prices: CENT_A_TOKEN },
      { alias: "slow", routes: [["chat", "sim-first-2000ms+usage-1-2"]], prices: CENT_A_TOKEN },
      { alias: "broken", routes: [["chat", "sim-500"]], prices: CENT_A_TOKEN },
    ],
  });
  let sql: postgres.Sql;
  beforeAll(() => {
    sql = postgres(gateway.server.env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
  });
  afterAll(() => sql.end());

  interface Rule {
    limit: bigint;
    unit?: string;
    mode?: string;
    period?: string;
    models?: string[] | null;
  }

  async function makeRule(user: TestUser, rule: Rule): Promise<string> {
    const { limit, unit = "money", mode = "stop", period = "month", models = null } = rule;
    const [row] = await sql<{ id: string }[]>`INSERT INTO budgets
      (name, scope, key_id, models, unit, period, time_zone, limit_amount, mode)
      VALUES ('November', 'key', ${user.keyId}, ${models}, ${unit}, ${period}, 'Asia/Shanghai', ${limit.toString()}, ${mode})
      RETURNING id`;
    return row?.id ?? "";
  }

  async function windowOf(rule: string) {
    const [row] = await sql`SELECT used::text, held::text FROM budget_windows WHERE budget_id = ${rule}`;
    return row;
  }

  function bodyOf(path: Path, model: string, fields = {}) {
    const { messages, max_tokens: limit, ...rest } = chatBody(model, { max_tokens: 5, ...fields });
    if (path !== "responses") return { messages, max_tokens: limit, ...rest };
    return { ...rest, input: messages, max_output_tokens: limit, store: false };
  }

  const call = (user: TestUser, model = "two-cents", path: Path = "chat", fields = {}) =>
    gateway.server.gateway(paths[path], user.key, bodyOf(path, model, fields));

  test("count what requests cost, refuse at the limit, and take a changed limit at once", async () => {
    const user = await gateway.key();
    const rule = await makeRule(user, { limit: 3n * CENT });
    for (const status of [200, 200]) expect((await call(user)).status).toBe(status);
    expect(await windowOf(rule)).toEqual({ used: String(4n * CENT), held: "0" });
    expect((await call(user)).status).toBe(402);
    await sql`UPDATE budgets SET limit_amount = ${(9n * CENT).toString()} WHERE id = ${rule}`;
    expect((await call(user)).status).toBe(200);
    await sql`UPDATE budgets SET enabled = false WHERE id = ${rule}`;
    await eventually(async () => ((await call(user)).status === 200 ? true : null));
    expect(await reconcile(gateway.server)).toMatchObject({ ok: true, mismatches: [] });
  });

  test("of other models count nothing, and failures count nothing", async () => {
    const user = await gateway.key();
    const [other, requests] = [
      await makeRule(user, { limit: 0n, models: ["slow"] }),
      await makeRule(user, { limit: 1n, unit: "requests", mode: "hard" }),
    ];
    expect((await call(user, "broken")).status).toBe(502);
    expect(await windowOf(requests)).toEqual({ used: "0", held: "0" });
    expect((await call(user)).status).toBe(200);
    expect((await call(user)).status).toBe(402);
    expect(await windowOf(other)).toBeUndefined();
    expect(await windowOf(requests)).toEqual({ used: "1", held: "0" });
  });

  test.each(["chat", "messages", "responses"] as const)(
    "are told on the path of %s, with what is used and when it starts again",
    async (path) => {
      const user = await gateway.key();
      const id = await makeRule(user, { limit: 0n });
      const answer = await call(user, "two-cents", path);
      expect(answer.status).toBe(path === "responses" ? 429 : 402);
      const { error } = await answer.json();
      expect(error.type).toBe(path === "messages" ? "billing_error" : "insufficient_quota");
      expect(error.message).toMatch(
        /^The budget "November" of this key allows ¥0.00 a month; ¥0.00 are used. It starts again on 1 /,
      );
      expect(error.details).toMatchObject({ error_code: "QUOTA_EXCEEDED" });
      expect(error.details.budget).toMatchObject({
        id,
        scope: "key",
        unit: "money",
        limit: "0",
        used: "0",
        held: "0",
        needed: "5",
      });
      expect(error.details.budget.resetsAt).toMatch(/-01T00:00:00\+08:00$/);
      expect(answer.headers.get("x-should-retry")).toBe("false");
      expect(answer.headers.get("x-tollgate-budget-reset")).toBe(error.details.budget.resetsAt);
      const entry = await logEntry(gateway.server, user, requestIdOf(answer));
      expect(entry).toMatchObject({
        errorCode: "QUOTA_EXCEEDED",
        cost: "0",
        budget: { id, name: "November", scope: "key", unit: "money", period: "month" },
      });
      expect(JSON.stringify(entry)).not.toContain(`budget.${id}`);
      expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 0, held: 0 });
    },
  );

  test("that only running requests fill say to come back soon", async () => {
    const user = await gateway.key();
    const rule = await makeRule(user, { limit: 6n * CENT, mode: "hard" });
    const running = call(user, "slow");
    await eventually(async () => ((await windowOf(rule))?.held === String(5n * CENT) ? true : null));
    const refused = await call(user);
    expect([
      refused.status,
      refused.headers.get("retry-after"),
      refused.headers.get("x-should-retry"),
    ]).toEqual([402, "2", "true"]);
    const soon = await call(user, "two-cents", "responses");
    expect((await soon.json()).error).toMatchObject({ code: "rate_limit_exceeded" });
    expect((await running).status).toBe(200);
    expect((await call(user, "two-cents", "chat", { max_tokens: 4 })).status).toBe(200);
  });

  test("that stop say to come back soon while a last request would pass once nothing runs", async () => {
    const user = await gateway.key();
    const rule = await makeRule(user, { limit: 6n * CENT });
    expect((await call(user)).status).toBe(200);
    const running = call(user, "slow");
    await eventually(async () => ((await windowOf(rule))?.held === String(5n * CENT) ? true : null));
    const refused = await call(user);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([402, "2"]);
    expect((await running).status).toBe(200);
    expect((await call(user)).status).toBe(200);
  });

  test("of 20 calls at once on a hard rule of three requests three are answered", async () => {
    const user = await gateway.key();
    const rule = await makeRule(user, { limit: 3n, unit: "requests", mode: "hard" });
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await call(user)).status));
    expect(statuses.sort()).toEqual([200, 200, 200, ...Array(17).fill(402)]);
    expect(await windowOf(rule)).toEqual({ used: "3", held: "0" });
  });

  test("that stop count running requests with what the key's requests use, not with the most", async () => {
    const user = await gateway.key();
    const rule = await makeRule(user, { limit: 100n * CENT });
    // Each holds 40 cents and costs two: after eight the next ones are expected to cost as little.
    for (let n = 0; n < 8; n += 1)
      expect((await call(user, "two-cents", "chat", { max_tokens: 40 })).status).toBe(200);
    const at = await Promise.all(
      Array.from({ length: 10 }, () => call(user, "slow", "chat", { max_tokens: 40 })),
    );
    expect(at.map(({ status }) => status).filter((status) => status === 200).length).toBeGreaterThanOrEqual(
      2,
    );
    const quick = await Promise.all(
      Array.from({ length: 20 }, () => call(user, "two-cents", "chat", { max_tokens: 40 })),
    );
    expect(quick.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const window = await windowOf(rule);
    expect(window?.held).toBe("0");
  });

  test("leave nothing that does not add up", async () => {
    expect(await reconcile(gateway.server)).toMatchObject({ ok: true, openHolds: 0 });
  });
});

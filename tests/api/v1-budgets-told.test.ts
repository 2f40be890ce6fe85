import { describe, expect, test } from "vitest";
import { chatBody, gatewayFor } from "../support/gateway-fixtures";
import { postgresServer } from "../support/postgres";
import { rulesOf } from "../support/rules-by-sql";
import type { TestUser } from "../support/server";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/** One cent a token of output, nothing else: a request holds its limit in cents, and costs two. */
const CENT_A_TOKEN = { input: 0, output: 1_000_000 };
const CENT = 1_000_000n;

/** Source: docs/budgets.md#told. */
describe.skipIf(without !== "")(`rules are told${without}`, () => {
  const gateway = gatewayFor({
    database: "postgres",
    models: [
      { alias: "two-cents", routes: [["chat", "sim-usage-1-2"]], prices: CENT_A_TOKEN },
      { alias: "other", routes: [["chat", "sim-usage-1-2"]], prices: CENT_A_TOKEN },
      {
        alias: "thinks",
        profile: { effortLevels: ["low"] },
        maxOutputTokens: 60_000,
        routes: [["chat", "sim-usage-1-2"]],
        prices: { input: 0, output: 10_000 },
      },
    ],
  });
  const rules = rulesOf(gateway);

  const call = (user: TestUser, headers: Record<string, string> = {}) =>
    gateway.server.gateway(
      "/v1/chat/completions",
      user.key,
      chatBody("two-cents", { max_tokens: 5 }),
      headers,
    );

  async function respond(user: TestUser): Promise<Headers> {
    const body = { model: "two-cents", input: "Hi", max_output_tokens: 5, store: false };
    const answer = await gateway.server.gateway("/v1/responses", user.key, body);
    expect(answer.status).toBe(200);
    await answer.text();
    return answer.headers;
  }

  const codexHeaders = (headers: Headers) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith("x-codex-")));

  async function usageOf(user: TestUser) {
    const answer = await gateway.server.gateway("/v1/usage", user.key);
    expect(answer.status).toBe(200);
    return answer.json();
  }

  async function endOf(rule: string): Promise<number> {
    const [row] = await rules.sql<
      { ends: Date }[]
    >`SELECT ends_at AS ends FROM budget_windows WHERE budget_id = ${rule}`;
    return (row?.ends.getTime() ?? 0) / 1_000;
  }

  test("by GET /v1/usage and the limits of the key, as the windows have them, before the first request too", async () => {
    const user = await gateway.key();
    expect((await usageOf(user)).budgets).toEqual([]);
    const month = await rules.make({ of: user.keyId, limit: 9n * CENT, name: "Month" });
    await rules.make({
      of: user.keyId,
      limit: 50n,
      unit: "tokens",
      mode: "warn",
      period: "total",
      models: ["two-cents"],
    });
    const before = (await usageOf(user)).budgets;
    expect(before).toHaveLength(2);
    expect(before).toContainEqual({
      name: "Month",
      scope: "key",
      unit: "money",
      period: "month",
      mode: "stop",
      models: null,
      limit: 9,
      used: 0,
      held: 0,
      remaining: 9,
      resetsAt: expect.stringMatching(/-01T00:00:00\+08:00$/),
    });
    expect((await call(user)).status).toBe(200);
    const after = await usageOf(user);
    expect(after.remaining).toBe(7);
    expect(after.budgets).toContainEqual(
      expect.objectContaining({ name: "Month", used: 2, held: 0, remaining: 7 }),
    );
    expect(after.budgets).toContainEqual(
      expect.objectContaining({
        unit: "tokens",
        models: ["two-cents"],
        used: 3,
        remaining: 47,
        resetsAt: null,
      }),
    );
    expect(await rules.windows(month)).toEqual([expect.objectContaining({ used: String(2n * CENT) })]);
    const limits = await gateway.server.api("GET", `/api/user/tokens/${user.keyId}/limits`, user.token);
    expect(limits.body).toMatchObject({ budgets: after.budgets });
  });

  test("that count all accounts together by limit and reset only, and what is left does not give them away", async () => {
    const [ada, ben] = [await gateway.server.user(), await gateway.server.user()];
    const rule = await rules.make({ scope: "platform", limit: 100n * CENT, name: "All" });
    const untouched = (await usageOf(ben)).remaining;
    expect((await call(ada)).status).toBe(200);
    const { budgets, remaining } = await usageOf(ben);
    expect(budgets).toEqual([
      {
        name: "All",
        scope: "platform",
        unit: "money",
        period: "month",
        mode: "stop",
        models: null,
        limit: 100,
        resetsAt: expect.any(String),
      },
    ]);
    expect(remaining).toBe(untouched);
    expect(codexHeaders(await respond(ben))).toMatchObject({ "x-codex-primary-window-minutes": "525600" });
    const explained = await (await call(ben, { "x-tollgate-explain": "1" })).json();
    expect(explained.budgets).toEqual([{ ...budgets[0], needed: 5, expected: expect.any(Number) }]);
    await rules.end(rule);
  });

  test("to Codex: the fullest as primary, the next with another period as secondary", async () => {
    const user = await gateway.key();
    expect(codexHeaders(await respond(user))).toEqual({
      "x-codex-primary-used-percent": "0",
      "x-codex-primary-window-minutes": "525600",
    });
    const [day, , month] = [
      await rules.make({ of: user.keyId, limit: 16n * CENT, period: "day" }),
      await rules.make({ of: user.keyId, limit: 100n * CENT, period: "day", mode: "hard" }),
      await rules.make({ of: user.keyId, limit: 300n, unit: "tokens" }),
      await rules.make({ of: user.keyId, limit: 10n * CENT, period: "total" }),
      await rules.make({ of: user.keyId, limit: 1n, unit: "requests", period: "week", mode: "warn" }),
    ];
    await respond(user);
    expect(codexHeaders(await respond(user))).toEqual({
      "x-codex-primary-used-percent": "12.5",
      "x-codex-primary-window-minutes": "1440",
      "x-codex-primary-reset-at": String(await endOf(day)),
      "x-codex-secondary-used-percent": "1",
      "x-codex-secondary-window-minutes": "43200",
      "x-codex-secondary-reset-at": String(await endOf(month)),
    });
  });

  test("by explain, those that the model meets, with what the request would reserve and is expected to use", async () => {
    const user = await gateway.key();
    await rules.make({ of: user.keyId, limit: 9n * CENT, name: "Money" });
    await rules.make({ of: user.keyId, limit: 9n, unit: "requests", mode: "hard", name: "Requests" });
    await rules.make({ of: user.keyId, limit: 9n, models: ["other"] });
    const { budgets } = await (await call(user, { "x-tollgate-explain": "1" })).json();
    expect(budgets).toHaveLength(2);
    expect(budgets).toContainEqual(
      expect.objectContaining({ name: "Money", needed: 5, remaining: 9, resetsAt: expect.any(String) }),
    );
    expect(budgets).toContainEqual(
      expect.objectContaining({ name: "Requests", needed: 1, expected: 1, remaining: 9 }),
    );
  });

  /** Source: docs/contract.md#b8. */
  test("a request without an output limit gets one that fits into the room of a hard rule", async () => {
    const user = await gateway.key();
    // A hundredth of a cent a token: a quarter of 200 cents pays for 5,000.
    const rule = await rules.make({ of: user.keyId, limit: 200n * CENT, mode: "hard" });
    const body = { model: "thinks", messages: [{ role: "user", content: "Hello" }] };
    const asked = async () => {
      const answer = await gateway.server.gateway("/v1/chat/completions", user.key, body);
      expect(answer.status).toBe(200);
      return answer.headers.get("x-tollgate-warnings");
    };
    expect(await asked()).toContain("added:max_tokens:5000");
    await rules.sql`UPDATE budgets SET limit_amount = 1000000000, mode = 'stop' WHERE id = ${rule}`;
    expect(await asked()).toContain("added:max_tokens:32768");
  });
});

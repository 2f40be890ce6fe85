import { describe, expect, test } from "vitest";
import { chatBody, gatewayFor, reconcile } from "../support/gateway-fixtures";
import { postgresServer } from "../support/postgres";
import { rulesOf } from "../support/rules-by-sql";
import type { TestUser } from "../support/server";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/** One cent a token of output, nothing else: a request holds `max_tokens` cents, and costs two. */
const CENT_A_TOKEN = { input: 0, output: 1_000_000 };
const CENT = 1_000_000n;

/** Source: docs/budgets.md#scopes, #refusal. */
describe.skipIf(without !== "")(`rules of platform, plans, accounts and projects${without}`, () => {
  const gateway = gatewayFor({
    database: "postgres",
    models: [{ alias: "two-cents", routes: [["chat", "sim-usage-1-2"]], prices: CENT_A_TOKEN }],
  });
  const rules = rulesOf(gateway);

  const call = (user: TestUser) =>
    gateway.server.gateway("/v1/chat/completions", user.key, chatBody("two-cents", { max_tokens: 5 }));

  async function refusalOf(user: TestUser) {
    const answer = await call(user);
    expect(answer.status).toBe(402);
    return (await answer.json()).error;
  }

  async function account(): Promise<TestUser> {
    return gateway.server.user();
  }

  test("with one counter for all, what one account uses is refused to another, which is not told of it", async () => {
    const [ada, ben] = [await account(), await account()];
    const rule = await rules.make({ scope: "platform", limit: 2n * CENT, name: "All" });
    expect((await call(ada)).status).toBe(200);
    const { message, details } = await refusalOf(ben);
    expect(message).toMatch(
      /^The budget "All" of this gateway allows ¥0.02 a month, which does not cover this request now. It starts again on 1 .*; ask those who run the gateway for more\.$/,
    );
    expect(details.budget).toMatchObject({ scope: "platform", limit: "2" });
    expect(details.budget).not.toHaveProperty("used");
    expect(details.budget).not.toHaveProperty("held");
    await rules.end(rule);
    expect((await call(ben)).status).toBe(200);
  });

  test("of the platform with a counter for each account tell an account its own use, and refuse no other", async () => {
    const [ada, ben] = [await account(), await account()];
    const rule = await rules.make({ scope: "platform", each: "account", limit: 2n * CENT, name: "Each" });
    expect((await call(ada)).status).toBe(200);
    const { message, details } = await refusalOf(ada);
    expect(message).toMatch(
      /^The budget "Each" of this gateway allows ¥0.02 a month for this account; ¥0.02 are used\. /,
    );
    expect(details.budget).toMatchObject({ used: "2", held: "0" });
    expect((await call(ben)).status).toBe(200);
    const members = await Promise.all([ada, ben].map(({ keyId }) => rules.accountOf(keyId)));
    expect((await rules.windows(rule)).map(({ member }) => member).sort()).toEqual(members.sort());
    await rules.end(rule);
  });

  test("of a plan for each key are those of the key's plan, and for each account those of the account's", async () => {
    const ada = await account();
    const owner = await rules.accountOf(ada.keyId);
    await rules.sql`INSERT INTO plans (id, name, key_quota_micro_cents) VALUES (7, 'Keys', 0) ON CONFLICT DO NOTHING`;
    await rules.sql`UPDATE api_keys SET plan_id = 7 WHERE id = ${ada.keyId}`;
    const [ofKeys, ofAccounts] = [
      await rules.make({
        scope: "plan",
        of: 7,
        each: "key",
        limit: 1n,
        unit: "requests",
        mode: "hard",
        name: "Keys",
      }),
      await rules.make({ scope: "plan", of: 1, each: "account", limit: 10n, unit: "requests", mode: "warn" }),
    ];
    expect((await call(ada)).status).toBe(200);
    const { message } = await refusalOf(ada);
    expect(message).toMatch(
      /^The budget "Keys" of the plan allows 1 request a month for this key; 1 request is used\. .*; ask those who run/,
    );
    expect(await rules.windows(ofKeys)).toEqual([{ member: ada.keyId, used: "1", held: "0" }]);
    expect(await rules.windows(ofAccounts)).toEqual([{ member: owner, used: "1", held: "0" }]);
    for (const rule of [ofKeys, ofAccounts]) await rules.end(rule);
  });

  test("of a project count keys of the project only, together or for the creator of each", async () => {
    const ada = await account();
    const other = await gateway.server.key(ada, {});
    const creator = "22222222-2222-4222-8222-222222222222";
    const project = await rules.intoProject(ada.keyId, creator);
    const [together, each] = [
      await rules.make({ scope: "project", of: project, limit: 2n * CENT, name: "Team" }),
      await rules.make({ scope: "project", of: project, each: "member", limit: 100n * CENT }),
    ];
    expect((await call(other)).status).toBe(200);
    expect((await call(ada)).status).toBe(200);
    const { message, details } = await refusalOf(ada);
    expect(message).toMatch(
      /^The budget "Team" of this project allows .*; ask an owner of the project for more\.$/,
    );
    expect(details.budget).toMatchObject({ scope: "project", used: "2" });
    expect((await call(other)).status).toBe(200);
    expect(await rules.windows(together)).toHaveLength(1);
    expect(await rules.windows(each)).toEqual([{ member: creator, used: String(2n * CENT), held: "0" }]);
  });

  test("made by an admin on a key name those who run the gateway", async () => {
    const ada = await account();
    await rules.make({ of: ada.keyId, limit: 0n, period: "total", locked: true });
    const { message } = await refusalOf(ada);
    expect(message).toMatch(
      /allows ¥0.00 in all; ¥0.00 are used. It never starts again; ask those who run the gateway/,
    );
  });

  test("follow an account to another plan, and a member's exception", async () => {
    const ada = await account();
    const owner = await rules.accountOf(ada.keyId);
    await rules.sql`INSERT INTO plans (id, name, key_quota_micro_cents) VALUES (8, 'Tight', 0) ON CONFLICT DO NOTHING`;
    const rule = await rules.make({ scope: "plan", of: 8, each: "account", limit: 0n, unit: "requests" });
    expect((await call(ada)).status).toBe(200);
    const { server: running } = gateway;
    const changed = await running.api("PATCH", `/api/admin/users/${owner}`, await running.adminToken(), {
      planId: 8,
    });
    expect(changed.status).toBe(200);
    await refusalOf(ada);
    await rules.sql`INSERT INTO budget_exceptions (budget_id, member, limit_amount) VALUES (${rule}, ${owner}, 2)`;
    expect((await call(ada)).status).toBe(200);
    await rules.sql`UPDATE budget_exceptions SET limit_amount = NULL WHERE budget_id = ${rule}`;
    for (const _ of [1, 2]) expect((await call(ada)).status).toBe(200);
    await rules.sql`DELETE FROM budget_exceptions WHERE budget_id = ${rule}`;
    await refusalOf(ada);
  });

  test("leave nothing that does not add up", async () => {
    expect(await reconcile(gateway.server)).toMatchObject({ ok: true, openHolds: 0, mismatches: [] });
  });
});

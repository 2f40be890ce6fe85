import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "@/tools/simulator/server";
import { type ApiError, accountServer, type Body, freshName, signUp } from "../support/account-server";
import { chatBody, eventually, keyMoney, reconcile } from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";

const CHAT = "/v1/chat/completions";
const server = accountServer({
  database: "embedded",
  env: { ALLOW_PRIVATE_UPSTREAMS: "1", SIGNUP_QUOTA_CENTS: "1000000" },
});
const admin = async <T = Body>(method: string, path: string, body?: unknown) =>
  server().api<T>(method, `/api/admin/${path}`, await server().adminToken(), body);
let upstream: Simulator;
let planId: number;
beforeAll(async () => {
  upstream = await startSimulator({ port: 0 });
  const plan = await admin<{ id: number }>("POST", "plans", {
    name: "Wide",
    qps: null,
    rpm: null,
    tpm: null,
    selfService: true,
  });
  planId = plan.body.id;
  await admin("POST", "nodes", { name: "quick", protocol: "chat", baseUrl: `${upstream.url}/v1` });
  // One cent a token of output: a hold is `max_tokens` cents.
  const prices = { input: 0, output: 1_000_000 };
  for (const [alias, model] of [
    ["ten", "sim-usage-1-10"],
    ["slow-ten", "sim-first-800ms+usage-1-10"],
  ])
    await admin("POST", "models", { alias, prices, routes: [{ node: "quick", model }] });
});
afterAll(() => upstream.close());

async function account(fields: Body = {}): Promise<TestUser & { id: string }> {
  const user = await server().user({ planId, quota: 100_000, ...fields });
  const self = await server().api<{ id: string }>("GET", "/api/user/self", user.token);
  return { ...user, id: self.body.id };
}

async function call(user: TestUser, model = "ten", fields: Body = {}): Promise<number> {
  const answer = await server().gateway(CHAT, user.key, chatBody(model, { max_tokens: 10, ...fields }));
  await answer.arrayBuffer();
  return answer.status;
}

async function inOrder(): Promise<void> {
  await eventually(async () => ((await reconcile(server())).openHolds === 0 ? true : null));
  expect(await reconcile(server())).toMatchObject({ ok: true, mismatches: [], heldMicroCents: "0" });
}

describe("while a key is being spent on", () => {
  test("its changes lose none of what was used, and none of what was changed", async () => {
    const user = await account();
    const path = `/api/user/tokens/${user.keyId}`;
    const calls = Array.from({ length: 60 }, () => call(user));
    const changes = Array.from({ length: 60 }, (_, index) =>
      server().api("PATCH", path, user.token, { quota: 50_000 + index, name: `n${index}` }),
    );
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
    for (const { status } of await Promise.all(changes)) expect(status).toBe(200);
    const { usedQuota, quota } = await keyMoney(server(), user);
    expect(usedQuota).toBe(600);
    expect(quota).toBeGreaterThanOrEqual(50_000);
    await inOrder();
  });

  test("a quota lowered below what is used and held lets running calls end, refuses the next, and tells the rest below zero", async () => {
    const user = await account();
    expect(await call(user)).toBe(200);
    const running = Array.from({ length: 5 }, () => call(user, "slow-ten"));
    await eventually(async () => ((await keyMoney(server(), user)).held === 50 ? true : null));
    const lowered = await server().api("PATCH", `/api/user/tokens/${user.keyId}`, user.token, { quota: 5 });
    expect(lowered.status).toBe(200);
    expect(await call(user)).toBe(402);
    expect(await Promise.all(running)).toEqual(Array(5).fill(200));
    expect(await keyMoney(server(), user)).toMatchObject({ quota: 5, usedQuota: 60, held: 0 });
    const usage: { remaining: number } = await (await server().gateway("/v1/usage", user.key)).json();
    expect(usage.remaining).toBe(-55);
    expect(await call(user)).toBe(402);
    await server().api("PATCH", `/api/user/tokens/${user.keyId}`, user.token, { quota: 70 });
    expect(await call(user)).toBe(200);
    await inOrder();
  });

  test("an account's quota lowered below what is used and held does the same for all its keys", async () => {
    const user = await account();
    const other = await server().key(user, { planId, quota: 100_000 });
    const running = [user, other, user].map((key) => call(key, "slow-ten"));
    await eventually(async () => {
      const self = await server().api<{ held: string }>("GET", "/api/user/self", user.token);
      return Number(self.body.held) === 30 ? true : null;
    });
    expect((await admin("PATCH", `users/${user.id}`, { quota: 0 })).status).toBe(200);
    expect([await call(user), await call(other)]).toEqual([402, 402]);
    expect(await Promise.all(running)).toEqual([200, 200, 200]);
    const self = await server().api("GET", "/api/user/self", user.token);
    expect(self.body).toMatchObject({ quota: "0", usedQuota: "30" });
    await inOrder();
  });

  /** Source: docs/reliability.md#r-26. */
  test("its deletion leaves running calls to be billed once, to an account that keeps them", async () => {
    const user = await account();
    const running = Array.from({ length: 4 }, () => call(user, "slow-ten"));
    await eventually(async () => ((await keyMoney(server(), user)).held === 40 ? true : null));
    expect((await server().api("DELETE", `/api/user/tokens/${user.keyId}`, user.token)).status).toBe(204);
    expect(await call(user)).toBe(401);
    expect(await Promise.all(running)).toEqual(Array(4).fill(200));
    await inOrder();
    const self = await server().api("GET", "/api/user/self", user.token);
    expect(self.body).toMatchObject({ usedQuota: "40", requestCount: "4" });
    const logs = await server().api<{ total: number }>("GET", "/api/user/logs", user.token);
    expect(logs.body.total).toBe(4);
    const stats = await server().api("GET", "/api/user/stats", user.token);
    expect(stats.body).toMatchObject({ totalRequests: 4, totals: { cost: "40" } });
  });

  test("the deletion of its account does the same, and frees what was held", async () => {
    const user = await account();
    const running = Array.from({ length: 3 }, () => call(user, "slow-ten"));
    await eventually(async () => ((await keyMoney(server(), user)).held === 30 ? true : null));
    const password = { password: "secret-password" };
    expect((await server().api("DELETE", "/api/user/self", user.token, password)).status).toBe(204);
    expect(await Promise.all(running)).toEqual([200, 200, 200]);
    await inOrder();
    expect((await admin("GET", `users/${user.id}`)).body).toMatchObject({
      usedQuota: "30",
      status: "deleted",
    });
  });

  test("disabling and enabling it in turn lets no call pass unbilled", async () => {
    const user = await account();
    const path = `/api/user/tokens/${user.keyId}`;
    let done = false;
    const flipping = (async () => {
      for (let turn = 0; !done; turn += 1)
        await server().api("PATCH", path, user.token, { status: turn % 2 === 0 ? "disabled" : "active" });
    })();
    const statuses = await Promise.all(Array.from({ length: 80 }, () => call(user)));
    done = true;
    await flipping;
    // A busy machine may have no time for all of them, or refuse an address that sent many refused keys.
    expect(statuses.filter((status) => ![200, 401, 429, 503].includes(status))).toEqual([]);
    const passed = statuses.filter((status) => status === 200).length;
    expect((await keyMoney(server(), user)).usedQuota).toBe(10 * passed);
    await inOrder();
  });
});

describe("two at the same time", () => {
  test("admins who price one model make two versions, one after the other", async () => {
    const alias = `raced-${freshName()}`;
    await admin("POST", "models", {
      alias,
      prices: { input: 1, output: 1 },
      routes: [{ node: "quick", model: "m" }],
    });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        admin("POST", "prices", { model: alias, input: index, output: index }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const { body } = await admin<{ data: { version: number }[] }>("GET", `prices?model=${alias}`);
    expect(body.data.map(({ version }) => version)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test("grants and takings all count, and never below nothing", async () => {
    const user = await account();
    await admin("PATCH", `users/${user.id}`, { quota: 100 });
    const amounts = [...Array(20).fill(7), ...Array(30).fill(-10)];
    const answers = await Promise.all(
      amounts.map((amount) => admin("POST", `users/${user.id}/grants`, { amount, reason: "race" })),
    );
    const kept = amounts.filter((_, index) => answers[index]?.status === 201);
    for (const { status } of answers) expect([201, 400, 409]).toContain(status);
    const self = await server().api<{ quota: string }>("GET", "/api/user/self", user.token);
    expect(Number(self.body.quota)).toBe(100 + kept.reduce((sum, amount) => sum + amount, 0));
    expect(Number(self.body.quota)).toBeGreaterThanOrEqual(0);
    const ledger = await server().api<{ data: { balanceAfter: string }[] }>(
      "GET",
      "/api/user/ledger?pageSize=100",
      user.token,
    );
    for (const { balanceAfter } of ledger.body.data) expect(Number(balanceAfter)).toBeGreaterThanOrEqual(0);
    expect(Number(ledger.body.data[0]?.balanceAfter)).toBe(Number(self.body.quota));
  });

  test("registrations of one name make one account; of nodes, models and plans one each", async () => {
    const username = freshName();
    const registered = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        server().api<ApiError>("POST", "/api/user/register", undefined, {
          username: index % 2 === 0 ? username : username.toUpperCase(),
          password: "secret-password",
        }),
      ),
    );
    expect(registered.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    const alias = `raced-${freshName()}`;
    const bodies: [path: string, body: Body][] = [
      ["nodes", { name: alias, protocol: "chat", baseUrl: `${upstream.url}/v1` }],
      ["models", { alias, prices: { input: 1, output: 1 }, routes: [{ node: "quick", model: "m" }] }],
      ["plans", { id: 77, name: alias, qps: null, rpm: null, tpm: null }],
    ];
    for (const [path, body] of bodies) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => admin("POST", path, body)));
      expect([path, answers.map(({ status }) => status).sort()]).toEqual([path, [201, 409, 409, 409, 409]]);
    }
    const without = await Promise.all(
      Array.from({ length: 5 }, () =>
        admin("POST", "plans", { name: "next", qps: null, rpm: null, tpm: null }),
      ),
    );
    for (const { status } of without) expect([201, 409]).toContain(status);
  });

  test("of the last two admins one stays", async () => {
    const second = await signUp(server());
    await admin("PATCH", `users/${second.id}`, { role: "admin" });
    const login = { username: second.username, password: second.password };
    const { body } = await server().api<{ token: string }>("POST", "/api/user/login", undefined, login);
    const first = await server().api<{ id: string }>("GET", "/api/user/self", await server().adminToken());
    const statuses = await Promise.all([
      server().api("PATCH", `/api/admin/users/${first.body.id}`, body.token, { role: "user" }),
      server().api("PATCH", `/api/admin/users/${second.id}`, await server().adminToken(), { role: "user" }),
    ]);
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

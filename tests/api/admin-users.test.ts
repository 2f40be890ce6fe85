import { describe, expect, test } from "vitest";
import { adminStats } from "@/lib/api/schemas/admin-stats";
import { accountServer, type Body, freshName, signUp } from "../support/account-server";

const server = accountServer();
const admin = async <T = Body>(method: string, path: string, body?: unknown) =>
  server().api<T>(method, `/api/admin/${path}`, await server().adminToken(), body);
const status = async (token: string) => (await server().api("GET", "/api/user/self", token)).status;
const adminId = async () =>
  (await server().api<{ id: string }>("GET", "/api/user/self", await server().adminToken())).body.id;

/** Source: docs/reliability.md#r-115. */
describe("suspending an account", () => {
  test("ends its sessions and keys at once; resuming brings the keys back", async () => {
    const user = await server().user();
    const { id } = (await server().api<{ id: string }>("GET", "/api/user/self", user.token)).body;
    expect((await server().gateway("/v1/models", user.key)).status).toBe(200);
    expect((await admin("PATCH", `users/${id}`, { status: "suspended" })).body).toMatchObject({
      status: "suspended",
    });
    expect(await status(user.token)).toBe(401);
    expect((await server().gateway("/v1/models", user.key)).status).toBe(401);
    const login = { username: user.username, password: "secret-password" };
    expect(await server().api("POST", "/api/user/login", undefined, login)).toMatchObject({
      status: 403,
      body: { error: { code: "FORBIDDEN", reason: "account_suspended" } },
    });
    await admin("PATCH", `users/${id}`, { status: "active" });
    expect((await server().gateway("/v1/models", user.key)).status).toBe(200);
    expect(await status(user.token)).toBe(401);
  });
});

/** Source: docs/reliability.md#r-115. */
describe("a role", () => {
  test("that changes ends the sessions; the new one opens what it should", async () => {
    const user = await signUp(server());
    await admin("PATCH", `users/${user.id}`, { role: "admin" });
    expect(await status(user.token)).toBe(401);
    const login = { username: user.username, password: user.password };
    const { token } = (await server().api<{ token: string }>("POST", "/api/user/login", undefined, login))
      .body;
    expect((await server().api("GET", "/api/admin/users", token)).status).toBe(200);
    expect((await admin("PATCH", `users/${user.id}`, { role: "user" })).status).toBe(200);
    expect(await status(token)).toBe(401);
  });

  test("of oneself is not changed by oneself", async () => {
    const id = await adminId();
    for (const change of [{ role: "user" }, { status: "suspended" }]) {
      expect((await admin("PATCH", `users/${id}`, change)).status).toBe(409);
    }
    expect((await admin("DELETE", `users/${id}`)).status).toBe(409);
  });
});

describe("quota", () => {
  test("is granted and taken with a line in the account's ledger", async () => {
    const user = await signUp(server());
    const grant = await admin("POST", `users/${user.id}/grants`, { amount: 500, reason: "top-up" });
    expect([grant.status, grant.body]).toMatchObject([
      201,
      { user: { quota: "1500" }, grant: { amount: "500" } },
    ]);
    await admin("POST", `users/${user.id}/grants`, { amount: -200, reason: "mistake" });
    await admin("PATCH", `users/${user.id}`, { quota: 1000 });
    const { body } = await server().api("GET", "/api/user/ledger", user.token);
    expect(body).toMatchObject({
      data: [
        { type: "adjustment", amount: "-300", balanceAfter: "1000" },
        { type: "adjustment", amount: "-200", balanceAfter: "1300", reason: "mistake" },
        { type: "grant", amount: "500", balanceAfter: "1500", reason: "top-up" },
        { type: "signup", amount: "1000", balanceAfter: "1000" },
      ],
    });
    expect((await admin("GET", `users/${user.id}/grants`)).body).toEqual(body);
  });

  test.each([
    { amount: 0, reason: "x" },
    { amount: 1.5, reason: "x" },
    { amount: "5", reason: "x" },
    { amount: -100_000, reason: "more than there is" },
    { amount: 1e12, reason: "beyond the largest quota" },
    { amount: 5 },
    { amount: 5, reason: "" },
  ])("is not granted by %j", async (body) => {
    const user = await signUp(server());
    expect((await admin("POST", `users/${user.id}/grants`, body)).status).toBe(400);
    expect((await admin("GET", `users/${user.id}`)).body).toMatchObject({ quota: "1000" });
  });
});

test("a reset password works, ends the sessions, and is in no audit", async () => {
  const user = await signUp(server());
  const { body } = await admin<{ password: string }>("POST", `users/${user.id}/password`, {});
  expect(await status(user.token)).toBe(401);
  const login = { username: user.username, password: body.password };
  expect((await server().api("POST", "/api/user/login", undefined, login)).status).toBe(200);
  const audit = await admin("GET", `audit?targetId=${user.id}&action=user.password`);
  expect(audit.body).toMatchObject({ data: [{ action: "user.password", actorName: "admin" }] });
  expect(JSON.stringify(audit.body)).not.toContain(body.password);
});

describe("accounts", () => {
  test("are made, found, narrowed and deleted", async () => {
    const username = freshName();
    const made = await admin<{ id: string }>("POST", "users", {
      username,
      password: "secret",
      quota: 5,
      planId: 4,
    });
    expect([made.status, made.body]).toMatchObject([201, { username, quota: "5", planId: 4, role: "user" }]);
    const search = (query: string) => admin("GET", `users?${query}`);
    expect((await search(`search=${username.slice(2, 14)}`)).body).toMatchObject({
      total: 1,
      data: [{ username }],
    });
    expect((await search("search=%25")).body).toMatchObject({ total: 0 });
    expect((await search(`search=${username}&role=admin`)).body).toMatchObject({ total: 0 });
    expect((await search(`search=${username}&planId=4`)).body).toMatchObject({ total: 1 });
    expect((await admin("DELETE", `users/${made.body.id}`)).status).toBe(204);
    expect((await admin("DELETE", `users/${made.body.id}`)).status).toBe(404);
    expect((await admin("GET", `users/${made.body.id}`)).body).toMatchObject({
      status: "deleted",
      email: "",
    });
  });

  test("get limits of their own", async () => {
    const user = await server().user();
    const { id } = (await server().api<{ id: string }>("GET", "/api/user/self", user.token)).body;
    await admin("PATCH", `users/${id}`, { limitOverrides: { qps: 77, tpm: null } });
    const limits = await server().api("GET", `/api/user/tokens/${user.keyId}/limits`, user.token);
    expect(limits.body).toMatchObject({ qps: { limit: 77 }, rpm: { limit: 20 }, tpm: { limit: null } });
  });

  test("take the keys that had their plan along to another, and leave those on a plan of the user's choice", async () => {
    const user = await server().user();
    const { id } = (await server().api<{ id: string }>("GET", "/api/user/self", user.token)).body;
    const key = async (planId: number) => {
      const made = await server().api<{ apiKey: { id: string } }>("POST", "/api/user/tokens", user.token, {
        name: "k",
        planId,
      });
      expect(made.status).toBe(201);
      return made.body.apiKey.id;
    };
    const planOf = async (keyId: string) =>
      (await server().api<{ planId: number }>("GET", `/api/user/tokens/${keyId}`, user.token)).body.planId;
    await admin("PATCH", `users/${id}`, { planId: 4 });
    expect(await planOf(user.keyId)).toBe(4);
    const [unlimited, chosen] = [await key(4), await key(2)];
    await admin("PATCH", `users/${id}`, { planId: 1 });
    expect([await planOf(unlimited), await planOf(user.keyId), await planOf(chosen)]).toEqual([1, 1, 2]);
    const limits = await server().api("GET", `/api/user/tokens/${unlimited}/limits`, user.token);
    expect(limits.body).toMatchObject({ qps: { limit: 2 }, rpm: { limit: 20 } });
  });

  test.each([
    { planId: 999 },
    { role: "root" },
    { status: "deleted" },
    { usedQuota: 0 },
    { limitOverrides: { qps: 0 } },
  ])("refuse %j", async (change) => {
    const user = await signUp(server());
    expect((await admin("PATCH", `users/${user.id}`, change)).status).toBe(400);
  });
});

test("a plan counts the keys that there are; one whose keys are all deleted can go", async () => {
  const made = await admin<{ id: number }>("POST", "plans", {
    name: "Passing",
    qps: 1,
    rpm: 1,
    tpm: 1,
    keyQuotaCents: 1,
    selfService: true,
  });
  const { id } = made.body;
  const user = await server().user({ planId: id });
  const keyCount = async () =>
    (await admin<{ data: { id: number; keyCount: number }[] }>("GET", "plans")).body.data.find(
      (plan) => plan.id === id,
    )?.keyCount;
  expect(await keyCount()).toBe(1);
  expect((await admin("DELETE", `plans/${id}`)).status).toBe(409);
  expect((await server().api("DELETE", `/api/user/tokens/${user.keyId}`, user.token)).status).toBe(204);
  expect(await keyCount()).toBe(0);
  expect((await admin("DELETE", `plans/${id}`)).status).toBe(204);
  expect((await server().gateway("/v1/models", user.key)).status).toBe(401);
});

test("an admin sees everybody's requests with account and node, and everybody's sums", async () => {
  const user = await server().user();
  const response = await server().gateway("/v1/chat/completions", user.key, {
    model: "demo-chat",
    max_tokens: 5,
    messages: [{ role: "user", content: "Hi" }],
  });
  const requestId = response.headers.get("x-request-id");
  const logs = await admin(`GET`, `logs?requestId=${requestId}`);
  expect(logs.body).toMatchObject({
    data: [{ requestId, username: user.username, node: expect.stringMatching(/./) }],
  });
  const detail = await admin<{ attempts: { node: string }[] }>("GET", `logs/${requestId}`);
  expect(detail.body.attempts[0]?.node).not.toBe("node 1");
  const sums = await admin<{ totalRequests: number }>("GET", "stats?period=24h");
  expect(sums.body).toMatchObject({
    activeUsers: expect.any(Number),
    topUsers: [{ username: expect.any(String) }],
    topNodes: [{ attemptCount: expect.any(Number) }],
  });
  expect((await admin("GET", "stats?userId=x")).status).toBe(400);
});

test("the calls of a node over time add up to its calls in all", async () => {
  const user = await server().user();
  for (const model of ["demo-chat", "demo-messages", "demo-chat"]) {
    const fields = { model, max_tokens: 5, messages: [{ role: "user", content: "Hi" }] };
    await server().gateway("/v1/chat/completions", user.key, fields);
  }
  for (const [period, buckets] of [
    ["24h", 24],
    ["7d", 7],
    ["30d", 30],
  ] as const) {
    const { body } = await admin("GET", `stats?period=${period}&tz=Asia/Kathmandu`);
    const { nodeSeries, topNodes } = adminStats.parse(body);
    expect(nodeSeries.map(({ nodeId }) => nodeId).sort()).toEqual(
      topNodes.map(({ nodeId }) => nodeId).sort(),
    );
    for (const { nodeId, node, points } of nodeSeries) {
      const sum = (name: "attemptCount" | "failureCount") =>
        points.reduce((total, point) => total + point[name], 0);
      expect(topNodes.find((entry) => entry.nodeId === nodeId)).toMatchObject({
        node,
        attemptCount: sum("attemptCount"),
        failureCount: sum("failureCount"),
      });
      expect(points.length).toBeGreaterThanOrEqual(buckets);
      expect(points.at(-1)?.attemptCount).toBeGreaterThan(0);
    }
  }
});

test("the export of everybody's requests names account and node, and can be narrowed to an account", async () => {
  const user = await server().user();
  const { id } = (await server().api<{ id: string }>("GET", "/api/user/self", user.token)).body;
  const fields = { model: "demo-chat", max_tokens: 5, messages: [{ role: "user", content: "Hi" }] };
  await server().gateway("/v1/chat/completions", user.key, fields);
  const download = async (token: string) =>
    fetch(`${server().url}/api/admin/logs/export?userId=${id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
  const answer = await download(await server().adminToken());
  expect(answer.headers.get("content-type")).toContain("text/csv");
  const [head = "", ...lines] = (await answer.text()).trimEnd().split("\r\n");
  expect(head.split(",").slice(-3)).toEqual(["username", "node", "failedNodes"]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(new RegExp(`,${user.username},demo-chat-node,$`));
  expect((await download(user.token)).status).toBe(403);
});

import { describe, expect, test } from "vitest";
import type { ApiError, Body } from "../support/account-server";
import { chatBody, eventually, fresh, gatewayFor } from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";

interface Budget extends Body {
  id: string;
  window: { used: number; limit: number } | null;
  fullest: Body[];
}

const DAY = { unit: "requests", period: "day", limit: 2 };

/** Source: docs/budgets.md#operations. */
describe("budgets that admins make", () => {
  const gateway = gatewayFor({
    models: [
      { alias: "two-cents", routes: [["chat", "sim-usage-1-2"]], prices: { input: 0, output: 1_000_000 } },
    ],
  });
  const ask = async (user: Pick<TestUser, "key">, model = "two-cents") => {
    const body = { ...chatBody(model), max_tokens: 5 };
    return (await gateway.server.gateway("/v1/chat/completions", user.key, body)).status;
  };
  const admin = async <T = Budget>(method: string, path: string, body?: unknown) =>
    gateway.server.api<T>(method, `/api/admin/${path}`, await gateway.server.adminToken(), body);
  const make = async (fields: Body) => {
    const { status, body } = await admin("POST", "budgets", { name: "Rule", ...DAY, ...fields });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body;
  };
  const end = (rule: Budget) => admin("DELETE", `budgets/${rule.id}`);
  const idOf = async (user: TestUser) => {
    const { body } = await gateway.server.api<{ id: string }>("GET", "/api/user/self", user.token);
    return body.id;
  };
  const own = <T = Budget>(user: TestUser, method: string, path: string, body?: unknown) =>
    gateway.server.api<T>(method, `/api/user/${path}`, user.token, body);
  const makePlan = async () => {
    const plan = {
      name: fresh("plan"),
      qps: null,
      rpm: null,
      tpm: null,
      keyQuotaCents: 100_000,
      selfService: true,
    };
    return (await admin<{ id: number }>("POST", "plans", plan)).body.id;
  };
  const putOn = async (user: TestUser, planId: number) => {
    expect((await admin("PATCH", `users/${await idOf(user)}`, { planId })).status).toBe(200);
  };

  test("every account on a plan has a counter of its own, an exception is one person's, a changed limit everybody's", async () => {
    const planId = await makePlan();
    const users = await Promise.all([1, 2, 3].map(() => gateway.server.user()));
    for (const user of users) await putOn(user, planId);
    const [alice, bob, carol] = users as [TestUser, TestUser, TestUser];
    const rule = await make({
      scope: "plan",
      planId,
      each: "account",
      exceptions: [{ member: await idOf(alice), limit: 3 }],
    });
    const untilRefused = async (user: TestUser) => {
      for (let passed = 0; passed < 9; passed += 1) if ((await ask(user)) === 402) return passed;
      return null;
    };
    expect(await Promise.all(users.map(untilRefused))).toEqual([3, 2, 2]);
    expect((await admin("PATCH", `budgets/${rule.id}`, { limit: 3 })).status).toBe(200);
    expect([await untilRefused(alice), await untilRefused(bob)]).toEqual([0, 1]);
    const more = { member: await idOf(carol), amount: 4 };
    expect((await admin("PUT", `budgets/${rule.id}/extra`, more)).status).toBe(200);
    expect(await untilRefused(carol)).toBe(5);
    const shown = (await own<{ data: Budget[] }>(bob, "GET", "budgets")).body.data;
    expect(shown).toMatchObject([
      { id: rule.id, mayChange: false, exceptions: [], window: { used: 3, limit: 3 }, memberCount: 1 },
    ]);
    expect((await admin("GET", `budgets?planId=${planId}`)).body).toMatchObject({
      total: 1,
      data: [{ id: rule.id }],
    });
    const members = await admin<{ total: number; data: Body[] }>("GET", `budgets/${rule.id}/members`);
    expect(members.body.total).toBe(3);
    expect(members.body.data.map(({ limit }) => limit).sort()).toEqual([3, 3, 7]);
  });

  test("a rule of the platform tells limit and reset, never what others have used", async () => {
    const user = await gateway.server.user();
    const rule = await make({ scope: "platform", limit: 1_000_000 });
    expect(await ask(user)).toBe(200);
    await eventually(async () => {
      const { body } = await admin("GET", `budgets/${rule.id}`);
      return (body.window?.used ?? 0) > 0 ? true : null;
    });
    const shown = (await own(user, "GET", `budgets/${rule.id}`)).body;
    expect(shown).toMatchObject({ limit: 1_000_000, window: null, fullest: [], mayChange: false });
    expect(shown.resetsAt).toMatch(/T00:00:00.000Z$/);
    expect((await own<{ data: Body[] }>(user, "GET", `budgets/${rule.id}/windows`)).body.data).toEqual([]);
    await end(rule);
  });

  test("what an admin made for somebody is read-only for it", async () => {
    const user = await gateway.server.user();
    const rules = [
      await make({ scope: "account", userId: await idOf(user) }),
      await make({ scope: "key", tokenId: user.keyId }),
    ];
    for (const { id } of rules) {
      const shown = await own(user, "GET", `budgets/${id}`);
      expect(shown.body).toMatchObject({ locked: true, mayChange: false });
      const statuses = [
        (await own(user, "PATCH", `budgets/${id}`, { limit: 9 })).status,
        (await own(user, "PUT", `budgets/${id}/extra`, { amount: 9 })).status,
        (await own(user, "DELETE", `budgets/${id}`)).status,
      ];
      expect(statuses).toEqual([403, 403, 403]);
    }
    expect([await ask(user), await ask(user), await ask(user)]).toEqual([200, 200, 402]);
    const met = await own<{ total: number }>(user, "GET", `budgets?tokenId=${user.keyId}`);
    expect(met.body.total).toBe(2);
    const mine = await own(user, "POST", "budgets", { name: "Mine", scope: "account", ...DAY });
    expect((await admin("PATCH", `budgets/${mine.body.id}`, { limit: 5 })).status).toBe(200);
  });

  test("a deleted plan ends its rules, a renamed model goes along, the file has a line for each counter", async () => {
    const user = await gateway.server.user();
    const planId = await makePlan();
    const ofPlan = await make({ scope: "plan", planId, each: "key" });
    const model = await admin("POST", "models", {
      alias: "renamed",
      prices: { input: 0, output: 1_000_000 },
      routes: [{ node: "chat", model: "sim-usage-1-2" }],
    });
    expect(model.status).toBe(201);
    const ofModel = await make({
      scope: "account",
      userId: await idOf(user),
      models: ["renamed"],
      name: "=Model",
    });
    expect((await admin("DELETE", `plans/${planId}`)).status).toBe(204);
    expect((await admin("GET", `budgets/${ofPlan.id}`)).body.endedAt).toEqual(expect.any(String));
    expect((await admin("PATCH", `models/${model.body.id}`, { alias: "anew" })).status).toBe(200);
    expect((await admin("GET", `budgets/${ofModel.id}`)).body.models).toEqual(["anew"]);
    expect([await ask(user, "anew"), await ask(user, "anew"), await ask(user, "anew")]).toEqual([
      200, 200, 402,
    ]);
    const token = await gateway.server.adminToken();
    const file = await eventually(async () => {
      const answer = await fetch(`${gateway.server.url}/api/admin/budgets/export`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const lines = (await answer.text()).split("\r\n").filter((line) => line.startsWith(ofModel.id));
      return lines[0]?.includes(",2,0,0,100.00") ? lines : null;
    });
    expect(file).toHaveLength(1);
    expect(file[0]).toContain(",'=Model,account,");
  });

  test.each<[string, Body, string]>([
    ["a plan that is none", { scope: "plan", planId: 987_654, each: "account" }, "planId"],
    ["one counter for a plan", { scope: "plan", planId: 1 }, "each"],
    [
      "an account that is none",
      { scope: "account", userId: "7b0f8f9e-1111-4222-8333-444455556666" },
      "userId",
    ],
    ["no account", { scope: "account" }, "userId"],
    ["a counter for each member of the platform", { scope: "platform", each: "member" }, "each"],
    [
      "an exception of nobody",
      {
        scope: "platform",
        each: "account",
        exceptions: [{ member: "7b0f8f9e-1111-4222-8333-444455556666", limit: 1 }],
      },
      "exceptions.0.member",
    ],
  ])("%s is a 400 that names the field", async (_, fields, field) => {
    const { status, body } = await admin<ApiError>("POST", "budgets", { name: "Rule", ...DAY, ...fields });
    expect([status, Object.keys(body.error.fields ?? {})]).toEqual([400, [field]]);
  });

  test("the platform has at most eight", async () => {
    const made: Budget[] = [];
    for (let more = 0; more < 8; more += 1) made.push(await make({ scope: "platform", limit: 1_000_000 }));
    expect((await admin("POST", "budgets", { name: "Ninth", scope: "platform", ...DAY })).status).toBe(409);
    for (const rule of made) await end(rule);
  });
});

import { describe, expect, test } from "vitest";
import type { ApiError, Body } from "../support/account-server";
import { chatBody, eventually, gatewayFor } from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";

const MONTH = { scope: "account", unit: "money", period: "month", limit: 10 };

interface Window {
  startsAt: string | null;
  endsAt: string | null;
  limit: number | null;
  extra: number;
  used: number;
  held: number;
}

interface Budget extends Body {
  id: string;
  mayChange: boolean;
  window: Window | null;
}

/** Source: docs/budgets.md#operations. */
describe("budgets of accounts and keys", () => {
  const gateway = gatewayFor({
    models: [
      { alias: "two-cents", routes: [["chat", "sim-usage-1-2"]], prices: { input: 0, output: 1_000_000 } },
      { alias: "other", routes: [["chat", "sim-usage-1-2"]], prices: { input: 0, output: 1_000_000 } },
    ],
  });
  const ask = async (user: Pick<TestUser, "key">, model = "two-cents") => {
    const body = { ...chatBody(model), max_tokens: 5 };
    return (await gateway.server.gateway("/v1/chat/completions", user.key, body)).status;
  };
  const call = <T = Budget>(user: TestUser, method: string, path = "", body?: unknown) =>
    gateway.server.api<T>(method, `/api/user/budgets${path}`, user.token, body);
  const make = async (user: TestUser, fields: Body = {}) => {
    const { status, body } = await call(user, "POST", "", { name: "Mine", ...MONTH, ...fields });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body;
  };
  const show = async (user: TestUser, { id }: Budget) => (await call(user, "GET", `/${id}`)).body;
  const refusedFields = async (user: TestUser, fields: Body) => {
    const { status, body } = await call<ApiError>(user, "POST", "", { name: "Mine", ...MONTH, ...fields });
    return [status, Object.keys(body.error.fields ?? {})];
  };

  test("begin with what was used in the running period, or with 0 where that is asked for", async () => {
    const user = await gateway.server.user();
    for (let sent = 0; sent < 3; sent += 1) expect(await ask(user)).toBe(200);
    await eventually(async () => {
      const preview = await gateway.server.api<Body>(
        "GET",
        `/api/user/budget-preview?scope=key&tokenId=${user.keyId}&unit=money&period=total`,
        user.token,
      );
      expect(preview.body).toMatchObject({ startsAt: null, endsAt: null, request: { reserves: 5, uses: 2 } });
      return preview.body.used === 6 ? true : null;
    });
    const started = [
      await make(user, { unit: "money" }),
      await make(user, { unit: "tokens", limit: 100 }),
      await make(user, { unit: "requests", period: "total" }),
      await make(user, { fromNow: true }),
    ];
    expect(started.map(({ window }) => window?.used)).toEqual([6, 9, 3, 0]);
    expect(await make(user, { scope: "key", tokenId: user.keyId, models: ["other"] })).toMatchObject({
      window: { used: 0 },
    });
    expect(await make(user, { scope: "key", tokenId: user.keyId, models: ["two-cents"] })).toMatchObject({
      window: { used: 6 },
    });
  });

  test("refuse at the limit at once, and let pass again after more, a higher limit, off and the end", async () => {
    const user = await gateway.server.user();
    const rule = await make(user, { unit: "requests", limit: 1 });
    expect([await ask(user), await ask(user)]).toEqual([200, 402]);
    const more = await call(user, "PUT", `/${rule.id}/extra`, { amount: 1, reason: "launch" });
    expect([more.status, more.body.window]).toEqual([
      200,
      expect.objectContaining({ limit: 2, extra: 1, used: 1 }),
    ]);
    expect([await ask(user), await ask(user)]).toEqual([200, 402]);
    expect((await call(user, "PATCH", `/${rule.id}`, { limit: 2 })).status).toBe(200);
    expect([await ask(user), await ask(user)]).toEqual([200, 402]);
    await call(user, "PATCH", `/${rule.id}`, { enabled: false });
    expect(await eventually(async () => ((await ask(user)) === 200 ? true : null))).toBe(true);
    await call(user, "PATCH", `/${rule.id}`, { enabled: true });
    expect(await eventually(async () => ((await ask(user)) === 402 ? true : null))).toBe(true);
    expect((await call(user, "DELETE", `/${rule.id}`)).status).toBe(204);
    expect(await eventually(async () => ((await ask(user)) === 200 ? true : null))).toBe(true);
    const past = await call<{ data: Window[] }>(user, "GET", `/${rule.id}/windows`);
    expect(past.body.data).toMatchObject([{ limit: 3, used: 3, held: 0 }]);
  });

  test("a limit of 0 lets nothing pass, and a rule that only counts refuses nothing", async () => {
    const user = await gateway.server.user();
    const counts = await make(user, { unit: "requests", limit: 0, mode: "warn" });
    expect(await ask(user)).toBe(200);
    await eventually(async () => ((await show(user, counts)).window?.used === 1 ? true : null));
    await make(user, { unit: "requests", limit: 0, models: ["other"] });
    expect(await eventually(async () => ((await ask(user, "other")) === 402 ? true : null))).toBe(true);
    expect(await ask(user)).toBe(200);
  });

  test("one counter for each key: shown with the fullest, each with its name", async () => {
    const user = await gateway.server.user();
    const second = await gateway.server.api<{ key: string; apiKey: { id: string } }>(
      "POST",
      "/api/user/tokens",
      user.token,
      { name: "second" },
    );
    const rule = await make(user, { each: "key", unit: "requests", limit: 2 });
    expect(rule).toMatchObject({ window: null, memberCount: 0, fullest: [] });
    const statuses = [await ask(user), await ask(user), await ask(user), await ask({ key: second.body.key })];
    expect(statuses).toEqual([200, 200, 402, 200]);
    const found = await eventually(async () => {
      const { body } = await call<Body & { fullest: Window[] }>(user, "GET", `/${rule.id}`);
      return body.memberCount === 2 && body.fullest[1]?.used === 1 ? body.fullest : null;
    });
    expect(found).toMatchObject([
      { member: user.keyId, used: 2, limit: 2 },
      { member: second.body.apiKey.id, memberName: "second", used: 1, limit: 2 },
    ]);
    const exceptions = [{ member: user.keyId, limit: null }];
    expect((await call(user, "PATCH", `/${rule.id}`, { exceptions })).body.exceptions).toMatchObject(
      exceptions,
    );
    expect(await ask(user)).toBe(200);
    const members = await call<{ data: Body[] }>(user, "GET", `/${rule.id}/members?sort=used`);
    expect(members.body.data).toMatchObject([{ member: user.keyId, limit: null }, { memberName: "second" }]);
    const more = { member: second.body.apiKey.id, amount: 5 };
    expect((await call(user, "PUT", `/${rule.id}/extra`, more)).status).toBe(200);
    const ofSecond = `/${rule.id}/windows?member=${more.member}`;
    expect((await call<{ data: Window[] }>(user, "GET", ofSecond)).body.data).toMatchObject([{ limit: 7 }]);
  });

  test.each<[string, Body, string]>([
    ["a zone that is none", { timeZone: "Mars/Olympus" }, "timeZone"],
    ["a negative limit", { limit: -1 }, "limit"],
    ["half a cent", { limit: 0.5 }, "limit"],
    ["a limit beyond all amounts", { limit: 10_000_000_000_000 }, "limit"],
    ["no limit", { limit: undefined }, "limit"],
    ["an alias of no model", { models: ["two-cents", "nothing"] }, "models"],
    ["no alias", { models: [] }, "models"],
    ["a counter that the scope has not", { each: "member" }, "each"],
    ["a period that is none", { period: "hour" }, "period"],
    ["the scope of admins", { scope: "platform" }, "scope"],
    ["no key", { scope: "key" }, "tokenId"],
    ["a key of nobody", { scope: "key", tokenId: "7b0f8f9e-1111-4222-8333-444455556666" }, "tokenId"],
    ["a key beside an account", { tokenId: "7b0f8f9e-1111-4222-8333-444455556666" }, "tokenId"],
    [
      "exceptions of one counter",
      { exceptions: [{ member: "7b0f8f9e-1111-4222-8333-444455556666", limit: 1 }] },
      "exceptions",
    ],
    ["a name of blanks", { name: "  " }, "name"],
  ])("%s is a 400 that names the field", async (_, fields, field) => {
    const user = await gateway.server.user();
    expect(await refusedFields(user, fields)).toEqual([400, [field]]);
  });

  test("what is fixed cannot be changed, nor what others have made", async () => {
    const [user, other] = [await gateway.server.user(), await gateway.server.user()];
    const rule = await make(user, { mode: "hard" });
    for (const change of [
      { unit: "tokens" },
      { period: "day" },
      { mode: "stop" },
      { timeZone: "UTC" },
      { limit: -1 },
    ]) {
      expect((await call(user, "PATCH", `/${rule.id}`, change)).status).toBe(400);
    }
    expect((await call(user, "PUT", `/${rule.id}/extra`, { amount: -1 })).status).toBe(400);
    expect((await call(user, "PUT", `/${rule.id}/extra`, { amount: 1, member: user.keyId })).status).toBe(
      400,
    );
    for (const [method, path, body] of [
      ["GET", ""],
      ["PATCH", "", { limit: 1 }],
      ["DELETE", ""],
      ["GET", "/windows"],
      ["GET", "/members"],
      ["PUT", "/extra", { amount: 1 }],
    ] as const) {
      expect((await call(other, method, `/${rule.id}${path}`, body)).status, `${method} ${path}`).toBe(404);
    }
    expect(await refusedFields(other, { scope: "key", tokenId: user.keyId })).toEqual([400, ["tokenId"]]);
    expect((await call<{ data: Budget[] }>(other, "GET")).body.data).toEqual([]);
  });

  test("an account has at most four, also when they are made at once, and room again after an end", async () => {
    const user = await gateway.server.user();
    const tries = Array.from({ length: 8 }, () => call(user, "POST", "", { name: "Mine", ...MONTH }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 201, 201, 201, 409, 409, 409, 409]);
    const [first] = (await call<{ data: Budget[] }>(user, "GET")).body.data;
    await call(user, "DELETE", `/${first?.id}`);
    expect((await call(user, "POST", "", { name: "Mine", ...MONTH })).status).toBe(201);
  });

  test("every change stands in the audit", async () => {
    const user = await gateway.server.user();
    const rule = await make(user);
    await call(user, "PATCH", `/${rule.id}`, { limit: 20 });
    await call(user, "PUT", `/${rule.id}/extra`, { amount: 5, reason: "launch" });
    await call(user, "DELETE", `/${rule.id}`);
    const admin = await gateway.server.adminToken();
    const path = `/api/admin/audit?targetType=budget&targetId=${rule.id}`;
    const { body } = await gateway.server.api<{ data: Body[] }>("GET", path, admin);
    expect(body.data.map(({ action }) => action)).toEqual([
      "budget.delete",
      "budget.extra",
      "budget.update",
      "budget.create",
    ]);
    expect(body.data[1]).toMatchObject({ before: { extra: 0 }, after: { extra: 5, reason: "launch" } });
    expect(body.data[2]).toMatchObject({ before: { limit: 10 }, after: { limit: 20 } });
  });
});

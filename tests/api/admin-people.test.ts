import { describe, expect, test } from "vitest";
import { keyRecord } from "@/lib/api/schemas/keys";
import { listOf } from "@/lib/api/schemas/list-of";
import { adminUserListed, adminUserRecord, adminUserView, outcomes } from "@/lib/api/schemas/user-records";
import { DAY_MS } from "@/lib/kernel/durations";
import { markOf } from "@/lib/kernel/json-mark";
import { accountServer, type Body, createKey, signUp } from "../support/account-server";

const server = accountServer();
const admin = async <T = Body>(method: string, path: string, body?: unknown) =>
  server().api<T>(method, `/api/admin/${path}`, await server().adminToken(), body);
const selfStatus = async (token: string) => (await server().api("GET", "/api/user/self", token)).status;
const adminId = async () =>
  (await server().api<{ id: string }>("GET", "/api/user/self", await server().adminToken())).body.id;
const csv = async (path: string) => {
  const headers = { authorization: `Bearer ${await server().adminToken()}` };
  const answer = await fetch(`${server().url}/api/admin/${path}`, { headers });
  expect(answer.headers.get("content-type")).toContain("text/csv");
  const [head = "", ...lines] = (await answer.text()).trimEnd().split("\r\n");
  const names = head.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(names.map((name, index) => [name, cells[index]]));
  });
};

describe("a change of several accounts", () => {
  test("suspends those it can, tells of each that it cannot, and takes their keys away at once", async () => {
    const [one, two] = [await server().user(), await signUp(server())];
    const { id } = (await server().api<{ id: string }>("GET", "/api/user/self", one.token)).body;
    const ids = [id, await adminId(), two.id, "nobody"];
    const answer = await admin("PATCH", "users", { ids, status: "suspended", reason: "unpaid" });
    expect(answer.status).toBe(200);
    const { results } = outcomes.parse(answer.body);
    expect(results.map(({ id: of, error }) => [of, error && [error.code, error.reason]])).toEqual([
      [id, null],
      [ids[1], ["CONFLICT", "own_account"]],
      [two.id, null],
      ["nobody", ["NOT_FOUND", undefined]],
    ]);
    expect((await server().gateway("/v1/models", one.key)).status).toBe(401);
    expect(await selfStatus(two.token)).toBe(401);
    expect((await admin("GET", `users/${id}`)).body).toMatchObject({
      suspension: { since: expect.any(String), reason: "unpaid" },
    });
    expect((await admin("GET", `audit?targetId=${two.id}`)).body).toMatchObject({
      data: [{ action: "user.update", after: { suspension: { reason: "unpaid" } } }, {}],
    });
    const login = { username: one.username, password: "secret-password" };
    expect(await server().api("POST", "/api/user/login", undefined, login)).toMatchObject({
      status: 403,
      body: { error: { since: expect.any(String) } },
    });
    await admin("PATCH", "users", { ids, status: "active" });
    expect((await server().gateway("/v1/models", one.key)).status).toBe(200);
  });

  test("gives quota to each, with one line in each ledger and one entry in the audit", async () => {
    const people = [await signUp(server()), await signUp(server())];
    const ids = people.map(({ id }) => id);
    const answer = await admin("POST", "users/grants", {
      ids: [...ids, ids[0]],
      amount: 250,
      reason: "hackathon",
    });
    expect(answer).toMatchObject({ status: 200, body: { results: ids.map((id) => ({ id, error: null })) } });
    const taken = await admin("POST", "users/grants", { ids, amount: -1_251, reason: "too much" });
    expect(outcomes.parse(taken.body).results.map(({ error }) => error?.reason)).toEqual(
      ids.map(() => "quota_too_small"),
    );
    for (const { id, token } of people) {
      expect((await admin("GET", `users/${id}`)).body).toMatchObject({ quota: "1250" });
      expect((await server().api("GET", "/api/user/ledger", token)).body).toMatchObject({
        total: 2,
        data: [{ type: "grant", amount: "250", reason: "hackathon" }, { type: "signup" }],
      });
      expect((await admin("GET", `audit?targetId=${id}&action=user.grant`)).body).toMatchObject({ total: 1 });
    }
    const path = "audit?action=user.grant&search=hackathon&grouped=true";
    const grouped = (await admin<{ data: { batchId: string }[] }>("GET", path)).body;
    expect(grouped).toMatchObject({ total: 1, data: [{ targetId: ids[1], batchCount: 2 }] });
    expect((await admin("GET", `audit?batchId=${grouped.data[0]?.batchId}`)).body).toMatchObject({
      total: 2,
    });
  });

  test("changes the plan with the keys that had the old one", async () => {
    const user = await server().user();
    const { id } = (await server().api<{ id: string }>("GET", "/api/user/self", user.token)).body;
    await admin("PATCH", "users", { ids: [id], planId: 4 });
    const key = await server().api("GET", `/api/user/tokens/${user.keyId}`, user.token);
    expect(key.body).toMatchObject({ planId: 4 });
    const refused = await admin("PATCH", "users", { ids: [id], planId: 999 });
    const [unknownPlan] = outcomes.parse(refused.body).results;
    expect(unknownPlan).toMatchObject({ id, error: { code: "INVALID_REQUEST", reason: "unknown_plan" } });
    expect((await admin("GET", `users/${id}`)).body).toMatchObject({ planId: 4 });
  });

  test.each([
    {},
    { ids: [] },
    { ids: ["x"] },
    { ids: "x", planId: 1 },
    { ids: ["x"], role: "admin" },
    { ids: ["x"], status: "deleted" },
    { ids: Array.from({ length: 101 }, (_, index) => `${index}`), planId: 1 },
  ])("refuses %j as a whole", async (body) => {
    expect((await admin("PATCH", "users", body)).status).toBe(400);
  });

  test("is for admins only", async () => {
    const user = await signUp(server());
    const ask = (method: string, path: string, body: object) =>
      server().api(method, `/api/admin/${path}`, user.token, body);
    expect((await ask("PATCH", "users", { ids: [user.id], planId: 4 })).status).toBe(403);
    expect((await ask("POST", "users/grants", { ids: [user.id], amount: 1, reason: "x" })).status).toBe(403);
  });
});

/** Source: docs/contract.md#loaded. */
describe("two admins who change one record", () => {
  const send = async (method: string, path: string, body: object, loaded?: Record<string, unknown>) => {
    const authorization = `Bearer ${await server().adminToken()}`;
    const marks = Object.entries(loaded ?? {}).map(([name, value]) => [name, markOf(value)]);
    const header = loaded && { "x-loaded": new URLSearchParams(marks).toString() };
    const answer = await fetch(`${server().url}/api/admin/${path}`, {
      method,
      headers: { authorization, "content-type": "application/json", ...header },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const patch = (path: string, body: object, loaded?: Record<string, unknown>) =>
    send("PATCH", path, body, loaded);

  test("the second one is told who changed it and when, and may overwrite it; other fields do not matter", async () => {
    const limits = { qps: null, rpm: null, tpm: null };
    const plan = await admin<{ id: number; name: string }>("POST", "plans", { name: "Shared", ...limits });
    const path = `plans/${plan.body.id}`;
    expect(await patch(path, { rpm: 5 }, { rpm: null })).toMatchObject({ status: 200, body: { rpm: 5 } });
    expect(await patch(path, { rpm: 7 }, { rpm: null })).toMatchObject({
      status: 409,
      body: {
        error: {
          code: "CONFLICT",
          reason: "changed_since",
          by: "admin",
          since: expect.any(String),
          current: { name: "Shared", rpm: 5 },
        },
      },
    });
    expect((await admin("GET", path)).body).toMatchObject({ rpm: 5 });
    expect((await patch(path, { tpm: 70 }, { tpm: null })).status).toBe(200);
    expect(await patch(path, { rpm: 7 })).toMatchObject({ status: 200, body: { rpm: 7, tpm: 70 } });
    const reward = { inviteRewardCents: 1 };
    expect((await patch("settings", reward, { inviteRewardCents: 999 })).status).toBe(409);
    const user = await signUp(server());
    expect((await patch(`users/${user.id}`, { name: "A" }, { name: "" })).status).toBe(200);
    expect((await patch(`users/${user.id}`, { name: "B" }, { name: "" })).status).toBe(409);
  });

  test("of several accounts those that somebody has changed since stay as they are", async () => {
    const ids = [(await signUp(server())).id, (await signUp(server())).id];
    await admin("PATCH", "users", { ids, planId: 3 });
    await admin("PATCH", `users/${ids[1]}`, { planId: 4 });
    const { body } = await patch("users", { ids, planId: 1 }, { planId: 3 });
    expect(outcomes.parse(body).results.map(({ error }) => error?.reason)).toEqual([
      undefined,
      "changed_since",
    ]);
    expect((await admin("GET", `users/${ids[0]}`)).body).toMatchObject({ planId: 1 });
    expect((await admin("GET", `users/${ids[1]}`)).body).toMatchObject({ planId: 4 });
  });

  test("a price version does not follow one that its admin has not seen, be it in force or planned", async () => {
    const alias = "priced-by-two";
    const { id } = (await admin<{ id: string }>("POST", "models", { alias })).body;
    const seen = async () => {
      const { body } = await admin<{ newestPriceVersion?: number | null }>("GET", `models/${id}`);
      return { version: body.newestPriceVersion };
    };
    const price = { model: alias, input: 100, output: 200 };
    const later = { validFrom: new Date(Date.now() + DAY_MS).toISOString() };
    const unseen = {
      status: 409,
      body: { error: { reason: "changed_since", by: "admin", since: expect.any(String) } },
    };
    let before = await seen();
    for (const [version, change] of [{}, { input: 110 }, later, { ...later, input: 120 }].entries()) {
      const first = await send("POST", "prices", { ...price, ...change }, before);
      expect(first).toMatchObject({ status: 201, body: { version: version + 1 } });
      expect(await send("POST", "prices", price, before)).toMatchObject(unseen);
      before = await seen();
    }
    expect((await send("POST", "prices", price)).status).toBe(201);
  });
});

describe("one account's page", () => {
  test("lists its keys without secrets; a key that an admin disables is refused at once", async () => {
    const user = await server().user();
    const { id } = (await server().api<{ id: string }>("GET", "/api/user/self", user.token)).body;
    const answer = await admin("GET", `users/${id}/tokens`);
    const [key] = listOf(keyRecord.strict()).parse(answer.body).data;
    expect(key?.id).toBe(user.keyId);
    expect(JSON.stringify(answer.body)).not.toContain(user.key);
    const change = (status: string, tokenId = user.keyId) =>
      admin("PATCH", `users/${id}/tokens/${tokenId}`, { status });
    expect((await change("disabled")).body).toMatchObject({ status: "disabled" });
    expect((await server().gateway("/v1/models", user.key)).status).toBe(401);
    expect((await admin("GET", `audit?accountId=${id}&action=key.update`)).body).toMatchObject({
      data: [{ actorName: "admin", before: { status: "active" }, after: { status: "disabled" } }],
    });
    await change("active");
    expect((await server().gateway("/v1/models", user.key)).status).toBe(200);
    expect((await server().api("GET", `/api/user/tokens/${user.keyId}`, user.token)).body).toMatchObject({
      status: "active",
      blocked: false,
    });
    const other = await signUp(server());
    const { apiKey } = await createKey(server(), other.token);
    expect((await change("disabled", apiKey.id)).status).toBe(404);
    expect((await change("disabled", "nothing")).status).toBe(404);
  });

  test("changes of a key by an admin are in force at once, may give any plan, and are audited with the values before", async () => {
    const user = await server().user();
    const { id } = (await server().api<{ id: string }>("GET", "/api/user/self", user.token)).body;
    const change = (body: object) => admin("PATCH", `users/${id}/tokens/${user.keyId}`, body);
    const plan = await admin<{ id: number }>("POST", "plans", {
      name: `given-${user.keyId}`.slice(0, 40),
      qps: 5,
      rpm: 50,
      tpm: 5_000,
      selfService: false,
    });
    expect(plan.status).toBe(201);
    const expiresAt = "2035-01-01T00:00:00.000Z";
    const values = { name: "Renamed", quota: 700, planId: plan.body.id, models: ["demo-chat"], expiresAt };
    expect((await change(values)).body).toMatchObject(values);
    expect(await (await server().gateway("/v1/models", user.key)).json()).toMatchObject({
      data: [{ id: "demo-chat" }],
    });
    expect((await admin("GET", `audit?accountId=${id}&action=key.update`)).body).toMatchObject({
      data: [{ actorName: "admin", before: { models: null, expiresAt: null }, after: values }],
    });
    for (const wrong of [
      { quota: -1 },
      { planId: 999_999 },
      { expiresAt: "2020-01-01" },
      { name: " " },
      { models: ["no-such"] },
    ])
      expect((await change(wrong)).status).toBe(400);
    expect((await change({ quota: 1 })).body).toMatchObject({ ...values, quota: 1 });
  });

  test("a key that an admin deletes is refused at once and gone; that of another account is not touched", async () => {
    const user = await server().user();
    const { id } = (await server().api<{ id: string }>("GET", "/api/user/self", user.token)).body;
    const other = await signUp(server());
    const { apiKey } = await createKey(server(), other.token);
    const remove = async (tokenId: string) => (await admin("DELETE", `users/${id}/tokens/${tokenId}`)).status;
    expect([await remove(apiKey.id), await remove("nothing")]).toEqual([404, 404]);
    expect(await remove(user.keyId)).toBe(204);
    expect((await server().gateway("/v1/models", user.key)).status).toBe(401);
    expect((await admin("GET", `users/${id}/tokens`)).body).toMatchObject({ data: [] });
    expect((await admin("GET", `audit?accountId=${id}&action=key.delete`)).body).toMatchObject({
      data: [{ actorName: "admin", targetId: user.keyId, before: { status: "active" }, after: null }],
    });
  });

  test("a key that an admin has disabled stays so until an admin enables it, whatever its user asks", async () => {
    const user = await server().user();
    const { id } = (await server().api<{ id: string }>("GET", "/api/user/self", user.token)).body;
    const byAdmin = (status: string) => admin("PATCH", `users/${id}/tokens/${user.keyId}`, { status });
    const byUser = (body: Body) => server().api("PATCH", `/api/user/tokens/${user.keyId}`, user.token, body);
    expect((await byAdmin("disabled")).body).toMatchObject({ status: "disabled", blocked: true });
    expect(await byUser({ status: "active" })).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT" } },
    });
    expect((await byUser({ status: "disabled", name: "Renamed" })).body).toMatchObject({
      name: "Renamed",
      status: "disabled",
      blocked: true,
    });
    expect((await byUser({ status: "active" })).status).toBe(409);
    expect((await server().gateway("/v1/models", user.key)).status).toBe(401);
    expect((await byAdmin("active")).body).toMatchObject({ status: "active", blocked: false });
    expect((await server().gateway("/v1/models", user.key)).status).toBe(200);
    expect((await byUser({ status: "disabled" })).body).toMatchObject({ status: "disabled", blocked: false });
    expect((await byUser({ status: "active" })).body).toMatchObject({ status: "active" });
  });

  test("is found by the prefix of a key, or by a whole key that is pasted", async () => {
    const user = await server().user();
    for (const search of [user.key.slice(0, 9), user.key]) {
      const found = await admin<{ data: { username: string }[] }>("GET", `users?search=${search}`);
      expect(found.body.data.map(({ username }) => username)).toEqual([user.username]);
    }
    const none = await admin<{ data: unknown[] }>("GET", "users?search=tgw-00000000");
    expect(none.body.data).toEqual([]);
  });

  test("ends all its sessions, with an entry in the audit", async () => {
    const user = await signUp(server());
    expect((await admin("POST", `users/${user.id}/logout-everywhere`)).status).toBe(204);
    expect(await selfStatus(user.token)).toBe(401);
    expect((await admin("GET", `audit?targetId=${user.id}`)).body).toMatchObject({
      data: [
        { action: "user.logout", actorName: "admin", names: { [user.id]: user.username } },
        { action: "user.register", actorId: user.id, actorName: user.username, after: { planId: 1 } },
      ],
    });
    expect((await admin("POST", "users/nobody/logout-everywhere")).status).toBe(404);
  });

  test("shows exact amounts and the last use of its keys", async () => {
    const user = await server().user();
    const { id } = (await server().api<{ id: string }>("GET", "/api/user/self", user.token)).body;
    const before = adminUserView.parse((await admin("GET", `users/${id}`)).body);
    expect(before).toMatchObject({ usedExact: "0", heldExact: "0", suspension: null });
    const fields = { model: "demo-chat", max_tokens: 5, messages: [{ role: "user", content: "Hi" }] };
    const call = await server().gateway("/v1/chat/completions", user.key, fields);
    const cost = call.headers.get("x-tollgate-cost");
    const after = adminUserView.parse((await admin("GET", `users/${id}`)).body);
    expect(after).toMatchObject({ usedExact: cost, heldExact: "0", lastActiveAt: expect.any(String) });
  });
});

describe("the files", () => {
  test("of accounts hold the filtered list with exact amounts in cents, and formulas are text", async () => {
    const user = await server().user();
    const { id } = (await server().api<{ id: string }>("GET", "/api/user/self", user.token)).body;
    await admin("PATCH", `users/${id}`, { name: "=1+1" });
    const fields = { model: "demo-chat", max_tokens: 5, messages: [{ role: "user", content: "Hi" }] };
    const call = await server().gateway("/v1/chat/completions", user.key, fields);
    const rows = await csv(`users/export?search=${user.username}`);
    const quotaCents = adminUserView.parse((await admin("GET", `users/${id}`)).body).quota;
    expect(rows).toMatchObject([
      { id, username: user.username, name: "'=1+1", plan: "Free", quotaCents, heldCents: "0" },
    ]);
    const cost = call.headers.get("x-tollgate-cost");
    expect(rows[0]).toMatchObject({ usedCents: cost, billed30dCents: cost });
    const path = `users?search=${user.username}&sort=billed30d&tz=Asia/Shanghai`;
    expect(listOf(adminUserListed).parse((await admin("GET", path)).body).data).toMatchObject([
      { id, billed30d: cost, keyPlanIds: [1] },
    ]);
    expect(await csv(`users/export?search=${user.username}&role=admin`)).toEqual([]);
  });

  /** Source: docs/projects.md#cost-centres. */
  test("of accounts have the cost centre that an admin has written, at creation or later", async () => {
    const username = `centre${Date.now()}`;
    const made = await admin("POST", "users", { username, password: "secret-1", costCentre: "=4711" });
    expect(made).toMatchObject({ status: 201, body: { costCentre: "=4711" } });
    expect(await csv(`users/export?search=${username}`)).toMatchObject([{ costCentre: "'=4711" }]);
    const { id } = adminUserRecord.parse(made.body);
    expect((await admin("PATCH", `users/${id}`, { costCentre: "x".repeat(41) })).status).toBe(400);
    expect((await admin("PATCH", `users/${id}`, { costCentre: "" })).body).toMatchObject({ costCentre: "" });
    expect(await csv(`users/export?search=${username}&columns=username,costCentre`)).toEqual([
      { username, costCentre: "" },
    ]);
  });

  test("of accounts are in the order and have the columns that are asked for", async () => {
    const group = `order${Date.now()}`;
    for (const quota of [300, 100, 200])
      await admin("POST", "users", { username: `${group}x${quota}`, password: "secret-1", quota });
    const path = `users/export?search=${group}`;
    expect((await csv(path)).map(({ quotaCents }) => quotaCents)).toEqual(["100", "200", "300"]);
    expect(await csv(`${path}&sort=remaining&order=desc&columns=quotaCents,username`)).toEqual(
      [300, 200, 100].map((quota) => ({ username: `${group}x${quota}`, quotaCents: String(quota) })),
    );
    expect((await admin("GET", "users/export?columns=username,secret")).status).toBe(400);
  });

  test("of an account's ledger hold what its filter leaves", async () => {
    const user = await signUp(server());
    await admin("POST", `users/${user.id}/grants`, { amount: 700, reason: "welcome" });
    expect(await csv(`users/${user.id}/grants/export?type=grant`)).toMatchObject([
      { type: "grant", amountCents: "700", reason: "welcome" },
    ]);
    expect(await csv(`users/${user.id}/grants/export?type=charge`)).toEqual([]);
  });

  test("of the audit name people, and take the filters of the list", async () => {
    const user = await signUp(server());
    await admin("POST", `users/${user.id}/logout-everywhere`);
    expect(await csv(`audit/export?accountId=${user.id}`)).toMatchObject([
      { actor: "admin", action: "user.logout", target: user.username, targetId: user.id },
      { actor: user.username, action: "user.register", target: user.username, targetId: user.id },
    ]);
  });

  test.each(["users/export", "audit/export"])("%s is for admins only", async (path) => {
    const { token } = await signUp(server());
    expect((await server().api("GET", `/api/admin/${path}`, token)).status).toBe(403);
  });
});

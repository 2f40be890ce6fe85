import { describe, expect, test } from "vitest";
import { keyLimits, keyRecord } from "@/lib/api/schemas/keys";
import { listOf } from "@/lib/api/schemas/list-of";
import { type ApiError, accountServer, type Body, createKey, signUp } from "../support/account-server";

const server = accountServer();
const TOKENS = "/api/user/tokens";

const create = (token: string, fields: Body = {}) => createKey(server(), token, fields);
const models = async (key: string) => (await server().gateway("/v1/models", key)).status;

describe("a new key", () => {
  /** Source: docs/reliability.md#r-119. */
  test("is shown once, and later only by its beginning", async () => {
    const { token } = await signUp(server());
    const { apiKey, key } = await create(token, { name: "first" });
    expect(key).toMatch(/^tgw-[0-9A-Za-z]{46}$/);
    expect(key.startsWith(apiKey.keyPrefix)).toBe(true);
    expect(apiKey).toMatchObject({
      name: "first",
      status: "active",
      quota: 500,
      usedQuota: 0,
      held: 0,
      planId: 1,
    });
    const list = await server().api("GET", TOKENS, token);
    expect(listOf(keyRecord).parse(list.body).data).toEqual([apiKey]);
    const one = await server().api("GET", `${TOKENS}/${apiKey.id}`, token);
    expect(one.body).toEqual(apiKey);
    for (const { body } of [list, one]) expect(JSON.stringify(body)).not.toContain(key.slice(12, 30));
    expect(await models(key)).toBe(200);
  });

  test("keeps its settings", async () => {
    const { token } = await signUp(server());
    const { apiKey } = await create(token, {
      quota: 7,
      models: ["demo-chat", "demo-chat"],
      planId: 2,
      expiresAt: "2090-01-31",
    });
    expect(apiKey).toMatchObject({
      quota: 7,
      models: ["demo-chat"],
      planId: 2,
      expiresAt: "2090-01-31T23:59:59.999Z",
    });
  });

  /** Source: docs/reliability.md#r-12, #r-103, #r-120, #r-127. */
  test.each([
    [{ name: "" }, 400],
    [{ name: "x".repeat(101) }, 400],
    [{ quota: null }, 400],
    [{ quota: -1 }, 400],
    [{ quota: 1.5 }, 400],
    [{ quota: 0.5 }, 400],
    [{ quota: "NaN" }, 400],
    [{ quota: [5] }, 400],
    [{ quota: "5" }, 400],
    [{ quota: 1e13 }, 400],
    [{ expiresAt: "2020-01-01" }, 400],
    [{ expiresAt: "2030-02-30" }, 400],
    [{ expiresAt: 5 }, 400],
    [{ expiresAt: "soon" }, 400],
    [{ expiresAt: "" }, 400],
    [{ models: "demo-chat" }, 400],
    [{ planId: 999 }, 400],
    [{ planId: -1 }, 400],
    [{ planId: "1" }, 400],
    [{ planId: null }, 400],
    [{ planId: 1e20 }, 400],
    [{ planId: 4 }, 403],
    [{ name: "a\u0000b" }, 400],
    [{ name: "\ud800" }, 400],
    [{ usedQuota: 0 }, 400],
    [{ userId: "x" }, 400],
  ])("with %j is refused", async (fields, expected) => {
    const { token } = await signUp(server());
    const { status, body } = await server().api<ApiError>("POST", TOKENS, token, { name: "key", ...fields });
    expect(status).toBe(expected);
    expect(body.error.code).toBe(expected === 403 ? "FORBIDDEN" : "INVALID_REQUEST");
    expect((await server().api<{ total: number }>("GET", TOKENS, token)).body.total).toBe(0);
  });

  test("may be on the account's own plan even when that is not for self-service", async () => {
    const user = await signUp(server());
    await server().api("PATCH", `/api/admin/users/${user.id}`, await server().adminToken(), { planId: 4 });
    expect((await create(user.token)).apiKey.planId).toBe(4);
  });
});

describe("changing a key", () => {
  test("takes effect on the very next request", async () => {
    const { token } = await signUp(server());
    const { apiKey, key } = await create(token);
    const path = `${TOKENS}/${apiKey.id}`;
    expect(await models(key)).toBe(200);
    expect((await server().api("PATCH", path, token, { status: "disabled" })).body).toMatchObject({
      status: "disabled",
    });
    expect(await models(key)).toBe(401);
    expect(
      (await server().api("PUT", path, token, { status: "active", name: "renamed" })).body,
    ).toMatchObject({
      name: "renamed",
    });
    expect(await models(key)).toBe(200);
  });

  test("obeys the same rules as making one", async () => {
    const { token } = await signUp(server());
    const { apiKey } = await create(token);
    const patch = async (fields: Body) =>
      (await server().api("PATCH", `${TOKENS}/${apiKey.id}`, token, fields)).status;
    expect(await patch({ planId: 4 })).toBe(403);
    expect(await patch({ planId: 999 })).toBe(400);
    expect(await patch({ planId: 3 })).toBe(200);
    expect(await patch({ status: "deleted" })).toBe(400);
    expect(await patch({ quota: null })).toBe(400);
    expect(await patch({ expiresAt: "2020-01-01" })).toBe(400);
    expect(await patch({ models: null, expiresAt: null })).toBe(200);
    expect(await patch({})).toBe(200);
    expect(await patch({ key: "tgw-x" })).toBe(400);
    expect(await patch({ name: "x", usedQuota: 0 })).toBe(400);
    expect(await patch({ name: "x", userId: "x" })).toBe(400);
  });

  /** Source: docs/reliability.md#r-12. */
  test("a quota that is no whole number of cents is refused when it is made and when it is changed, and nothing changes", async () => {
    const { token } = await signUp(server());
    const { apiKey } = await create(token, { quota: 10 });
    const path = `${TOKENS}/${apiKey.id}`;
    // As they stand in the body: some are no JSON, some more than a number holds.
    const odd = [
      "-1",
      "0.5",
      "1e309",
      "-1e309",
      '"5"',
      "NaN",
      '"NaN"',
      "10000000000000",
      "1e13",
      "null",
      "true",
      "[5]",
    ];
    for (const quota of odd) {
      for (const [method, url] of [
        ["POST", TOKENS],
        ["PATCH", path],
        ["PUT", path],
      ] as const) {
        const refused = await fetch(server().url + url, {
          method,
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: `{"name":"odd","quota":${quota}}`,
        });
        expect([method, quota, refused.status]).toEqual([method, quota, 400]);
      }
    }
    expect((await server().api("GET", path, token)).body).toEqual(apiKey);
    expect((await server().api<{ total: number }>("GET", TOKENS, token)).body.total).toBe(1);
    for (const quota of [0, 10]) {
      expect((await create(token, { quota })).apiKey.quota).toBe(quota);
      expect((await server().api("PATCH", path, token, { quota })).body).toMatchObject({ quota });
    }
  });

  /** Source: docs/reliability.md#r-120. */
  test("leaves the limits those of the plan that the account may have", async () => {
    const { token } = await signUp(server());
    const { apiKey } = await create(token);
    for (const planId of [4, -1, 0, 999, 1.5, "4", null, true]) {
      const refused = await server().api("PATCH", `${TOKENS}/${apiKey.id}`, token, { planId });
      expect([planId, [400, 403].includes(refused.status)]).toEqual([planId, true]);
    }
    const { body } = await server().api("GET", `${TOKENS}/${apiKey.id}/limits`, token);
    expect(keyLimits.parse(body)).toMatchObject({ plan: { id: 1 }, qps: { limit: 2 }, rpm: { limit: 20 } });
  });
});

test("a deleted key is gone for ever, its secret too", async () => {
  const { token } = await signUp(server());
  const { apiKey, key } = await create(token);
  const path = `${TOKENS}/${apiKey.id}`;
  expect((await server().api("DELETE", path, token)).status).toBe(204);
  expect(await models(key)).toBe(401);
  for (const method of ["GET", "DELETE"]) expect((await server().api(method, path, token)).status).toBe(404);
  expect((await server().api("PATCH", path, token, { status: "active" })).status).toBe(404);
  expect((await server().api<{ total: number }>("GET", TOKENS, token)).body.total).toBe(0);
});

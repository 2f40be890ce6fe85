import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createKeyResponse, keyLimits, keyRecord } from "@/lib/api/schemas/keys";
import { listOf } from "@/lib/api/schemas/lists";
import { type ApiError, accountServer, type Body, signUp } from "../support/account-server";

const server = accountServer();
const TOKENS = "/api/user/tokens";

const create = async (token: string, fields: Body = {}) => {
  const { status, body } = await server().api("POST", TOKENS, token, { name: "key", ...fields });
  expect(status).toBe(201);
  return createKeyResponse.parse(body);
};
const models = async (key: string) => (await server().gateway("/v1/models", key)).status;

describe("a new key", () => {
  /** Source: reliability 4.7 (119). */
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

  /** Source: reliability 4.1 (12), 4.7 (103, 120), 4.8 (127). */
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

  /** Source: reliability 4.1 (12). */
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

  /** Source: reliability 4.7 (120). */
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

/** Source: reliability 4.7 (107). */
describe("another account's key", () => {
  test("is forbidden, an unknown or malformed id is not found, and nothing changes", async () => {
    const owner = await signUp(server());
    const stranger = await signUp(server());
    const { apiKey } = await create(owner.token);
    const unknown = "7b0f8f9e-1111-4222-8333-444455556666";
    for (const [id, expected] of [
      [apiKey.id, 403],
      [unknown, 404],
      ["1", 404],
      ["%27%20OR%201%3D1", 404],
    ] as const) {
      const path = `${TOKENS}/${id}`;
      expect((await server().api("GET", path, stranger.token)).status).toBe(expected);
      expect((await server().api("PATCH", path, stranger.token, { name: "mine" })).status).toBe(expected);
      expect((await server().api("DELETE", path, stranger.token)).status).toBe(expected);
      expect((await server().api("GET", `${path}/limits`, stranger.token)).status).toBe(expected);
    }
    for (const path of ["logs", "stats", "logs/export"]) {
      const url = `/api/user/${path}?tokenId=`;
      expect((await server().api("GET", url + apiKey.id, stranger.token)).status).toBe(403);
      expect((await server().api("GET", url + unknown, stranger.token)).status).toBe(404);
    }
    expect((await server().api("GET", `${TOKENS}/${apiKey.id}`, owner.token)).body).toEqual(apiKey);
  });
});

/** Source: reliability 4.7 (119). */
test("after its creation neither the key nor its hash is in any answer", async () => {
  const user = await signUp(server());
  const made = await server().api("POST", TOKENS, user.token, { name: "shown once" });
  expect(made.headers.get("cache-control")).toBe("no-store");
  const { apiKey, key } = createKeyResponse.parse(made.body);
  const message = { model: "demo-chat", max_tokens: 5, messages: [{ role: "user", content: "Hi" }] };
  const answer = await server().gateway("/v1/chat/completions", key, message);
  const requestId = answer.headers.get("x-request-id");
  expect(JSON.stringify([...answer.headers]) + (await answer.text())).not.toContain(key.slice(4));
  const hash = createHash("sha256").update(key).digest();
  const admin = await server().adminToken();
  const paths = [
    TOKENS,
    `${TOKENS}/${apiKey.id}`,
    `${TOKENS}/${apiKey.id}/limits`,
    "/api/user/self",
    "/api/user/logs",
    `/api/user/logs/${requestId}`,
    "/api/user/logs/export",
    "/api/user/ledger",
    "/api/user/stats",
  ];
  const adminPaths = [
    "/api/admin/logs",
    `/api/admin/logs/${requestId}`,
    `/api/admin/users/${user.id}`,
    "/api/admin/audit",
  ];
  for (const path of [...paths, ...adminPaths]) {
    const seen = await fetch(server().url + path, {
      headers: { authorization: `Bearer ${adminPaths.includes(path) ? admin : user.token}` },
    });
    const text = await seen.text();
    expect([path, seen.status]).toEqual([path, 200]);
    for (const secret of [
      key,
      key.slice(4, 44),
      key.slice(20),
      hash.toString("hex"),
      hash.toString("base64"),
    ])
      expect(text).not.toContain(secret);
  }
  const changed = await server().api("PATCH", `${TOKENS}/${apiKey.id}`, user.token, { name: "other" });
  expect(JSON.stringify(changed.body)).not.toContain(key.slice(20));
  expect(key.startsWith(apiKey.keyPrefix)).toBe(true);
  expect(apiKey.keyPrefix).toHaveLength(12);
});

test("the limits of a key are those of its plan, and asking for them counts nothing", async () => {
  const { token } = await signUp(server());
  const { apiKey, key } = await create(token);
  const limits = async () => {
    const { body } = await server().api("GET", `${TOKENS}/${apiKey.id}/limits`, token);
    return keyLimits.parse(body);
  };
  expect(await limits()).toMatchObject({
    plan: { id: 1, name: "Free" },
    qps: { limit: 2, used: 0 },
    rpm: { limit: 20, used: 0 },
    tpm: { limit: 40_000, used: 0 },
  });
  const message = { model: "demo-chat", max_tokens: 5, messages: [{ role: "user", content: "Hi" }] };
  expect((await server().gateway("/v1/chat/completions", key, message)).status).toBe(200);
  expect(await limits()).toMatchObject({ rpm: { used: 1 } });
});

describe("the list of keys", () => {
  test("comes in pages, newest first", async () => {
    const { token } = await signUp(server());
    for (const name of ["one", "two", "three"]) await create(token, { name });
    const page = async (query: string) => (await server().api<Body>("GET", `${TOKENS}?${query}`, token)).body;
    expect(await page("pageSize=2")).toMatchObject({
      page: 1,
      pageSize: 2,
      total: 3,
      data: [{ name: "three" }, { name: "two" }],
    });
    expect(await page("pageSize=2&page=2")).toMatchObject({ data: [{ name: "one" }] });
  });

  /** Source: reliability 4.8 (124). */
  test.each([
    "pageSize=101",
    "pageSize=0",
    "page=0",
    "page=-1",
    "page=1e9",
    "page='%3Bdrop",
    "page=1&page=2",
  ])("refuses ?%s", async (query) => {
    const { token } = await signUp(server());
    expect((await server().api("GET", `${TOKENS}?${query}`, token)).status).toBe(400);
  });
});

test("what happens to a key is in the audit, the key itself is not", async () => {
  const { token } = await signUp(server());
  const { apiKey, key } = await create(token);
  await server().api("PATCH", `${TOKENS}/${apiKey.id}`, token, { quota: 9 });
  await server().api("DELETE", `${TOKENS}/${apiKey.id}`, token);
  const admin = await server().adminToken();
  const { body } = await server().api("GET", `/api/admin/audit?targetId=${apiKey.id}`, admin);
  expect(body).toMatchObject({
    data: [{ action: "key.delete" }, { action: "key.update", after: { quota: 9 } }, { action: "key.create" }],
  });
  expect(JSON.stringify(body)).not.toContain(key);
});

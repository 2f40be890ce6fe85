import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createKeyResponse, keyLimits } from "@/lib/api/schemas/keys";
import { type ApiError, accountServer, type Body, createKey, signUp } from "../support/account-server";

const server = accountServer();
const TOKENS = "/api/user/tokens";
const create = (token: string, fields: Body = {}) => createKey(server(), token, fields);

/** Source: docs/reliability.md#r-107. */
describe("another account's key", () => {
  test("is answered in the words of an unknown or malformed id, and nothing changes", async () => {
    const owner = await signUp(server());
    const stranger = await signUp(server());
    const { apiKey } = await create(owner.token);
    const unknown = "7b0f8f9e-1111-4222-8333-444455556666";
    const answer = async (method: string, path: string, body?: unknown) => {
      const { status, body: told } = await server().api<ApiError>(method, path, stranger.token, body);
      const { requestId: _own, ...error } = told.error;
      return { status, error };
    };
    const notFound = { status: 404, error: { code: "NOT_FOUND", message: "There is no such key." } };
    for (const id of [apiKey.id, unknown, "1", "%27%20OR%201%3D1"]) {
      const path = `${TOKENS}/${id}`;
      expect(await answer("GET", path)).toEqual(notFound);
      expect(await answer("PATCH", path, { name: "mine" })).toEqual(notFound);
      expect(await answer("DELETE", path)).toEqual(notFound);
      expect(await answer("GET", `${path}/limits`)).toEqual(notFound);
    }
    for (const path of ["logs", "logs/values", "logs/volume", "stats", "logs/export"])
      for (const id of [apiKey.id, unknown])
        expect(await answer("GET", `/api/user/${path}?tokenId=${id}`)).toEqual(notFound);
    expect((await server().api("GET", `${TOKENS}/${apiKey.id}`, owner.token)).body).toEqual(apiKey);
  });
});

/** Source: docs/reliability.md#r-119. */
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

  /** Source: docs/reliability.md#r-124. */
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
    data: [
      { action: "key.delete", before: { name: apiKey.name, quota: 9 }, after: null },
      { action: "key.update", before: { quota: apiKey.quota }, after: { quota: 9 } },
      { action: "key.create", before: null },
    ],
  });
  expect(JSON.stringify(body)).not.toContain(key);
});

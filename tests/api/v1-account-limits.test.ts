import { describe, expect, test } from "vitest";
import { accountUse, limitedAccount, setOwnLimits } from "../support/account-limits";
import {
  chatBody,
  type ErrorBody,
  eventually,
  gatewayFor,
  logEntry,
  requestIdOf,
} from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";

const plan = { qps: null, rpm: null, tpm: null, keyQuotaCents: 1_000_000, selfService: true };
const gateway = gatewayFor({
  plans: [
    { id: 1, name: "Free", qps: 2, rpm: 20, tpm: 40_000, keyQuotaCents: 500, selfService: true },
    { ...plan, id: 2, name: "Pro" },
    { ...plan, id: 3, name: "Shared", accountLimits: { rpm: 3, keys: 2 } },
    { ...plan, id: 4, name: "Two at once", concurrent: 2 },
  ],
  models: [
    { alias: "good", routes: [["chat", "sim-usage-10-5"]] },
    { alias: "hangs", routes: [["chat", "sim-hang"]] },
    { alias: "unreachable", routes: [["refusing", "sim-a"]] },
    { alias: "breaking", routes: [["chat", "sim-cut-after-4"]] },
    { alias: "stored", routes: [["responses", "sim-usage-10-5"]] },
    { alias: "vectors", kind: "embedding", routes: [["chat", "sim-embedding"]] },
  ],
});
const CHAT = "/v1/chat/completions";

const call = (user: TestUser, body: object = chatBody("good"), path = CHAT) =>
  gateway.server.gateway(path, user.key, body);

async function statusesOf(calls: Promise<Response>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const answer of await Promise.all(calls)) {
    await answer.arrayBuffer();
    counts[answer.status] = (counts[answer.status] ?? 0) + 1;
  }
  return counts;
}

async function keysOf(account: TestUser, count: number, fields: object = {}): Promise<TestUser[]> {
  const keys: TestUser[] = [];
  for (let made = 0; made < count; made += 1) keys.push(await gateway.server.key(account, { ...fields }));
  return keys;
}

/** Source: docs/contract.md#account-limits. */
describe("the limits of an account", () => {
  test("pass no more than the account may over ten keys on Free at once", async () => {
    const account = await limitedAccount(gateway.server, { rpm: 5 });
    const keys = await keysOf(account, 9, { planId: 1 });
    const counts = await statusesOf([account, ...keys].flatMap((key) => [call(key), call(key)]));
    // A machine under load may shed a call before its limits are asked.
    expect(counts[200]).toBeGreaterThan(0);
    expect(counts[200]).toBeLessThanOrEqual(5);
    expect((counts[200] ?? 0) + (counts[429] ?? 0) + (counts[503] ?? 0)).toBe(20);
    expect(counts[429]).toBeGreaterThan(0);
  });

  test("hold for a key that is bound to a better plan, when it is made and afterwards", async () => {
    const account = await limitedAccount(gateway.server, { rpm: 2 });
    const [pro] = await keysOf(account, 1, { planId: 2 });
    if (pro === undefined) throw new Error("no key");
    expect(await statusesOf(Array.from({ length: 10 }, () => call(pro)))).toEqual({ 200: 2, 429: 8 });
    const changed = await gateway.server.api("PATCH", `/api/user/tokens/${account.keyId}`, account.token, {
      planId: 2,
    });
    expect(changed.status).toBe(200);
    expect((await call(account)).status).toBe(429);
  });

  test("say which limit of the account refused, when to come back, and stand in the log", async () => {
    const account = await limitedAccount(gateway.server, { rpm: 1 }, { planId: 2 });
    const first = await call(account);
    expect(first.headers.get("x-ratelimit-limit-requests")).toBe("1");
    expect(first.headers.get("x-ratelimit-remaining-requests")).toBe("0");
    const refused = await call(account);
    const { error } = (await refused.json()) as ErrorBody;
    expect(error).toMatchObject({
      code: "RATE_LIMITED",
      details: { error_code: "RATE_LIMITED", reason: "account_limit", limit: "rpm" },
    });
    expect(error.message).toContain("The account allows 1 requests per minute, over all its keys.");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50);
    const entry = await logEntry(gateway.server, account, requestIdOf(refused));
    expect(entry).toMatchObject({ limit: { name: "rpm", allowed: 1, level: "account" } });
  });

  test("of tokens reserve before and count what was used after, over all keys", async () => {
    const account = await limitedAccount(gateway.server, { tpm: 1_000 }, { planId: 2 });
    const [other] = await keysOf(account, 1, { planId: 2 });
    if (other === undefined) throw new Error("no key");
    await statusesOf([call(account, chatBody("good", { max_tokens: 600 }))]);
    expect((await accountUse(gateway.server, other))?.tpm).toMatchObject({ limit: 1_000, used: 15 });
    const held = Array.from({ length: 3 }, () => call(other, chatBody("hangs", { max_tokens: 400 })));
    held.forEach((answer) => void answer.catch(() => null));
    await eventually(async () => ((await accountUse(gateway.server, account))?.tpm?.used ?? 0) > 800 || null);
    const refused = await call(account, chatBody("good", { max_tokens: 600 }));
    expect(((await refused.json()) as ErrorBody).error.details).toMatchObject({ limit: "tpm" });
  });

  test("come from the plan of the account, and an own one, also none, replaces that of the plan", async () => {
    const account = await limitedAccount(gateway.server, null);
    const admin = await gateway.server.adminToken();
    await gateway.server.api("PATCH", `/api/admin/users/${account.id}`, admin, { planId: 3 });
    const five = () => statusesOf(Array.from({ length: 5 }, () => call(account)));
    expect(await five()).toEqual({ 200: 3, 429: 2 });
    await setOwnLimits(gateway.server, account.id, { rpm: 4 });
    expect(await five()).toEqual({ 200: 1, 429: 4 });
    await setOwnLimits(gateway.server, account.id, { rpm: null });
    expect(await five()).toEqual({ 200: 5 });
    const self = await gateway.server.api("GET", "/api/user/self", account.token);
    expect(self.body).toMatchObject({
      accountLimits: { qps: null, rpm: null, tpm: null, concurrent: null, keys: 2 },
    });
  });

  test("count embeddings and Responses as every other call, and token counts not at all", async () => {
    const account = await limitedAccount(gateway.server, { rpm: 3 }, { planId: 2 });
    expect((await call(account, { model: "vectors", input: "a" }, "/v1/embeddings")).status).toBe(200);
    const first = await call(account, { model: "stored", input: "Hello." }, "/v1/responses");
    const { id } = (await first.json()) as { id: string };
    const next = { model: "stored", input: "And?", previous_response_id: id };
    expect((await call(account, next, "/v1/responses/input_tokens")).status).toBe(200);
    expect((await call(account, chatBody("good"), "/v1/messages/count_tokens")).status).toBe(200);
    expect((await call(account, next, "/v1/responses")).status).toBe(200);
    expect((await call(account, next, "/v1/responses")).status).toBe(429);
    expect((await accountUse(gateway.server, account))?.rpm).toMatchObject({ limit: 3, used: 3 });
  });

  test("are not there for an account without any: nothing is told of them", async () => {
    const user = await gateway.server.user();
    expect(await accountUse(gateway.server, user)).toBeNull();
    const usage = await gateway.server.gateway("/v1/usage", user.key);
    expect(await usage.json()).toMatchObject({ accountLimits: null });
    const limits = await gateway.server.api("GET", `/api/user/tokens/${user.keyId}/limits`, user.token);
    expect(limits.body).toMatchObject({ account: null });
    expect(limits.body).not.toHaveProperty("concurrent");
  });
});

/** Source: docs/reliability.md#account-limits. */
describe("calls at once", () => {
  const running = async (user: TestUser) => (await accountUse(gateway.server, user))?.concurrent?.used;

  /** Begins a call that no node answers; its client leaves when told. */
  function hang(user: TestUser): AbortController {
    const leaving = new AbortController();
    fetch(gateway.server.url + CHAT, {
      method: "POST",
      headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
      body: JSON.stringify(chatBody("hangs")),
      signal: leaving.signal,
    }).catch(() => null);
    return leaving;
  }

  test("of an account are limited over all its keys, and a client that leaves makes room", async () => {
    const account = await limitedAccount(gateway.server, { concurrent: 3 }, { planId: 2 });
    const keys = [account, ...(await keysOf(account, 2, { planId: 2 }))];
    const calls = keys.map(hang);
    await eventually(async () => ((await running(account)) === 3 ? true : null));
    for (const key of keys) {
      const refused = await call(key);
      expect(refused.status).toBe(429);
      expect(refused.headers.get("retry-after")).toBe("1");
      expect(((await refused.json()) as ErrorBody).error.details).toMatchObject({
        reason: "account_limit",
        limit: "concurrent",
      });
    }
    calls[0]?.abort();
    await eventually(async () => ((await running(account)) === 2 ? true : null));
    expect((await call(account)).status).toBe(200);
    for (const leaving of calls) leaving.abort();
    await eventually(async () => ((await running(account)) === 0 ? true : null));
  });

  test("of a key are limited by its plan, and another key of the account is not touched", async () => {
    const user = await gateway.server.user({ planId: 4 });
    const other = await gateway.server.key(user, { planId: 4 });
    const calls = [hang(user), hang(user)];
    const limits = async () => {
      const answer = await gateway.server.gateway("/v1/usage", user.key);
      return ((await answer.json()) as { limits: { concurrent?: { used: number } } }).limits.concurrent?.used;
    };
    await eventually(async () => ((await limits()) === 2 ? true : null));
    const refused = await call(user);
    const { error } = (await refused.json()) as ErrorBody;
    expect(error.details).toMatchObject({ reason: "key_limit", limit: "concurrent" });
    expect(error.message).toContain("The plan Two at once allows 2 calls at once.");
    expect((await call(other)).status).toBe(200);
    for (const leaving of calls) leaving.abort();
    await eventually(async () => ((await limits()) === 0 ? true : null));
  });

  test.each([
    ["an answer", 200, chatBody("good")],
    ["a stream", 200, chatBody("good", { stream: true })],
    ["a stream that breaks", 200, chatBody("breaking", { stream: true })],
    ["a node that is not there", 503, chatBody("unreachable")],
    ["a quota that does not suffice", 402, chatBody("good")],
    ["a request that is refused as invalid", 400, chatBody("good", { max_tokens: 0 })],
    ["a dry run", 200, chatBody("good")],
  ])("give their place back after %s", async (name, status, body) => {
    const quota = status === 402 ? 0 : 1_000;
    const account = await limitedAccount(gateway.server, { concurrent: 1 }, { planId: 2, quota });
    const headers: Record<string, string> = name === "a dry run" ? { "x-tollgate-explain": "1" } : {};
    for (let times = 0; times < 3; times += 1) {
      const answer = await gateway.server.gateway(CHAT, account.key, body, headers);
      await answer.arrayBuffer().catch(() => null);
      expect(answer.status).toBe(status);
      await eventually(async () => ((await running(account)) === 0 ? true : null));
    }
  });
});

/** Source: docs/contract.md#account-limits. */
describe("the number of keys", () => {
  const create = (token: string) => gateway.server.api("POST", "/api/user/tokens", token, { name: "more" });

  test("is never passed by creations at the same time", async () => {
    const account = await limitedAccount(gateway.server, { keys: 4 });
    const made = await Promise.all(Array.from({ length: 12 }, () => create(account.token)));
    const count = (status: number) => made.filter((answer) => answer.status === status).length;
    // A database under load may refuse a creation with 503; those that it made stay within the limit.
    expect(count(201)).toBeLessThanOrEqual(3);
    expect(count(201) + count(409) + count(503)).toBe(12);
    let last = await create(account.token);
    for (let tries = 0; last.status !== 409 && tries < 3; tries += 1) last = await create(account.token);
    expect(last.status).toBe(409);
    expect(last.body).toMatchObject({
      error: {
        code: "CONFLICT",
        reason: "account_limit",
        message: expect.stringContaining("at most 4 keys"),
      },
    });
    const usage = await gateway.server.gateway("/v1/usage", account.key);
    expect(await usage.json()).toMatchObject({ accountLimits: { keys: { limit: 4, used: 4 } } });
  });

  test("below what is there refuses new ones only; deleted ones and the console key do not count", async () => {
    const account = await limitedAccount(gateway.server, { keys: 3 });
    const [second, third] = await keysOf(account, 2);
    await setOwnLimits(gateway.server, account.id, { keys: 2 });
    for (const key of [account, second, third]) if (key) expect((await call(key)).status).toBe(200);
    expect((await create(account.token)).status).toBe(409);
    for (const key of [second, third]) {
      if (key === undefined) throw new Error("no key");
      const gone = await gateway.server.api("DELETE", `/api/user/tokens/${key.keyId}`, account.token);
      expect(gone.status).toBe(204);
    }
    expect((await create(account.token)).status).toBe(201);
    expect((await create(account.token)).status).toBe(409);
  });
});

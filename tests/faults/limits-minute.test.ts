import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { chatBody, eventually, gatewayFor, keyMoney } from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";

const CHAT = "/v1/chat/completions";
const FREE = 1;
const TOKENS = 2;
const THREE = 3;
const PRO = 4;
const LARGE = 5;

const gateway = gatewayFor({
  plans: [
    { id: FREE, name: "Free", qps: 2, rpm: 20, tpm: 40_000, keyQuotaCents: 500, selfService: true },
    { id: TOKENS, name: "Tokens", qps: null, rpm: null, tpm: 2_000, keyQuotaCents: 500, selfService: true },
    { id: THREE, name: "Three", qps: null, rpm: 3, tpm: null, keyQuotaCents: 500, selfService: true },
    { id: PRO, name: "Pro", qps: 30, rpm: 600, tpm: 2_000_000, keyQuotaCents: 500, selfService: true },
    { id: LARGE, name: "Large", qps: null, rpm: null, tpm: 40_000, keyQuotaCents: 500, selfService: true },
  ],
  models: [
    { alias: "good", maxOutputTokens: 100_000, routes: [["chat", "sim-usage-10-5"]] },
    { alias: "slow", maxOutputTokens: 100_000, routes: [["chat", "sim-first-1500ms+usage-10-5"]] },
    { alias: "late", routes: [["chat", "sim-first-10000ms"]] },
  ],
});

async function call(user: TestUser, model = "good", fields: Record<string, unknown> = {}) {
  const answer = await gateway.server.gateway(CHAT, user.key, chatBody(model, { max_tokens: 1, ...fields }));
  await answer.arrayBuffer();
  return {
    status: answer.status,
    retryAfter: Number(answer.headers.get("retry-after")),
    headers: answer.headers,
  };
}

/** What is left of the minute, as the list of models tells without counting. */
async function remaining(user: TestUser, of: "requests" | "tokens"): Promise<number> {
  const answer = await gateway.server.gateway("/v1/models", user.key);
  return Number(answer.headers.get(`x-ratelimit-remaining-${of}`));
}

/** These wait for real minutes, so they wait together. */
describe.concurrent("a minute", () => {
  /** Source: docs/reliability.md#r-88, #r-89. */
  test("of a Free key slides: the 21st call waits exactly until the first leaves, and no full minute helps it", {
    timeout: 180_000,
  }, async () => {
    const user = await gateway.key();
    const begun = performance.now();
    let delays = 0;
    for (let index = 0; index < 20; index += 1) {
      await sleep(Math.max(0, begun + index * 600 - performance.now()));
      const sent = performance.now();
      expect((await call(user)).status).toBe(200);
      if (index === 0) delays = performance.now() - sent;
    }
    const refused = await call(user);
    expect(refused.status).toBe(429);
    const leavesInSeconds = 60 - (performance.now() - begun) / 1_000;
    expect(refused.retryAfter).toBeGreaterThanOrEqual(leavesInSeconds - 1);
    expect(refused.retryAfter).toBeLessThanOrEqual(leavesInSeconds + 1 + delays / 1_000);
    await sleep((leavesInSeconds / 2) * 1_000);
    expect((await call(user)).status).toBe(429);
    const last = await call(user);
    await sleep(last.retryAfter * 1_000);
    expect((await call(user)).status).toBe(200);
    expect([200, 429]).toContain((await call(user)).status);
  });

  /** Source: docs/reliability.md#r-95. */
  test("is not made longer by a thousand refusals", { timeout: 180_000 }, async () => {
    const user = await gateway.key({ planId: THREE });
    for (let index = 0; index < 3; index += 1) expect((await call(user)).status).toBe(200);
    let last = await call(user);
    for (let index = 1; index < 1_000; index += 1) last = await call(user);
    expect(last.status).toBe(429);
    await sleep(last.retryAfter * 1_000);
    expect((await call(user)).status).toBe(200);
  });

  /** Source: docs/reliability.md#r-92. */
  test("that a call larger than its tokens has filled is free again when that call has left it", {
    timeout: 180_000,
  }, async () => {
    const user = await gateway.key({ planId: TOKENS });
    const large = { max_tokens: 64_000, messages: [{ role: "user", content: "word ".repeat(20) }] };
    // Its reservation stays: who leaves before an answer gets nothing back.
    const leaving = new AbortController();
    const sent = fetch(gateway.server.url + CHAT, {
      method: "POST",
      signal: leaving.signal,
      headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
      body: JSON.stringify(chatBody("late", large)),
    });
    sent.catch(() => {});
    await eventually(async () => ((await keyMoney(gateway.server, user)).held > 0 ? true : null));
    leaving.abort();
    const refused = await call(user, "good", large);
    expect(refused.status).toBe(429);
    expect(refused.retryAfter).toBeLessThanOrEqual(61);
    await sleep(refused.retryAfter * 1_000);
    expect((await call(user, "good", large)).status).toBe(200);
  });
});

/** Source: docs/reliability.md#r-91. */
test("of ten calls at once that reserve 8,000 of 40,000 tokens five are admitted, and the others reach no node", async () => {
  const user = await gateway.key({ planId: LARGE });
  const before = gateway.upstream.counters().requests;
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => call(user, "slow", { max_tokens: 7_900 })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(5).fill(429)]);
  expect(gateway.upstream.counters().requests - before).toBe(5);
  // What was not used is there again.
  expect(await remaining(user, "tokens")).toBe(40_000 - 5 * 15);
  expect((await call(user, "good", { max_tokens: 7_900 })).status).toBe(200);
});

/** Source: docs/reliability.md#r-22, #r-93. */
test("who leaves before an answer pays nothing and holds nothing, but has had a request and its tokens", async () => {
  const user = await gateway.key();
  const { aborted } = gateway.upstream.counters();
  const leaving = new AbortController();
  const sent = fetch(gateway.server.url + CHAT, {
    method: "POST",
    signal: leaving.signal,
    headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
    body: JSON.stringify(chatBody("late", { max_tokens: 8_000 })),
  });
  sent.catch(() => {});
  await sleep(1_000);
  leaving.abort();
  await eventually(async () => ((await keyMoney(gateway.server, user)).held === 0 ? true : null), 1_000);
  await eventually(async () => (gateway.upstream.counters().aborted > aborted ? true : null), 2_000);
  expect((await keyMoney(gateway.server, user)).usedQuota).toBe(0);
  expect(await remaining(user, "requests")).toBe(19);
  expect(await remaining(user, "tokens")).toBeLessThanOrEqual(32_000);
});

/** Source: docs/reliability.md#r-97. */
test("a key that changes its plan has the new limits at once, and its window goes with it there and back", async () => {
  const user = await gateway.key({ planId: THREE });
  const change = (planId: number) =>
    gateway.server.api("PATCH", `/api/user/tokens/${user.keyId}`, user.token, { planId });
  for (let index = 0; index < 3; index += 1) expect((await call(user)).status).toBe(200);
  expect((await call(user)).status).toBe(429);
  expect((await change(PRO)).status).toBe(200);
  const risen = await call(user);
  expect(risen.status).toBe(200);
  expect(risen.headers.get("x-ratelimit-limit-requests")).toBe("600");
  expect(risen.headers.get("x-ratelimit-remaining-requests")).toBe("596");
  for (const planId of [THREE, PRO, THREE, FREE, THREE]) expect((await change(planId)).status).toBe(200);
  const back = await call(user);
  expect(back.status).toBe(429);
  expect(back.retryAfter).toBeGreaterThan(30);
});

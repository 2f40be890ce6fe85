import { expect, test } from "vitest";
import {
  chatBody,
  costCents,
  type ErrorBody,
  fresh,
  gatewayFor,
  type KeyMoney,
  keyMoney,
  logEntries,
  logEntry,
  PRICES,
  reconcile,
  requestIdOf,
} from "../support/gateway-fixtures";
import { forEachServerDatabase } from "../support/server-databases";

interface Completion {
  id: string;
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

interface Stats {
  totalRequests: number;
  dailyBreakdown: { requestCount: number; promptTokens: number; completionTokens: number; cost: string }[];
  modelBreakdown: { model: string; requestCount: number; cost: string }[];
}

interface Profile {
  quota: string;
  usedQuota: string;
  requestCount: string;
}

await forEachServerDatabase((database) => {
  const gateway = gatewayFor({
    database,
    models: [
      { alias: "main", routes: [["chat", "sim-usage-499700-100"]] },
      { alias: "odd", routes: [["chat", "sim-usage-7-3"]], prices: { input: 0.333, output: 7.001 } },
      { alias: "plain-chat", routes: [["chat", "sim-a"]] },
      { alias: "plain-messages", routes: [["messages", "sim-b"]] },
      { alias: "slow", routes: [["chat", "sim-slow-150ms"]] },
      { alias: "broken", routes: [["chat", "sim-500"]] },
      {
        alias: "cached-chat",
        routes: [["chat", "sim-usage-1000-10+cached-900"]],
        prices: { ...PRICES, cacheRead: 10 },
      },
      {
        alias: "cached-messages",
        routes: [["messages", "sim-usage-1000-10+cached-900"]],
        prices: { ...PRICES, cacheRead: 10 },
      },
      { alias: "cached-unpriced", routes: [["chat", "sim-usage-1000-10+cached-900"]] },
    ],
  });

  /** Source: docs/reliability.md#r-4, #r-26, #r-102, #r-103. */
  test("a key's life: each call costs exactly price x usage, in every view, until the key is gone", async () => {
    const { server } = gateway;
    const user = await server.user();
    const before = await server.api<Profile>("GET", "/api/user/self", user.token);
    const answer = await server.gateway("/v1/chat/completions", user.key, chatBody("main"));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-tollgate-cost")).toBe("50");
    const body: Completion = await answer.json();
    expect(body.usage).toMatchObject({
      prompt_tokens: 499_700,
      completion_tokens: 100,
      total_tokens: 499_800,
    });
    expect(await keyMoney(server, user)).toMatchObject({ usedQuota: 50, held: 0 });
    const keys = await server.api("GET", "/api/user/tokens", user.token);
    expect(keys.body).toMatchObject({ data: [{ id: user.keyId, usedQuota: 50, held: 0 }] });

    const entry = await logEntry(server, user, requestIdOf(answer));
    expect(entry).toMatchObject({
      model: "main",
      protocol: "chat",
      stream: false,
      status: "success",
      httpStatus: 200,
      errorCode: null,
      promptTokens: 499_700,
      completionTokens: 100,
      totalTokens: 499_800,
      usageSource: "upstream",
      cost: "50",
      attemptCount: 1,
    });
    expect(entry.receipt).toMatchObject({ total: "50", billed: true });

    const after = await server.api<Profile>("GET", "/api/user/self", user.token);
    expect(after.body).toMatchObject({ quota: before.body.quota, usedQuota: "50", requestCount: "1" });
    const stats = await server.api<Stats>("GET", "/api/user/stats?period=7d", user.token);
    expect(stats.body.totalRequests).toBe(1);
    expect(stats.body.modelBreakdown).toMatchObject([{ model: "main", requestCount: 1, cost: "50" }]);
    expect(stats.body.dailyBreakdown.at(-1)).toMatchObject({
      requestCount: 1,
      promptTokens: 499_700,
      completionTokens: 100,
      cost: "50",
    });

    const path = `/api/user/tokens/${user.keyId}`;
    const call = () => server.gateway("/v1/chat/completions", user.key, chatBody("plain-chat"));
    expect((await server.api("PATCH", path, user.token, { status: "disabled" })).status).toBe(200);
    const refused = await call();
    expect(refused.status).toBe(401);
    const refusal: ErrorBody = await refused.json();
    expect(refusal.error.code).toBe("INVALID_API_KEY");
    expect((await server.api("PATCH", path, user.token, { status: "active" })).status).toBe(200);
    expect((await call()).status).toBe(200);

    expect((await server.api("DELETE", path, user.token)).status).toBe(204);
    expect((await call()).status).toBe(401);
    const list = await server.api<{ data: { id: string }[] }>("GET", "/api/user/tokens", user.token);
    expect(list.body.data).toEqual([]);
    const kept = await server.api<Stats>("GET", "/api/user/stats?period=7d", user.token);
    expect(kept.body.totalRequests).toBe(2);
    const profile = await server.api<Profile>("GET", "/api/user/self", user.token);
    expect(profile.body).toMatchObject({ usedQuota: "51", requestCount: "2" });
    const entries = await logEntries(server, user);
    expect(entries).toHaveLength(2);
    const cost = entries.reduce((sum, { cost }) => sum + Number(cost), 0);
    expect(kept.body.modelBreakdown.reduce((sum, { cost }) => sum + Number(cost), 0)).toBeCloseTo(cost, 6);
  });

  test("fractions of a cent are exact: a thousand odd calls would be a thousand times one of them", async () => {
    const { server } = gateway;
    const user = await server.user();
    const one = costCents([
      [7, 0.333],
      [3, 7.001],
    ]);
    for (let call = 1; call <= 5; call += 1) {
      const answer = await server.gateway("/v1/chat/completions", user.key, chatBody("odd"));
      expect(answer.headers.get("x-tollgate-cost")).toBe(String(one));
    }
    const { usedQuota } = await keyMoney(server, user);
    expect(usedQuota).toBe(Number((5 * one).toFixed(6)));
  });

  test("a streamed and an unstreamed request of either protocol cost the same", async () => {
    const { server } = gateway;
    for (const model of ["plain-chat", "plain-messages"]) {
      for (const path of ["/v1/chat/completions", "/v1/messages"]) {
        const user = await server.user();
        const whole = await server.gateway(path, user.key, chatBody(model));
        await whole.text();
        const streamed = await server.gateway(path, user.key, chatBody(model, { stream: true }));
        await streamed.text();
        const [first, second] = await Promise.all(
          [whole, streamed].map((answer) => logEntry(server, user, requestIdOf(answer))),
        );
        expect(Number(first?.cost)).toBeGreaterThan(0);
        const { promptTokens = 0, completionTokens = 0 } = second ?? {};
        expect(Number(second?.cost)).toBe(
          costCents([
            [promptTokens, PRICES.input],
            [completionTokens, PRICES.output],
          ]),
        );
        expect(second?.completionTokens).toBe(first?.completionTokens);
        expect(second).toMatchObject({ stream: true, status: "success", usageSource: "upstream" });
      }
    }
  });

  /** Source: docs/reliability.md#r-5. */
  test("a stream is billed when it ends, and its cost can be read right after its terminal event", async () => {
    const { server } = gateway;
    const user = await server.user();
    const answer = await server.gateway("/v1/chat/completions", user.key, chatBody("slow", { stream: true }));
    const reader = answer.body?.getReader();
    await reader?.read();
    const during = await keyMoney(server, user);
    expect(during.usedQuota).toBe(0);
    expect(during.held).toBeGreaterThan(0);
    const usage = await server.gateway("/v1/usage", user.key);
    const shown: KeyMoney = await usage.json();
    expect(shown.held).toBe(during.held);
    let text = "";
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read())
      text += new TextDecoder().decode(step.value);
    expect(text).toContain("data: [DONE]");
    const after = await keyMoney(server, user);
    expect(after.held).toBe(0);
    const entry = await logEntry(server, user, requestIdOf(answer));
    expect(after.usedQuota).toBe(Number(entry.cost));
    expect(after.usedQuota).toBeGreaterThan(0);
  });

  /** Source: docs/reliability.md#r-16. */
  test.each([
    ["cached-chat", 10],
    ["cached-messages", 10],
    ["cached-unpriced", PRICES.input],
  ])("cached tokens of %s cost their own price, or the input price without one", async (model, cacheRead) => {
    const { server } = gateway;
    const user = await server.user();
    const answer = await server.gateway("/v1/chat/completions", user.key, chatBody(model));
    const entry = await logEntry(server, user, requestIdOf(answer));
    expect(entry).toMatchObject({ promptTokens: 1_000, cacheReadTokens: 900, completionTokens: 10 });
    const cost = costCents([
      [100, PRICES.input],
      [900, cacheRead],
      [10, PRICES.output],
    ]);
    expect(Number(entry.cost)).toBe(cost);
    expect((await keyMoney(server, user)).usedQuota).toBe(cost);
  });

  /** Source: docs/reliability.md#r-7. */
  test("two requests with the same request id and idempotency key are two requests and are charged twice", async () => {
    const { server } = gateway;
    const user = await server.user();
    const same = { "x-request-id": "same-id-1", "idempotency-key": "same-key-1" };
    const first = await server.gateway("/v1/chat/completions", user.key, chatBody("main"), same);
    const second = await server.gateway(
      "/v1/chat/completions",
      user.key,
      chatBody("main", { messages: [{ role: "user", content: "Something else." }] }),
      same,
    );
    expect([first.status, second.status]).toEqual([200, 200]);
    const [one, two]: Completion[] = [await first.json(), await second.json()];
    expect(one?.id).not.toBe(two?.id);
    expect(requestIdOf(first)).not.toBe(requestIdOf(second));
    expect((await keyMoney(server, user)).usedQuota).toBe(100);
    expect((await logEntry(server, user, requestIdOf(first))).clientRequestId).toBe("same-id-1");
  });

  /** Source: docs/reliability.md#r-25. */
  test("costs in the log, the days, the models and the counters agree over a mix of outcomes", async () => {
    const { server } = gateway;
    const user = await server.user();
    const mix = ["plain-chat", "plain-messages", "broken", "odd", fresh("unknown-")];
    for (const [index, model] of Array(6).fill(mix).flat().entries()) {
      const path = index % 2 === 0 ? "/v1/chat/completions" : "/v1/messages";
      const answer = await server.gateway(path, user.key, chatBody(model, { stream: index % 3 === 0 }));
      await answer.text();
    }
    const entries = await logEntries(server, user);
    expect(entries).toHaveLength(30);
    const sum = (costs: string[]) =>
      Number(costs.reduce((total, cost) => total + Number(cost), 0).toFixed(6));
    const cost = sum(entries.map((entry) => entry.cost));
    const stats = (await server.api<Stats>("GET", "/api/user/stats?period=7d", user.token)).body;
    expect(cost).toBeGreaterThan(0);
    expect(stats.totalRequests).toBe(30);
    expect(sum(stats.dailyBreakdown.map((day) => day.cost))).toBe(cost);
    expect(sum(stats.modelBreakdown.map((model) => model.cost))).toBe(cost);
    expect(stats.modelBreakdown.find(({ model }) => model === "(unknown)")?.requestCount).toBe(6);
    expect(stats.modelBreakdown.reduce((total, { requestCount }) => total + requestCount, 0)).toBe(30);
    expect(stats.dailyBreakdown.reduce((total, { requestCount }) => total + requestCount, 0)).toBe(30);
    expect((await server.api<Profile>("GET", "/api/user/self", user.token)).body.requestCount).toBe("30");
    expect((await keyMoney(server, user)).usedQuota).toBe(cost);
    expect(await reconcile(server)).toMatchObject({ ok: true, openHolds: 0, heldMicroCents: "0" });
  });

  /** Source: docs/contract.md#s5. */
  test("a page takes the last comparison with the ledger; without an age a new one is made", async () => {
    const { server } = gateway;
    const token = await server.adminToken();
    interface Check {
      ok: boolean;
      checkedAt: string;
      usedMicroCents: string;
    }
    const check = async (query: string) =>
      (await server.api<Check>("GET", `/api/admin/reconcile${query}`, token)).body;
    const first = await check("");
    const user = await server.user();
    expect((await server.gateway("/v1/chat/completions", user.key, chatBody("main"))).status).toBe(200);
    expect(await check("?maxAgeSeconds=3600")).toEqual(first);
    const second = await check("");
    expect(second.ok).toBe(true);
    expect(Date.parse(second.checkedAt)).toBeGreaterThan(Date.parse(first.checkedAt));
    expect(BigInt(second.usedMicroCents) - BigInt(first.usedMicroCents)).toBe(50_000_000n);
    expect(await server.api("GET", "/api/admin/reconcile?maxAgeSeconds=x", token)).toMatchObject({
      status: 400,
      body: { error: { fields: { maxAgeSeconds: [expect.any(String)] } } },
    });
  });
});

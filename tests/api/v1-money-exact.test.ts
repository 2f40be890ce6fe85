import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  chatBody,
  costCents,
  eventually,
  gatewayFor,
  keyMoney,
  logEntry,
  PRICES,
  reconcile,
  requestIdOf,
} from "../support/gateway-fixtures";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";
import type { TestUser } from "../support/server";
import { forEachServerDatabase } from "../support/server-databases";

const CHAT = "/v1/chat/completions";
const CALLS = 1_000;
const AT_ONCE = 25;
/** One cent a token of output, nothing else: a hold is `max_tokens` cents. */
const CENT_A_TOKEN = { input: 0, output: 1_000_000 };
/** What a node of the messages protocol counts: three kinds of prompt tokens, each told apart from the others. */
const COUNTED = {
  input_tokens: 100,
  cache_read_input_tokens: 900,
  cache_creation_input_tokens: 50,
  output_tokens: 10,
};

let counting: ScriptedUpstream | null = null;
beforeAll(async () => {
  counting = await startScriptedUpstream((response) =>
    sendJson(response, 200, {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text: "Hi" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: COUNTED,
    }),
  );
});
afterAll(() => counting?.close());

await forEachServerDatabase((database) => {
  const gateway = gatewayFor({
    database,
    nodes: () => [{ name: "counting", protocol: "messages", url: counting?.url ?? "" }],
    models: [
      { alias: "fifth", routes: [["chat", "sim-usage-1700-100"]] },
      { alias: "two-cents", routes: [["chat", "sim-first-300ms+usage-1-2"]], prices: CENT_A_TOKEN },
      {
        alias: "cached",
        routes: [["counting", "m"]],
        prices: { ...PRICES, cacheRead: 10, cacheWrite: 125 },
      },
      { alias: "cached-unpriced", routes: [["counting", "m"]] },
      { alias: "long", routes: [["chat", "sim-chunks-100+every-40ms"]] },
    ],
  });
  const call = async (user: TestUser, model: string, fields = {}) => {
    const answer = await gateway.server.gateway(CHAT, user.key, chatBody(model, fields));
    await answer.arrayBuffer();
    return answer;
  };

  /** Source: docs/reliability.md#r-8. */
  test(`${CALLS} calls of a fifth of a cent are exactly ${CALLS / 5} cents, for the key, the account and the statistics`, async () => {
    const { server } = gateway;
    const user = await server.user();
    const before = gateway.upstream.counters().requests;
    let left = CALLS;
    const worker = async () => {
      for (; left > 0; ) {
        left -= 1;
        expect((await call(user, "fifth")).status).toBe(200);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(gateway.upstream.counters().requests - before).toBe(CALLS);
    expect(await keyMoney(server, user)).toMatchObject({ usedQuota: CALLS / 5, held: 0 });
    const profile = await server.api("GET", "/api/user/self", user.token);
    expect(profile.body).toMatchObject({ usedQuota: String(CALLS / 5), requestCount: String(CALLS) });
    const stats = await server.api("GET", "/api/user/stats?period=7d", user.token);
    expect(stats.body).toMatchObject({
      totalRequests: CALLS,
      totals: { cost: String(CALLS / 5) },
      modelBreakdown: [{ model: "fifth", requestCount: CALLS, cost: String(CALLS / 5) }],
    });
    expect(await reconcile(server)).toMatchObject({ ok: true, openHolds: 0 });
  });

  /** Source: docs/reliability.md#r-13. */
  describe("with one cent left, an estimate of five and a cost of two", () => {
    test("the first call is answered, the second refused", async () => {
      const user = await gateway.key({ quota: 1 });
      expect((await call(user, "two-cents", { max_tokens: 5 })).status).toBe(200);
      expect((await call(user, "two-cents", { max_tokens: 5 })).status).toBe(402);
      expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 2, held: 0 });
    });

    test("of 20 calls at once exactly one is answered", async () => {
      const user = await gateway.key({ quota: 1 });
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => call(user, "two-cents", { max_tokens: 5 })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(402)]);
      expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 2, held: 0 });
    });
  });

  /** Source: docs/reliability.md#r-17, #r-18. */
  test.each([
    ["cached", 100 * 100 + 900 * 10 + 50 * 125],
    ["cached-unpriced", 1_050 * 100],
  ])(
    "tokens read from and written to the cache of a messages node are counted once, each at its price (%s)",
    async (model, inputMicroCents) => {
      for (const path of [CHAT, "/v1/messages"]) {
        const user = await gateway.key();
        const answer = await gateway.server.gateway(path, user.key, chatBody(model));
        expect(answer.status).toBe(200);
        const entry = await logEntry(gateway.server, user, requestIdOf(answer));
        expect(entry).toMatchObject({
          promptTokens: 1_050,
          cacheReadTokens: 900,
          cacheWriteTokens: 50,
          completionTokens: 10,
          usageSource: "upstream",
        });
        expect(Number(entry.cost)).toBe((inputMicroCents + 10 * PRICES.output) / 1_000_000);
        expect((await keyMoney(gateway.server, user)).usedQuota).toBe(Number(entry.cost));
        const cacheSaving = String((1_050 * 100 - inputMicroCents) / 1_000_000);
        expect(entry.receipt).toMatchObject({ cacheSaving });
        for (const period of ["24h", "7d", "30d"]) {
          const ofKey = `/api/user/stats?period=${period}&tokenId=${user.keyId}`;
          const stats = await gateway.server.api("GET", ofKey, user.token);
          expect(stats.body).toMatchObject({ totals: { cacheSaving }, modelBreakdown: [{ cacheSaving }] });
        }
      }
    },
  );

  /** Source: docs/reliability.md#r-20, #r-21. */
  test("who leaves a stream whose usage would come at its end pays the whole prompt and the text so far, and can go on calling", async () => {
    const { server, upstream } = gateway;
    const user = await gateway.key();
    const { aborted } = upstream.counters();
    const leaving = new AbortController();
    const words = 3_000;
    const answer = await fetch(server.url + CHAT, {
      method: "POST",
      signal: leaving.signal,
      headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
      body: JSON.stringify(
        chatBody("long", {
          stream: true,
          max_tokens: 1_000,
          messages: [{ role: "user", content: "word ".repeat(words) }],
        }),
      ),
    });
    const reader = answer.body?.getReader();
    for (let frame = 0; frame < 3; frame += 1) await reader?.read();
    leaving.abort();
    await eventually(async () => (upstream.counters().aborted > aborted ? true : null), 2_000);
    await eventually(async () => ((await keyMoney(server, user)).held === 0 ? true : null), 3_000);
    const entry = await logEntry(server, user, requestIdOf(answer));
    expect(entry).toMatchObject({ status: "cancelled", usageSource: "estimated" });
    // As for an answer that is read to its end: a tokenizer's count, not the hold's high one.
    expect(entry.promptTokens).toBeGreaterThanOrEqual(words * 0.95);
    expect(entry.promptTokens).toBeLessThanOrEqual(words * 1.1);
    expect(entry.completionTokens).toBeGreaterThan(0);
    expect(entry.completionTokens).toBeLessThan(200);
    const { usedQuota } = await keyMoney(server, user);
    expect(usedQuota).toBe(
      costCents([
        [entry.promptTokens, PRICES.input],
        [entry.completionTokens, PRICES.output],
      ]),
    );
    expect((await call(user, "fifth")).status).toBe(200);
  });
});

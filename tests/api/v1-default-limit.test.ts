import { describe, expect, test } from "vitest";
import { gatewayFor, keyMoney, logEntry, type ModelSpec, requestIdOf } from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";

/** 300 cents a million output tokens: 300 micro-cents a token. */
const OUTPUT = 300;
const CHAT = "/v1/chat/completions";
const thinker = (alias: string, upstream: string, fields: object = {}): ModelSpec => ({
  alias,
  profile: { effortLevels: ["low"] },
  maxOutputTokens: 60_000,
  routes: [["chat", upstream]],
  ...fields,
});
const gateway = gatewayFor({
  plans: [
    { id: 1, name: "Open", qps: null, rpm: null, tpm: null, keyQuotaCents: 1_000_000, selfService: true },
    { id: 2, name: "Tokens", qps: null, rpm: null, tpm: 9_000, keyQuotaCents: 1_000_000, selfService: true },
  ],
  models: [
    thinker("thinks", "sim-usage-1000-500"),
    thinker("thinks-slowly", "sim-usage-1000-500+first-700ms"),
    thinker("thinks-little", "sim-a", { maxOutputTokens: 700 }),
    thinker("thinks-as-told", "sim-a", { defaultMaxTokens: 4_096 }),
    { alias: "answers", maxOutputTokens: 60_000, routes: [["chat", "sim-a"]] },
    {
      alias: "thinks-elsewhere",
      maxOutputTokens: 60_000,
      routes: [["messages", "claude-sonnet-4-5"]],
    },
  ],
});
const bare = (model: string) => ({ model, messages: [{ role: "user", content: "Hello" }] });

interface Explanation {
  maxTokens: number;
  warnings: string[];
  hold: string;
  attempts: { body: Record<string, unknown> }[];
}

async function explained(key: TestUser, model: string): Promise<Explanation> {
  const answer = await gateway.server.gateway(CHAT, key.key, bare(model), { "x-tollgate-explain": "1" });
  expect(answer.status).toBe(200);
  return answer.json();
}

/** What a quarter of some cents pays for. */
const quarterOf = (cents: number) => Math.floor((cents * 1_000_000) / 4 / OUTPUT);

/** Source: docs/contract.md#b8. */
describe("a chat request without a limit", () => {
  test.each([
    ["thinks", 32_768],
    ["thinks-elsewhere", 32_768],
    ["thinks-little", 700],
    ["thinks-as-told", 4_096],
    ["answers", 4_096],
  ])("to %s gets %d tokens, told in explain, warning and body, and held in full", async (model, tokens) => {
    const key = await gateway.key();
    const { maxTokens, warnings, hold, attempts } = await explained(key, model);
    expect(maxTokens).toBe(tokens);
    expect(warnings).toContain(`added:max_tokens:${tokens}`);
    expect(attempts[0]?.body.max_tokens).toBe(tokens);
    expect(Number(hold)).toBeGreaterThanOrEqual((tokens * OUTPUT) / 1_000_000);
    const answer = await gateway.server.gateway(CHAT, key.key, bare(model));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-tollgate-warnings")).toContain(`added:max_tokens:${tokens}`);
    const { receipt } = await logEntry(gateway.server, key, requestIdOf(answer));
    expect(receipt.held).toBe(hold);
  });

  test("gets what a quarter of the balance covers, which each charge makes smaller at once", async () => {
    const key = await gateway.key({ quota: 10 });
    expect((await explained(key, "thinks")).maxTokens).toBe(quarterOf(10));
    for (let call = 0; call < 2; call += 1) {
      const answer = await gateway.server.gateway(CHAT, key.key, bare("thinks"));
      expect(answer.status).toBe(200);
      await answer.text();
    }
    const { usedQuota, held } = await keyMoney(gateway.server, key);
    expect([usedQuota, held]).toEqual([0.5, 0]);
    expect((await explained(key, "thinks")).maxTokens).toBe(quarterOf(9.5));
  });

  test("in a crowd leaves room for the others: each takes a quarter of what is left", async () => {
    const key = await gateway.key({ quota: 60 });
    await explained(key, "thinks");
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => gateway.server.gateway(CHAT, key.key, bare("thinks-slowly"))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  test("gets 4,096 where little is left, and the last flight or the refusal are as ever", async () => {
    const key = await gateway.key({ quota: 1 });
    expect((await explained(key, "thinks")).maxTokens).toBe(4_096);
    const answer = await gateway.server.gateway(CHAT, key.key, bare("thinks"));
    expect(answer.status).toBe(200);
    const none = await gateway.key({ quota: 0 });
    expect((await explained(none, "thinks")).maxTokens).toBe(4_096);
    expect((await gateway.server.gateway(CHAT, none.key, bare("thinks"))).status).toBe(402);
  });

  test("reserves 4,096 of the tokens a minute for what it did not ask for, then what it really took", async () => {
    const key = await gateway.key({ planId: 2 });
    const answer = await gateway.server.gateway(CHAT, key.key, bare("thinks"));
    expect(answer.status).toBe(200);
    const left = Number(answer.headers.get("x-ratelimit-remaining-tokens"));
    expect(left).toBeGreaterThan(9_000 - 4_096 - 500);
    expect(left).toBeLessThan(9_000 - 4_096);
    await answer.text();
    const asked = await gateway.server.gateway("/v1/models", key.key);
    expect(Number(asked.headers.get("x-ratelimit-remaining-tokens"))).toBe(9_000 - 1_500);
  });

  test("takes the client's own limit as it is", async () => {
    const key = await gateway.key({ quota: 10 });
    const own = { ...bare("thinks"), max_completion_tokens: 9_999 };
    const answer = await gateway.server.gateway(CHAT, key.key, own, { "x-tollgate-explain": "1" });
    expect(await answer.json()).toMatchObject({ maxTokens: 9_999, warnings: [] });
  });
});

describe("a configured limit", () => {
  test("is told apart from none in the file and in the admin API", async () => {
    const { server } = gateway;
    const token = await server.adminToken();
    const list = await server.api<{ data: { alias: string; defaultMaxTokens: number | null }[] }>(
      "GET",
      "/api/admin/models",
      token,
    );
    const limits = Object.fromEntries(list.body.data.map((model) => [model.alias, model.defaultMaxTokens]));
    expect(limits).toMatchObject({ thinks: null, "thinks-as-told": 4_096 });
    const made = await server.api<{ id: string; defaultMaxTokens: number | null }>(
      "POST",
      "/api/admin/models",
      token,
      { alias: "by-hand", prices: { input: 1, output: 1 }, routes: [{ node: "chat", model: "sim-a" }] },
    );
    expect([made.status, made.body.defaultMaxTokens]).toEqual([201, null]);
    for (const defaultMaxTokens of [4_096, null]) {
      const changed = await server.api<{ defaultMaxTokens: number | null }>(
        "PATCH",
        `/api/admin/models/${made.body.id}`,
        token,
        { defaultMaxTokens },
      );
      expect([changed.status, changed.body.defaultMaxTokens]).toEqual([200, defaultMaxTokens]);
    }
  });
});

import { describe, expect, test } from "vitest";
import {
  chatBody,
  gatewayFor,
  keyMoney,
  logEntries,
  logEntry,
  requestIdOf,
} from "../support/gateway-fixtures";
import { expectFetchRefusal } from "../support/v1-refusal";

const gateway = gatewayFor({
  plans: [
    { id: 1, name: "Free", qps: null, rpm: 20, tpm: 100_000, keyQuotaCents: 500, selfService: true },
    { id: 2, name: "Once", qps: null, rpm: 1, tpm: null, keyQuotaCents: 500, selfService: true },
  ],
  models: [
    {
      alias: "mixed",
      maxOutputTokens: 32_000,
      routes: [
        ["messages", "secret-claude", 0],
        ["chat-b", "secret-gpt", 1],
      ],
    },
    { alias: "on-messages", routes: [["messages", "sim-a"]] },
  ],
});

const CHAT = "/v1/chat/completions";
const EXPLAIN = { "x-tollgate-explain": "1" };

interface Explanation {
  object: string;
  model: string;
  attempts: {
    n: number;
    node: string;
    protocol: string;
    upstreamModel: string;
    reason: string;
    warnings: string[];
    body: Record<string, unknown>;
  }[];
  warnings: string[];
  hold: string;
  maxTokens: number;
  estimatedInputTokens: number;
  limits: Record<string, { limit: number | null; used: number }>;
}

describe("x-tollgate-explain", () => {
  test("tells what would be sent where, in order, and sends, bills, counts and logs nothing", async () => {
    const { server, upstream, second } = gateway;
    const user = await server.user();
    const asked = () => upstream.counters().requests + second.counters().requests;
    const before = asked();
    const body = chatBody("mixed", { seed: 5, max_tokens: 200, stream: true });
    for (let call = 0; call < 3; call += 1) {
      const answer = await server.gateway(CHAT, user.key, body, EXPLAIN);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/json");
      const told: Explanation = await answer.json();
      expect(told).toMatchObject({ model: "mixed", maxTokens: 200 });
      expect(told.attempts.map(({ n, protocol }) => [n, protocol])).toEqual([
        [1, "messages"],
        [2, "chat"],
      ]);
      expect(told.warnings).toContain("dropped:seed");
      expect(told.attempts[0]?.body).toMatchObject({
        max_tokens: 200,
        messages: [{ role: "user", content: expect.anything() }],
      });
      expect(told.attempts[1]?.body).toMatchObject({ seed: 5 });
      // 100 and 300 cents per million tokens.
      expect(Number(told.hold)).toBeCloseTo((told.estimatedInputTokens * 100 + 200 * 300) / 1_000_000, 6);
      expect(told.limits.rpm).toMatchObject({ limit: 20, used: 0 });
      expect(told.limits.tpm).toMatchObject({ limit: 100_000, used: 0 });
    }
    expect(asked()).toBe(before);
    expect(await keyMoney(server, user)).toMatchObject({ usedQuota: 0, held: 0 });
    expect(await logEntries(server, user)).toEqual([]);
  });

  test("names neither nodes nor upstream models to an ordinary key; an admin's key sees both", async () => {
    const { server } = gateway;
    const ordinary = await gateway.key();
    const masked = await (await server.gateway(CHAT, ordinary.key, chatBody("mixed"), EXPLAIN)).text();
    expect(masked).not.toContain("secret");
    expect(masked).not.toMatch(/chat-b|127\.0\.0\.1/);
    const told: Explanation = JSON.parse(masked);
    expect(told.attempts.map(({ node, upstreamModel, body }) => [node, upstreamModel, body.model])).toEqual([
      ["node 1", "mixed", "mixed"],
      ["node 2", "mixed", "mixed"],
    ]);

    const admin = await server.key({ username: "admin", token: await server.adminToken() });
    const open: Explanation = await (
      await server.gateway(CHAT, admin.key, chatBody("mixed"), EXPLAIN)
    ).json();
    expect(open.attempts.map(({ node, upstreamModel, body }) => [node, upstreamModel, body.model])).toEqual([
      ["messages", "secret-claude", "secret-claude"],
      ["chat-b", "secret-gpt", "secret-gpt"],
    ]);
    expect(JSON.stringify(open)).not.toContain("apiKey");
  });

  test("refuses what the request itself would be refused for", async () => {
    const { server } = gateway;
    const key = await gateway.key({ models: ["mixed"] });
    const refused = [
      [await server.gateway(CHAT, "tgw-x", chatBody("mixed"), EXPLAIN), "INVALID_API_KEY"],
      [await server.gateway(CHAT, key.key, chatBody("none"), EXPLAIN), "MODEL_NOT_FOUND"],
      [await server.gateway(CHAT, key.key, chatBody("on-messages"), EXPLAIN), "FORBIDDEN"],
      [await server.gateway(CHAT, key.key, chatBody("mixed", { max_tokens: 0 }), EXPLAIN), "INVALID_REQUEST"],
    ] as const;
    for (const [answer, code] of refused) await expectFetchRefusal(answer, CHAT, code);
  });
});

test("the attempts of a log entry are masked for their owner and open for an admin", async () => {
  const { server } = gateway;
  const key = await gateway.key();
  const answer = await server.gateway(CHAT, key.key, chatBody("mixed"));
  const entry = await logEntry(server, key, requestIdOf(answer));
  expect(JSON.stringify(entry)).not.toContain("secret-");
  expect(entry.attempts[0]).toMatchObject({ node: "node 1", upstreamModel: "mixed" });
  const open = await server.api<typeof entry>(
    "GET",
    `/api/admin/logs/${requestIdOf(answer)}`,
    await server.adminToken(),
  );
  expect(open.body.attempts[0]).toMatchObject({ node: "messages", upstreamModel: "secret-claude" });
});

describe("x-tollgate-strict", () => {
  test("turns a loss into a refusal that names the field; without it the loss is a warning", async () => {
    const { server, upstream } = gateway;
    const key = await gateway.key();
    const body = chatBody("on-messages", { seed: 5, logit_bias: { "50256": -100 } });
    const plain = await server.gateway(CHAT, key.key, body);
    expect(plain.status).toBe(200);
    expect(plain.headers.get("x-tollgate-warnings")?.split(",").toSorted()).toEqual([
      "dropped:logit_bias",
      "dropped:seed",
    ]);
    expect((await logEntry(server, key, requestIdOf(plain))).warnings).toContain("dropped:seed");
    const asked = upstream.counters().requests;
    const refused = await server.gateway(CHAT, key.key, body, { "x-tollgate-strict": "1" });
    const error = await expectFetchRefusal(refused, CHAT, "INVALID_REQUEST");
    expect(["seed", "logit_bias"]).toContain(error.param);
    expect(error.message).toContain("seed");
    expect(upstream.counters().requests).toBe(asked);
    const kept = await server.gateway(CHAT, key.key, chatBody("on-messages"), { "x-tollgate-strict": "1" });
    expect(kept.status).toBe(200);
  });
});

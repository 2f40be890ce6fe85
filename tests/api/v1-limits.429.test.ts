import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  chatBody,
  type ErrorBody,
  eventually,
  gatewayFor,
  keyMoney,
  logEntries,
  logEntry,
  requestIdOf,
} from "../support/gateway-fixtures";

const gateway = gatewayFor({
  plans: [
    { id: 1, name: "Free", qps: 2, rpm: 20, tpm: 40_000, keyQuotaCents: 500, selfService: true },
    { id: 2, name: "Tokens", qps: null, rpm: null, tpm: 2_000, keyQuotaCents: 500, selfService: true },
    { id: 3, name: "Open", qps: null, rpm: null, tpm: null, keyQuotaCents: 500, selfService: true },
    { id: 5, name: "Starter", qps: 10, rpm: 120, tpm: 200_000, keyQuotaCents: 500, selfService: true },
    { id: 4, name: "Minute", qps: null, rpm: 3, tpm: 40_000, keyQuotaCents: 500, selfService: true },
  ],
  models: [
    { alias: "good", routes: [["chat", "sim-usage-10-5"]] },
    { alias: "broken", routes: [["refusing", "sim-a"]] },
    { alias: "breaking", routes: [["chat", "sim-cut-after-4"]] },
  ],
});

/** So many of the server's seconds are one of the test's. */
const CLOCK_SPEED = 5;
const quick = gatewayFor({
  clockSpeed: CLOCK_SPEED,
  plans: [{ id: 1, name: "Free", qps: 2, rpm: 20, tpm: 40_000, keyQuotaCents: 500, selfService: true }],
  models: [{ alias: "good", routes: [["chat", "sim-usage-10-5"]] }],
});

const CHAT = "/v1/chat/completions";

test("a Starter key in a burst of 90 gets 10 answers; all others are told the limit, none that too many run", async () => {
  const key = await gateway.key({ planId: 5 });
  const answers = await Promise.all(
    Array.from({ length: 90 }, () => gateway.server.gateway(CHAT, key.key, chatBody("good"))),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(10).fill(200), ...Array(80).fill(429)]);
});

describe("a Free key", () => {
  /** Source: docs/reliability.md#r-87. */
  test("in a burst of 40 gets 2 answers; the others wait one second, reach no upstream and cost nothing", async () => {
    const { server, upstream } = gateway;
    const key = await gateway.key();
    const asked = upstream.counters().requests;
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => server.gateway(CHAT, key.key, chatBody("good"))),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(refused).toHaveLength(38);
    expect(new Set(refused.map(({ headers }) => headers.get("retry-after")))).toEqual(new Set(["1"]));
    const body: ErrorBody = await refused[0]?.json();
    expect(body.error).toMatchObject({ code: "RATE_LIMITED", type: "rate_limit_error" });
    expect(upstream.counters().requests - asked).toBe(2);
    expect((await keyMoney(server, key)).held).toBe(0);
    await sleep(Number(refused[0]?.headers.get("retry-after")) * 1_000);
    expect((await server.gateway(CHAT, key.key, chatBody("good"))).status).toBe(200);
  });

  /** Source: docs/reliability.md#r-96. */
  test("gets 20 a minute, and the 21st is told exactly when the first leaves the window", {
    timeout: 60_000,
  }, async () => {
    const { server } = quick;
    const [key, other] = [await quick.key(), await quick.key()];
    const first = Date.now();
    for (let pair = 0; pair < 10; pair += 1) {
      const both = await Promise.all(
        [0, 1].map(() => server.gateway(CHAT, key.key, chatBody("good", { max_tokens: 1 }))),
      );
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
      if (pair < 9) await sleep(1_010 / CLOCK_SPEED);
    }
    await sleep(1_010 / CLOCK_SPEED);
    const refused = await server.gateway(CHAT, key.key, chatBody("good"));
    expect(refused.status).toBe(429);
    const left = 60 - ((Date.now() - first) * CLOCK_SPEED) / 1_000;
    expect(Math.abs(Number(refused.headers.get("retry-after")) - left)).toBeLessThanOrEqual(1.5);
    expect(Math.abs(Number(refused.headers.get("retry-after-ms")) / 1_000 - left)).toBeLessThanOrEqual(1);
    expect(refused.headers.get("x-ratelimit-limit-requests")).toBe("20");
    expect(refused.headers.get("x-ratelimit-remaining-requests")).toBe("0");

    const neighbour = await server.gateway(CHAT, other.key, chatBody("good"));
    expect(neighbour.status).toBe(200);
    expect(neighbour.headers.get("x-ratelimit-remaining-requests")).toBe("19");
    const entries = await logEntries(server, key);
    expect(entries.filter(({ errorCode }) => errorCode === "RATE_LIMITED").length).toBeGreaterThan(0);
  });
});

describe("headers", () => {
  test("speak of requests and tokens a minute in the words of the path's protocol, and of nothing without limits", async () => {
    const { server } = gateway;
    const key = await gateway.key();
    const chat = await server.gateway(CHAT, key.key, chatBody("good"));
    expect(chat.headers.get("x-ratelimit-limit-requests")).toBe("20");
    expect(chat.headers.get("x-ratelimit-remaining-requests")).toBe("19");
    expect(chat.headers.get("x-ratelimit-limit-tokens")).toBe("40000");
    expect(Number(chat.headers.get("x-ratelimit-remaining-tokens"))).toBeLessThan(40_000);
    expect(chat.headers.get("x-ratelimit-reset-requests")).toMatch(/^(\d+m)?[\d.]+s$|^\d+ms$/);
    expect(chat.headers.get("anthropic-ratelimit-requests-limit")).toBeNull();

    const messages = await server.gateway("/v1/messages", key.key, chatBody("good"));
    expect(messages.headers.get("anthropic-ratelimit-requests-limit")).toBe("20");
    expect(messages.headers.get("anthropic-ratelimit-requests-remaining")).toBe("18");
    expect(messages.headers.get("anthropic-ratelimit-tokens-limit")).toBe("40000");
    expect(messages.headers.get("anthropic-ratelimit-tokens-reset")).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    );
    expect(messages.headers.get("x-ratelimit-limit-requests")).toBeNull();

    const models = await server.gateway("/v1/models", key.key);
    expect(models.headers.get("x-ratelimit-remaining-requests")).toBe("18");
    const open = await gateway.key({ planId: 3 });
    const unlimited = await server.gateway(CHAT, open.key, chatBody("good"));
    expect([...unlimited.headers.keys()].filter((name) => name.includes("ratelimit"))).toEqual([]);
  });

  /** Source: docs/contract.md#s10. */
  test("and every duration in JSON are whole milliseconds", async () => {
    const { server } = gateway;
    const key = await gateway.key();
    const served = await server.gateway(CHAT, key.key, chatBody("good"));
    await server.gateway(CHAT, key.key, chatBody("broken"));
    const id = served.headers.get("x-request-id") ?? "";
    await logEntry(server, key, id);
    const admin = await server.adminToken();
    const bodies = {
      usage: await (await server.gateway("/v1/usage", key.key)).json(),
      receipt: await (await server.gateway(`/v1/usage/${id}`, key.key)).json(),
      explanation: await (
        await server.gateway(CHAT, key.key, chatBody("broken"), { "x-tollgate-explain": "1" })
      ).json(),
      limits: (await server.api("GET", `/api/user/tokens/${key.keyId}/limits`, key.token)).body,
      entry: (await server.api("GET", `/api/user/logs/${id}`, key.token)).body,
      nodes: (await server.api("GET", "/api/admin/nodes", admin)).body,
      stats: (await server.api("GET", "/api/admin/stats", admin)).body,
    };
    for (const [name, body] of Object.entries(bodies)) {
      const told = [...JSON.stringify(body).matchAll(/"\w+Ms":(-?[\d.e+-]+)/g)].map(([, ms]) => Number(ms));
      expect([name, told.filter((ms) => !Number.isInteger(ms))]).toEqual([name, []]);
      expect([name, told.length > 0]).toEqual([name, true]);
    }
  });

  test("show streams the same", async () => {
    const key = await gateway.key();
    const answer = await gateway.server.gateway(CHAT, key.key, chatBody("good", { stream: true }));
    await answer.text();
    expect(answer.headers.get("x-ratelimit-remaining-requests")).toBe("19");
  });
});

describe("tokens a minute", () => {
  /** Source: docs/reliability.md#r-93. */
  test("are reserved before the call, and corrected to what was used", async () => {
    const { server } = gateway;
    const key = await gateway.key({ planId: 2 });
    const reserving = await server.gateway(CHAT, key.key, chatBody("good", { max_tokens: 1_500 }));
    expect(reserving.status).toBe(200);
    expect(Number(reserving.headers.get("x-ratelimit-remaining-tokens"))).toBeLessThan(500);
    const models = await server.gateway("/v1/models", key.key);
    expect(models.headers.get("x-ratelimit-remaining-tokens")).toBe(String(2_000 - 15));
  });

  test("of a call larger than the limit are granted in an empty window only", async () => {
    const { server, upstream } = gateway;
    const key = await gateway.key({ planId: 2 });
    const large = chatBody("good", { max_tokens: 5_000 });
    expect((await server.gateway(CHAT, key.key, large)).status).toBe(200);
    const asked = upstream.counters().requests;
    const refused = await server.gateway(CHAT, key.key, large);
    expect(refused.status).toBe(429);
    const body: ErrorBody = await refused.json();
    expect(body.error.message).toContain("tokens per minute");
    const entry = await logEntry(server, key, requestIdOf(refused));
    expect(entry).toMatchObject({ limit: { name: "tpm", allowed: 2_000 } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50);
    expect(upstream.counters().requests).toBe(asked);
  });

  test("of a call that no node answered are given back", async () => {
    const { server } = gateway;
    const key = await gateway.key({ planId: 2 });
    const failed = await server.gateway(CHAT, key.key, chatBody("broken", { max_tokens: 1_500 }));
    expect(failed.status).toBe(503);
    const models = await server.gateway("/v1/models", key.key);
    expect(models.headers.get("x-ratelimit-remaining-tokens")).toBe("2000");
  });

  test("of a stream that breaks are given back", async () => {
    const { server } = gateway;
    const key = await gateway.key({ planId: 2 });
    const body = chatBody("breaking", { stream: true, max_tokens: 1_500 });
    const broken = await server.gateway(CHAT, key.key, body);
    expect([broken.status, broken.headers.get("x-ratelimit-remaining-tokens")]).not.toEqual([200, "2000"]);
    expect(await broken.text()).toContain("error");
    await logEntry(server, key, requestIdOf(broken));
    await eventually(async () => {
      const models = await server.gateway("/v1/models", key.key);
      return models.headers.get("x-ratelimit-remaining-tokens") === "2000" ? models : null;
    });
  });

  test("of a call that the quota does not cover are given back", async () => {
    const { server } = gateway;
    const key = await gateway.key({ planId: 2, quota: 0 });
    const refused = await server.gateway(CHAT, key.key, chatBody("good", { max_tokens: 1_500 }));
    expect(refused.status).toBe(402);
    const models = await server.gateway("/v1/models", key.key);
    expect(models.headers.get("x-ratelimit-remaining-tokens")).toBe("2000");
  });
});

describe("what does not count", () => {
  /** Source: docs/reliability.md#r-122. */
  test("a request that is refused as invalid uses no request of the minute", async () => {
    const { server } = gateway;
    const key = await gateway.key({ planId: 4 });
    for (let call = 0; call < 5; call += 1) {
      const refused = await server.gateway(CHAT, key.key, chatBody("good", { max_tokens: 0 }));
      expect(refused.status).toBe(400);
    }
    const good = await server.gateway(CHAT, key.key, chatBody("good"));
    expect(good.headers.get("x-ratelimit-remaining-requests")).toBe("2");
  });

  test("models and usage are not limited by the plan, and a refused call does not lengthen the wait", async () => {
    const { server } = gateway;
    const key = await gateway.key({ planId: 4 });
    for (let call = 0; call < 3; call += 1) await server.gateway(CHAT, key.key, chatBody("good"));
    const waits: number[] = [];
    for (let call = 0; call < 5; call += 1) {
      const refused = await server.gateway("/v1/messages", key.key, chatBody("good"));
      expect(refused.status).toBe(429);
      waits.push(Number(refused.headers.get("retry-after-ms")));
      expect((await server.gateway("/v1/models", key.key)).status).toBe(200);
      expect((await server.gateway("/v1/usage", key.key)).status).toBe(200);
    }
    expect(waits).toEqual(waits.toSorted((a, b) => b - a));
  });

  test("token counts have 60 a minute of their own", async () => {
    const { server } = gateway;
    const key = await gateway.key();
    const count = () => server.gateway("/v1/messages/count_tokens", key.key, chatBody("good"));
    const answers = await Promise.all(Array.from({ length: 61 }, count));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await server.gateway(CHAT, key.key, chatBody("good"))).status).toBe(200);
  });

  test("a refused request is logged with its code and its keys' own limits are shown in the account", async () => {
    const { server } = gateway;
    const key = await gateway.key({ planId: 4 });
    for (let call = 0; call < 3; call += 1) await server.gateway(CHAT, key.key, chatBody("good"));
    const refused = await server.gateway(CHAT, key.key, chatBody("good"));
    const entry = await logEntry(server, key, refused.headers.get("x-request-id") ?? "");
    expect(entry).toMatchObject({ status: "error", httpStatus: 429, errorCode: "RATE_LIMITED", cost: "0" });
    expect(entry).toMatchObject({ limit: { name: "rpm", allowed: 3 } });
    const limits = await server.api<{ rpm: { limit: number; used: number } }>(
      "GET",
      `/api/user/tokens/${key.keyId}/limits`,
      key.token,
    );
    expect(limits.body.rpm).toMatchObject({ limit: 3, used: 3 });
  });
});

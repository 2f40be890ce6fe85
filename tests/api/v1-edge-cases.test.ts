import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import {
  chatBody,
  type ErrorBody,
  eventually,
  gatewayFor,
  keyMoney,
  logEntry,
  messagesBody,
  requestIdOf,
} from "../support/gateway-fixtures";

const SMALL = { id: 2, name: "Small", qps: 1, rpm: 5, tpm: null, keyQuotaCents: 100, selfService: true };
const UNLIMITED = {
  id: 1,
  name: "Open",
  qps: null,
  rpm: null,
  tpm: null,
  keyQuotaCents: 1_000_000,
  selfService: true,
};

// A credential that is refused again and again is left alone for all models of its node, so nodes that misbehave serve nothing else.
const gateway = gatewayFor({
  nodes: [{ name: "refused" }, { name: "limited" }],
  plans: [UNLIMITED, SMALL],
  models: [
    { alias: "claude-good", routes: [["chat", "sim-chat"]] },
    { alias: "vendor/good:1.0", routes: [["messages", "sim-messages"]] },
    { alias: "stalls", routes: [["chat", "sim-stall-after-3"]] },
    {
      alias: "bad-credential",
      routes: [
        ["refused", "sim-401"],
        ["chat-b", "sim-echo", 1],
      ],
    },
    { alias: "limited", routes: [["limited", "sim-429-retry-7"]] },
    { alias: "endless", routes: [["chat", "sim-chunks-2000+every-20ms"]] },
  ],
});

/** Five of its seconds are one of the test's. */
const quick = gatewayFor({
  clockSpeed: 5,
  plans: [UNLIMITED],
  models: [{ alias: "stalls", routes: [["chat", "sim-stall-after-3"]] }],
});

/** Both endpoints, and what a smallest request to them looks like. */
const endpoints = [
  ["/v1/chat/completions", chatBody],
  ["/v1/messages", messagesBody],
] as const;

async function errorOf(response: Response): Promise<ErrorBody> {
  return (await response.json()) as ErrorBody; // asserted field by field by the caller
}

describe("errors of upstreams", () => {
  test("EC-135: an upstream's 401 asks the next node, and never tells the client that its own key is bad", async () => {
    const { key } = await gateway.key();
    const answer = await gateway.server.gateway("/v1/chat/completions", key, chatBody("bad-credential"));
    expect(answer.status).toBe(200);
  });

  test("EC-137: an upstream's 429 with no other node is 503 with a wait, never 429", async () => {
    for (const [path, body] of endpoints) {
      const { key } = await gateway.key();
      const answer = await gateway.server.gateway(path, key, body("limited"));
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect((await errorOf(answer)).error.code).toBe("NO_AVAILABLE_NODE");
    }
  });
});

describe("errors of the caller's account", () => {
  test("EC-138, EC-139: an exhausted quota is 402 with its code where each SDK reads it", async () => {
    const { key } = await gateway.key({ quota: 0 });
    const anthropic = new Anthropic({ baseURL: gateway.server.url, apiKey: key, maxRetries: 0 });
    const asMessages = anthropic.messages.create({
      model: "claude-good",
      max_tokens: 10,
      messages: [{ role: "user", content: "x" }],
    });
    await expect(asMessages).rejects.toMatchObject({ status: 402 });
    await expect(asMessages).rejects.toHaveProperty("error.error.details.error_code", "QUOTA_EXCEEDED");
    const openai = new OpenAI({ baseURL: `${gateway.server.url}/v1`, apiKey: key, maxRetries: 0 });
    const asChat = openai.chat.completions.create({
      model: "claude-good",
      messages: [{ role: "user", content: "x" }],
    });
    await expect(asChat).rejects.toMatchObject({ status: 402, code: "QUOTA_EXCEEDED" });
  });

  test("EC-140: a rate limit says in whole seconds when to come again, in both shapes", async () => {
    for (const [path, body] of endpoints) {
      const { key } = await gateway.key({ planId: 2 });
      await gateway.server.gateway(path, key, body("claude-good"));
      const refused = await gateway.server.gateway(path, key, body("claude-good"));
      expect(refused.status).toBe(429);
      expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect((await errorOf(refused)).error.type).toBe("rate_limit_error");
    }
  });
});

describe("what clients send", () => {
  test("EC-141: unknown paths and broken JSON are JSON errors in the path's own shape", async () => {
    const { key } = await gateway.key();
    const broken = await fetch(`${gateway.server.url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: "{",
    });
    expect([broken.status, (await errorOf(broken)).type]).toEqual([400, "error"]);
    for (const path of ["/v1/conversations", "/v1/completions", "/v1/messages/batches"]) {
      const unknown = await gateway.server.gateway(path, key, {});
      expect(unknown.headers.get("content-type")).toContain("application/json");
      expect((await errorOf(unknown)).error.code).toBe("NOT_FOUND");
    }
  });

  test("EC-142, EC-143: either header carries the key on either path", async () => {
    const { key } = await gateway.key();
    for (const [path, body] of endpoints) {
      for (const [name, value] of [
        ["authorization", `Bearer ${key}`],
        ["x-api-key", key],
      ] as const) {
        const answer = await fetch(gateway.server.url + path, {
          method: "POST",
          headers: { "content-type": "application/json", [name]: value },
          body: JSON.stringify(body("claude-good")),
        });
        expect(answer.status).toBe(200);
      }
    }
  });

  test("EC-144: both SDKs and a client that asks for a thousand list every alias", async () => {
    const { key } = await gateway.key();
    const wanted = ["bad-credential", "claude-good", "endless", "limited", "stalls", "vendor/good:1.0"];
    const openai = new OpenAI({ baseURL: `${gateway.server.url}/v1`, apiKey: key });
    expect((await openai.models.list()).data.map((model) => model.id)).toEqual(wanted);
    const anthropic = new Anthropic({ baseURL: gateway.server.url, apiKey: key });
    const listed: string[] = [];
    for await (const model of anthropic.models.list({ limit: 2 })) listed.push(model.id);
    expect(listed).toEqual(wanted);
    const all = await gateway.server.gateway("/v1/models?limit=1000", key);
    expect(((await all.json()) as { data: { id: string }[] }).data.map((model) => model.id)).toEqual(wanted);
  });

  test("EC-146: a query on the path changes nothing", async () => {
    const { key } = await gateway.key();
    const answer = await gateway.server.gateway(
      "/v1/messages?beta=true",
      key,
      messagesBody("vendor/good:1.0"),
    );
    expect(answer.status).toBe(200);
  });
});

describe("streams", () => {
  test("EC-147: a client that leaves stops the upstream within a second and pays once for what it had", async () => {
    const user = await gateway.key();
    const before = gateway.upstream.counters().aborted;
    const leaving = new AbortController();
    const answer = await fetch(`${gateway.server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "x-api-key": user.key, "content-type": "application/json" },
      body: JSON.stringify(chatBody("endless", { stream: true, max_tokens: 8_000 })),
      signal: leaving.signal,
    });
    const reader = answer.body?.getReader();
    for (let n = 0; n < 3; n += 1) await reader?.read();
    leaving.abort();
    await eventually(async () => (gateway.upstream.counters().aborted > before ? true : null), 1_000);
    const entry = await logEntry(gateway.server, user, requestIdOf(answer));
    expect(entry.status).toBe("cancelled");
    expect(Number(entry.cost)).toBeGreaterThan(0);
    const money = await keyMoney(gateway.server, user);
    expect(money).toMatchObject({ held: 0, usedQuota: Number(entry.cost) });
  });

  test("EC-106: silence is broken every ten seconds, by pings for messages clients and comments for chat clients", async () => {
    const { key } = await quick.key();
    const read = endpoints.map(async ([path, body]) => {
      const answer = await quick.server.gateway(path, key, body("stalls", { stream: true }));
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      const until = Date.now() + 8_000;
      while (reader && Date.now() < until && count(text) < 2) text += (await reader.read()).value ?? "";
      await reader?.cancel();
      return text;
    });
    const [chat, messages] = await Promise.all(read);
    expect(chat?.match(/^: .*$/gm)?.length).toBeGreaterThanOrEqual(2);
    expect(messages?.match(/^event: ping$/gm)?.length).toBeGreaterThanOrEqual(2);
  });
});

/** Keep-alives in a text of either protocol. */
function count(text: string): number {
  return (text.match(/^(: |event: ping)/gm) ?? []).length;
}

import type { ServerResponse } from "node:http";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  chatBody,
  type ErrorBody,
  eventually,
  gatewayFor,
  keyMoney,
  logEntry,
  requestIdOf,
} from "../support/gateway-fixtures";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";

const CHAT = "/v1/chat/completions";
const EXPLAIN = { "x-tollgate-explain": "1" };
const TEXTS = ["Ada", "Grace", "Edsger", "Barbara"];
/** Output at one cent a token, nothing else. */
const CENT_A_TOKEN = { input: 0, output: 1_000_000 };
const OUTPUT_PER_CHOICE = 10;

interface Asked {
  model: string;
  n?: number;
  stream?: boolean;
}

/** Answers that wait for a word of the test. */
const held: (() => void)[] = [];
let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream((response, { body }) => {
    const asked: Asked = JSON.parse(body);
    if (asked.model === "held") held.push(() => answer(response, asked));
    else answer(response, asked);
  });
});
afterAll(() => upstream?.close());

function answer(response: ServerResponse, { n = 1, stream }: Asked): void {
  const output = n * OUTPUT_PER_CHOICE;
  const usage = { prompt_tokens: 5, completion_tokens: output, total_tokens: 5 + output };
  const head = { id: "c1", created: 1, model: "m" };
  const indexes = [...Array(n).keys()];
  if (stream !== true) {
    const choices = indexes.map((index) => ({
      index,
      message: { role: "assistant", content: TEXTS[index % TEXTS.length] },
      finish_reason: "stop",
    }));
    sendJson(response, 200, { ...head, object: "chat.completion", choices, usage });
    return;
  }
  const chunk = (choices: object[], rest = {}) =>
    response.write(
      `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...rest })}\n\n`,
    );
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const index of indexes)
    chunk([{ index, delta: { role: "assistant", content: "" }, finish_reason: null }]);
  for (const letter of Array(7).keys()) {
    for (const index of indexes) {
      const content = TEXTS[index % TEXTS.length]?.[letter] ?? "";
      if (content !== "") chunk([{ index, delta: { content }, finish_reason: null }]);
    }
  }
  for (const index of indexes) chunk([{ index, delta: {}, finish_reason: "stop" }]);
  chunk([], { usage });
  response.end("data: [DONE]\n\n");
}

const PLAN = { qps: null, rpm: null, keyQuotaCents: 1_000_000, selfService: true };
const nodes = () => [{ name: "plural", url: upstream?.url ?? "" }];
const models = [
  { alias: "many", routes: [["plural", "m"]] as [string, string][], prices: CENT_A_TOKEN },
  { alias: "held", routes: [["plural", "held"]] as [string, string][], prices: CENT_A_TOKEN },
  { alias: "on-messages", routes: [["messages", "sim-a"]] as [string, string][] },
  {
    alias: "mixed",
    routes: [
      ["messages", "sim-a", 0],
      ["plural", "m", 1],
    ] as [string, string, number][],
  },
];
const gateway = gatewayFor({
  nodes,
  models,
  plans: [
    { id: 1, name: "Open", tpm: null, ...PLAN },
    { id: 2, name: "Tokens", tpm: 1_000, ...PLAN },
  ],
});
const lenient = gatewayFor({ nodes, models, env: { COMPATIBILITY: "lenient" } });
const strict = gatewayFor({ nodes, models, env: { COMPATIBILITY: "strict" } });

async function explained(server: typeof gateway.server, key: string, body: object) {
  const reply = await server.gateway(CHAT, key, body, EXPLAIN);
  expect(reply.status).toBe(200);
  return (await reply.json()) as {
    hold: string;
    maxTokens: number;
    warnings: string[];
    attempts: { protocol: string; body: { n?: number }; warnings: string[] }[];
  }; // asserted by the callers
}

/** Source: docs/contract.md#b4. */
describe("several choices of a model on chat nodes", () => {
  test.each([
    ["standard", gateway],
    ["lenient", lenient],
    ["strict", strict],
  ] as const)("all come and all are billed, streamed and not (%s)", async (_, { server }) => {
    const user = await server.user();
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: user.key, maxRetries: 0 });
    const request = { model: "many", n: 4, max_tokens: 20, messages: chatBody("many").messages as [] };
    const whole = await client.chat.completions.create(request);
    expect(whole.choices.map(({ index, message }) => [index, message.content])).toEqual([...TEXTS.entries()]);
    const streamed = await client.chat.completions.stream({ ...request, stream: true }).finalChatCompletion();
    const texts = streamed.choices.map(({ index, message, finish_reason }) => [
      index,
      message.content,
      finish_reason,
    ]);
    expect(texts).toEqual(TEXTS.map((text, index) => [index, text, "stop"]));
    expect(await keyMoney(server, user)).toMatchObject({ usedQuota: 2 * 4 * OUTPUT_PER_CHOICE, held: 0 });
  });

  test("hold so many times the output, and a dry run says so", async () => {
    const { server } = gateway;
    const user = await gateway.key();
    const body = chatBody("held", { n: 5, max_tokens: 30 });
    const { hold, maxTokens, attempts } = await explained(server, user.key, body);
    expect([hold, maxTokens, attempts[0]?.body.n]).toEqual(["150", 150, 5]);
    const running = server.gateway(CHAT, user.key, body);
    await eventually(async () => (held.length > 0 ? true : null));
    expect((await keyMoney(server, user)).held).toBe(150);
    for (const go of held.splice(0)) go();
    const reply = await running;
    await reply.arrayBuffer();
    expect(await keyMoney(server, user)).toMatchObject({ held: 0, usedQuota: 50 });
    expect((await logEntry(server, user, requestIdOf(reply))).warnings).toEqual([]);
  });

  test("count so many times against the tokens of a minute, until their usage is known", async () => {
    const { server } = gateway;
    const user = await gateway.key({ planId: 2 });
    const used = async () => {
      const shown = await (await server.gateway("/v1/usage", user.key)).json();
      return (shown as { limits: { tpm: { used: number } } }).limits.tpm.used;
    };
    const running = server.gateway(CHAT, user.key, chatBody("held", { n: 8, max_tokens: 100 }));
    await eventually(async () => (held.length > 0 ? true : null));
    expect(await used()).toBeGreaterThanOrEqual(800);
    const refused = await server.gateway(CHAT, user.key, chatBody("many", { n: 2, max_tokens: 100 }));
    expect(refused.status).toBe(429);
    for (const go of held.splice(0)) go();
    await (await running).arrayBuffer();
    expect(await used()).toBe(5 + 8 * OUTPUT_PER_CHOICE);
  });

  test("never take more than one request beyond a quota", async () => {
    const { server } = gateway;
    // Room for two holds of 4 times 10 tokens, and half of one.
    const user = await gateway.key({ quota: 100 });
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const reply = await server.gateway(CHAT, user.key, chatBody("many", { n: 4, max_tokens: 10 }));
        await reply.arrayBuffer();
        return reply.status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 402]));
    const { held: still, usedQuota } = await keyMoney(server, user);
    expect(still).toBe(0);
    expect(usedQuota).toBeLessThanOrEqual(100 + 40);
    expect(usedQuota).toBe(40 * statuses.filter((status) => status === 200).length);
  });

  test("are 128 at most", async () => {
    const user = await gateway.key();
    const most = await explained(gateway.server, user.key, chatBody("many", { n: 128, max_tokens: 1 }));
    expect(most.maxTokens).toBe(128);
    const refused = await gateway.server.gateway(CHAT, user.key, chatBody("many", { n: 129 }));
    const { error } = (await refused.json()) as ErrorBody; // asserted below
    expect([refused.status, error.param, error.message]).toEqual([400, "n", "n must be at most 128."]);
  });
});

/** Source: docs/contract.md#b4. */
describe("several choices of a model that also, or only, is on messages nodes", () => {
  test.each([gateway, strict])(
    "come from the chat node; without one they are refused by name",
    async ({ server }) => {
      const user = await server.user();
      const reply = await server.gateway(CHAT, user.key, chatBody("mixed", { n: 2 }));
      expect([reply.status, ((await reply.json()) as { choices: [] }).choices.length]).toEqual([200, 2]);
      const refused = await server.gateway(CHAT, user.key, chatBody("on-messages", { n: 2 }));
      const { error } = (await refused.json()) as ErrorBody; // asserted below
      expect([refused.status, error.param]).toEqual([400, "n"]);
    },
  );

  test("are one choice with a warning when lenient, and refused where the caller wants no loss", async () => {
    const { server } = lenient;
    const user = await server.user();
    const reply = await server.gateway(CHAT, user.key, chatBody("on-messages", { n: 2 }));
    expect([reply.status, ((await reply.json()) as { choices: [] }).choices.length]).toEqual([200, 1]);
    expect(reply.headers.get("x-tollgate-warnings")).toContain("dropped:n");
    const noLoss = { "x-tollgate-strict": "1" };
    const refused = await server.gateway(CHAT, user.key, chatBody("on-messages", { n: 2 }), noLoss);
    const { error } = (await refused.json()) as ErrorBody; // asserted below
    expect([refused.status, error.param]).toEqual([400, "n"]);
    const mixed = await server.gateway(CHAT, user.key, chatBody("mixed", { n: 2 }), noLoss);
    expect([mixed.status, ((await mixed.json()) as { choices: [] }).choices.length]).toEqual([200, 2]);
    const { attempts } = await explained(server, user.key, chatBody("mixed", { n: 2 }));
    expect(attempts.map(({ protocol, warnings }) => [protocol, warnings])).toEqual([
      ["chat", []],
      ["messages", ["dropped:n"]],
    ]);
  });
});

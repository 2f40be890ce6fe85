import { afterAll, describe, expect, test } from "vitest";
import { chatBody, gatewayFor, keyMoney } from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";
import { expectFetchRefusal } from "../support/v1-refusal";

const gateway = gatewayFor({
  models: [
    { alias: "good", routes: [["chat", "sim-a"]] },
    { alias: "on-messages", routes: [["messages", "sim-a"]] },
  ],
});

let shared: TestUser | null = null;

/** One key for all refusals: none of them may cost anything. */
async function refusedKey(): Promise<TestUser> {
  shared ??= await gateway.key();
  return shared;
}

afterAll(async () => {
  if (shared === null) return;
  expect(await keyMoney(gateway.server, shared)).toMatchObject({ usedQuota: 0, held: 0 });
  expect(gateway.upstream.counters().requests).toBe(0);
});

const CHAT = "/v1/chat/completions";
const MESSAGES = "/v1/messages";
const user = { role: "user", content: "Hello" };
const missing = undefined;

const badCounts = [0, -1, 1.5, "10", 1e30, 2 ** 64, [], true];
const fields: [path: string, param: string, fields: Record<string, unknown>][] = [
  ...badCounts.map((value): [string, string, Record<string, unknown>] => [
    CHAT,
    "max_tokens",
    { max_tokens: value },
  ]),
  ...[...badCounts, missing, null].map((value): [string, string, Record<string, unknown>] => [
    MESSAGES,
    "max_tokens",
    { max_tokens: value },
  ]),
  ...[CHAT, MESSAGES].flatMap((path): [string, string, Record<string, unknown>][] => [
    [path, "temperature", { temperature: 1.1 }],
    [path, "temperature", { temperature: -0.1 }],
    [path, "temperature", { temperature: "x" }],
    [path, "top_p", { top_p: 2 }],
    [path, "messages", { messages: missing }],
    [path, "messages", { messages: [] }],
    [path, "messages", { messages: "Hello" }],
    [path, "messages[0].role", { messages: [{ role: "robot", content: "x" }] }],
    [path, "messages[0].content", { messages: [{ role: "user" }] }],
    [path, "messages[1].content", { messages: [user, { role: "user", content: 7 }] }],
    [path, "stream", { stream: "true" }],
    [path, "tools", { tools: "none" }],
    [
      path,
      "tools",
      {
        tools: Array.from({ length: 129 }, (_, at) => ({
          name: `t${at}`,
          type: "function",
          function: { name: `t${at}` },
          input_schema: {},
        })),
      },
    ],
    [path, "tool_choice", { tool_choice: 5 }],
    [path, "messages[0].content", { messages: [{ role: "user", content: "a\0b" }] }],
    [path, "api_base", { api_base: "http://127.0.0.1:9" }],
    [path, "base_url", { base_url: "http://127.0.0.1:9" }],
    [path, "api_key", { api_key: "sk-other" }],
    [path, "extra_headers", { extra_headers: { authorization: "x" } }],
  ]),
  [CHAT, "n", { n: 0 }],
  [CHAT, "n", { n: 129 }],
  [CHAT, "n", { n: 1.5 }],
  [CHAT, "n", { n: "2" }],
  [CHAT, "stop", { stop: ["a", "b", "c", "d", "e"] }],
  [CHAT, "response_format.type", { response_format: {} }],
  [CHAT, "max_completion_tokens", { max_completion_tokens: 0 }],
  [MESSAGES, "system", { system: 5 }],
  [MESSAGES, "stop_sequences[0]", { stop_sequences: [5] }],
  [MESSAGES, "thinking.type", { thinking: {} }],
];

/** Source: docs/reliability.md#r-11, #r-122. */
describe("a field that is wrong", () => {
  test.each(fields)("on %s is refused by its name: %s %j", async (path, param, wrong) => {
    const { key } = await refusedKey();
    const answer = await gateway.server.gateway(path, key, chatBody("good", wrong));
    const error = await expectFetchRefusal(answer, path, "INVALID_REQUEST");
    expect(error.param).toBe(param);
    expect(error.message).toContain(param.split("[")[0]);
  });

  test.each([
    [CHAT, "n", "on-messages", { n: 2 }],
    [CHAT, "audio", "on-messages", { audio: { voice: "x" } }],
    [MESSAGES, "container", "good", { container: "c_1" }],
    [MESSAGES, "mcp_servers", "good", { mcp_servers: [{ type: "url" }] }],
  ])(
    "because no node of the model can express it is refused by its name: %s %s",
    async (path, param, model, wrong) => {
      const { key } = await refusedKey();
      const answer = await gateway.server.gateway(path, key, chatBody(model, wrong));
      const error = await expectFetchRefusal(answer, path, "INVALID_REQUEST");
      expect(error.param).toBe(param);
    },
  );

  test.each(["provider-version", "anthropic-version"])("is a header, too: %s", async (header) => {
    const { key } = await refusedKey();
    for (const version of ["2022-01-01", "latest", "2023-13-45"]) {
      const answer = await gateway.server.gateway(MESSAGES, key, chatBody("good"), { [header]: version });
      expect((await expectFetchRefusal(answer, MESSAGES, "INVALID_REQUEST")).param).toBe(header);
    }
  });
});

/** Source: docs/reliability.md#r-122, #r-123. */
describe("a body that is no request", () => {
  const deep = `${'{"a":'.repeat(100)}1${"}".repeat(100)}`;
  test.each([
    ["broken JSON", '{"model": "good", '],
    ["nothing", ""],
    ["an array", "[]"],
    ["null", "null"],
    ["a string", '"good"'],
    ["a number", "1"],
    ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["100 levels of nesting", deep],
    ["100,000 nested arrays", "[".repeat(100_000)],
    ["more than 200,000 values", `{"model":"good","x":[${"1,".repeat(250_000)}1]}`],
  ])("%s is a 400 that says so", async (_name, body) => {
    const { key } = await refusedKey();
    for (const path of [CHAT, MESSAGES]) {
      const began = performance.now();
      const answer = await fetch(gateway.server.url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body,
      });
      expect((await expectFetchRefusal(answer, path, "INVALID_REQUEST")).param).toBe("body");
      expect(performance.now() - began).toBeLessThan(2_000);
    }
  });

  test.each([
    ["no model", {}],
    ["an empty model", { model: "" }],
    ["a model that is a number", { model: 5 }],
  ])("%s is a 400 that names it", async (_name, body) => {
    const { key } = await refusedKey();
    const answer = await gateway.server.gateway(CHAT, key, body);
    expect((await expectFetchRefusal(answer, CHAT, "INVALID_REQUEST")).param).toBe("model");
  });

  test("keys that would change every object's prototype change nothing", async () => {
    const { key } = await gateway.key();
    const poisoned = `{"model":"no-such-model","__proto__":{"stream":true},"constructor":{"prototype":{"x":1}},"max_tokens":5,"messages":[]}`;
    const answer = await fetch(gateway.server.url + CHAT, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: poisoned,
    });
    await expectFetchRefusal(answer, CHAT, "MODEL_NOT_FOUND");
    const next = await gateway.server.gateway("/v1/models", key);
    expect(next.headers.get("content-type")).toBe("application/json");
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  chatBody,
  type ErrorBody,
  gatewayFor,
  keyMoney,
  logEntry,
  requestIdOf,
} from "../support/gateway-fixtures";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";

const SECRET = "sk-proj-8Zk2VerySecret0123456789";
let telling: ScriptedUpstream | null = null;
let refusal: { status: number; body: unknown; headers?: Record<string, string> } = { status: 401, body: {} };

beforeAll(async () => {
  telling = await startScriptedUpstream((response) =>
    sendJson(response, refusal.status, refusal.body, refusal.headers),
  );
});
afterAll(() => telling?.close());

const url = () => telling?.url ?? "";
const failing = {
  "answers 500": { model: "sim-500", status: 502, code: "UPSTREAM_ERROR" },
  "answers 504": { model: "sim-504", status: 502, code: "UPSTREAM_ERROR" },
  "answers 401": { model: "sim-401", status: 502, code: "UPSTREAM_ERROR" },
  "answers 404": { model: "sim-404", status: 502, code: "UPSTREAM_ERROR" },
  "answers HTML": { model: "sim-html", status: 502, code: "UPSTREAM_ERROR" },
  hangs: { model: "sim-hang", status: 502, code: "UPSTREAM_ERROR" },
  "answers 529": { model: "sim-529", status: 503, code: "NO_AVAILABLE_NODE" },
  "answers 429": { model: "sim-429-retry-7", status: 503, code: "NO_AVAILABLE_NODE" },
} as const;

const gateway = gatewayFor({
  nodes: () => [
    { name: "refusing-b", url: "http://127.0.0.1:9" },
    ...Object.keys(failing).flatMap((_, number) => [
      { name: `a${number}`, timeouts: { firstByteMs: 300, responseMs: 300 } },
      { name: `b${number}`, timeouts: { firstByteMs: 300, responseMs: 300 } },
    ]),
    { name: "telling", url: url(), apiKey: SECRET },
    { name: "telling-b", url: url(), apiKey: SECRET },
    { name: "telling-c", url: url() },
    { name: "telling-d", url: url() },
  ],
  models: [
    {
      alias: "unreachable",
      routes: [
        ["refusing", "sim-a"],
        ["refusing-b", "sim-a"],
      ],
    },
    ...Object.values(failing).map(({ model }, number) => ({
      alias: `failing-${number}`,
      routes: [
        [`a${number}`, model],
        [`b${number}`, model],
      ] as [string, string][],
    })),
    {
      alias: "client-fault",
      routes: [
        ["chat", "sim-400", 0],
        ["chat-b", "sim-good", 1],
      ],
    },
    {
      alias: "telling-model",
      routes: [
        ["telling", "secret-upstream-model", 0],
        ["telling-b", "secret-upstream-model", 1],
      ],
    },
    { alias: "telling-once", routes: [["telling", "secret-upstream-model"]] },
    { alias: "plain-name", routes: [["telling-c", "upstream"]] },
    { alias: "sentences", routes: [["telling-d", "secret-upstream-model"]] },
  ],
});

/** Source: docs/reliability.md#r-23, #r-55. */
describe.each(Object.entries(failing))("when every node %s", (_fault, { status, code, model }) => {
  const alias = `failing-${Object.values(failing).findIndex((one) => one.model === model)}`;

  test.each([
    ["/v1/chat/completions", false],
    ["/v1/messages", true],
  ])(`%s gets ${status} ${code}, is not billed, and holds nothing (streamed: %s)`, async (path, stream) => {
    const { server } = gateway;
    const key = await gateway.key();
    const answer = await server.gateway(path, key.key, chatBody(alias, { stream }));
    expect(answer.headers.get("content-type")).toContain("application/json");
    const body: ErrorBody = await answer.json();
    // A node that does not know a model is not asked for it again: then there is none.
    const again = stream && model === "sim-404";
    expect([answer.status, body.error.code]).toEqual(again ? [503, "NO_AVAILABLE_NODE"] : [status, code]);
    if (answer.status === 503) expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(await keyMoney(server, key)).toMatchObject({ usedQuota: 0, held: 0 });
    expect(await logEntry(server, key, requestIdOf(answer))).toMatchObject({
      status: "error",
      httpStatus: answer.status,
      errorCode: body.error.code,
      cost: "0",
      stream,
    });
  });
});

test("a 429 of every node becomes 503 with the shortest wait they asked for", async () => {
  const key = await gateway.key();
  const answer = await gateway.server.gateway(
    "/v1/chat/completions",
    key.key,
    chatBody(`failing-${Object.keys(failing).indexOf("answers 429")}`),
  );
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(5);
  expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(7);
});

/** Source: docs/reliability.md#r-53, #r-78. */
test("an alias whose nodes all refuse connections is 503 with a whole Retry-After, and costs nothing", async () => {
  const key = await gateway.key();
  const answer = await gateway.server.gateway("/v1/chat/completions", key.key, chatBody("unreachable"));
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  const body: ErrorBody = await answer.json();
  expect(body.error).toMatchObject({ code: "NO_AVAILABLE_NODE", type: "server_error" });
  expect(await keyMoney(gateway.server, key)).toMatchObject({ usedQuota: 0, held: 0 });
});

/** Source: docs/reliability.md#r-83. */
test("what the upstream refuses as the caller's fault is the caller's 400, after exactly one upstream call", async () => {
  const { server, upstream, second } = gateway;
  const key = await gateway.key();
  const before = upstream.counters().requests + second.counters().requests;
  for (const path of ["/v1/chat/completions", "/v1/messages"]) {
    const answer = await server.gateway(path, key.key, chatBody("client-fault"));
    expect(answer.status).toBe(400);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    const body: ErrorBody = await answer.json();
    expect(body.error).toMatchObject({ code: "INVALID_REQUEST", type: "invalid_request_error" });
    expect(body.error.message).toContain("simulated status 400");
    expect((await logEntry(server, key, requestIdOf(answer))).attemptCount).toBe(1);
  }
  expect(upstream.counters().requests + second.counters().requests - before).toBe(2);
  expect(await keyMoney(server, key)).toMatchObject({ usedQuota: 0, held: 0 });
});

test("a context that is too long keeps the code chat clients look for", async () => {
  refusal = {
    status: 400,
    body: {
      error: {
        message: "This model's maximum context length is 128000 tokens.",
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded",
      },
    },
  };
  const key = await gateway.key();
  const answer = await gateway.server.gateway("/v1/chat/completions", key.key, chatBody("telling-once"));
  const body: ErrorBody = await answer.json();
  expect(answer.status).toBe(400);
  expect(body.error.param).toBe("messages");
  expect(body.error.details.vendor_code).toBe("context_length_exceeded");
});

/** Source: docs/reliability.md#r-75, #r-142. */
test("an upstream's words about its key, host, account and model never reach the caller or the log", async () => {
  refusal = {
    status: 401,
    headers: {
      "x-ratelimit-limit-requests": "77",
      "set-cookie": "upstream=1",
      "openai-organization": "org-9",
    },
    body: {
      error: {
        message: `Incorrect API key provided: ${SECRET} for secret-upstream-model at https://api.upstream.example/v1 in org-Ab12Cd34Ef56.`,
        type: "invalid_request_error",
        code: "invalid_api_key",
      },
    },
  };
  const { server } = gateway;
  const key = await gateway.key();
  for (const path of ["/v1/chat/completions", "/v1/messages"]) {
    const answer = await server.gateway(path, key.key, chatBody("telling-model"));
    expect(answer.status).not.toBe(401);
    const said = [
      await answer.text(),
      JSON.stringify([...answer.headers]),
      JSON.stringify(await logEntry(server, key, requestIdOf(answer))),
    ].join("\n");
    for (const secret of [SECRET, "8Zk2Very", "secret-upstream-model", "upstream.example", "org-Ab12", url()])
      expect(said).not.toContain(secret);
    expect(said).not.toContain("set-cookie");
    expect(said).not.toContain('"77"');
  }
  expect(server.output).not.toContain(SECRET);
  expect(telling?.calls.every((call) => call.headers.authorization === `Bearer ${SECRET}`)).toBe(true);
});

/** Source: docs/contract.md#b2. */
test("a caller's own address in a refusal of its request stays, the node's own goes", async () => {
  const own = "https://cdn.example.com/images/550e8400-e29b-41d4-a716-446655440000.png?w=2";
  refusal = {
    status: 400,
    body: { error: { message: `Failed to download ${own} (asked by ${url()}/v1)`, param: `at ${url()}` } },
  };
  const key = await gateway.key();
  for (const path of ["/v1/chat/completions", "/v1/messages"]) {
    const answer = await gateway.server.gateway(path, key.key, chatBody("telling-once"));
    const body: ErrorBody = await answer.json();
    expect(answer.status).toBe(400);
    expect(body.error.message).toBe(`Failed to download ${own} (asked by [host])`);
    expect(body.error.param).toBe("at [host]");
  }
});

/** Source: docs/contract.md#texts. */
test("the name of the upstream's model is replaced in the upstream's words only, not in the gateway's own", async () => {
  const key = await gateway.key();
  const messageOf = async (body: unknown) => {
    refusal = { status: 500, body };
    const answer = await gateway.server.gateway("/v1/chat/completions", key.key, chatBody("plain-name"));
    return ((await answer.json()) as ErrorBody).error.message; // asserted by the caller
  };
  expect(await messageOf({})).toBe(
    "The upstream failed: The upstream answered with status 500. Nothing was billed.",
  );
  expect(await messageOf({ error: { message: "no upstream here" } })).toBe(
    "The upstream failed: no plain-name here. Nothing was billed.",
  );
});

test.each([
  ["It broke", "It broke."],
  ["It broke. ", "It broke."],
  ['It said "no."', 'It said "no."'],
  ["Why?", "Why?"],
  ["出错了。", "出错了。"],
])("the upstream's words %s end with a full stop before ours begin", async (words, sentence) => {
  refusal = { status: 500, body: { error: { message: words } } };
  const key = await gateway.key();
  const answer = await gateway.server.gateway("/v1/messages", key.key, chatBody("sentences"));
  const body: ErrorBody = await answer.json();
  expect(body.error.message).toBe(`The upstream failed: ${sentence} Nothing was billed.`);
});

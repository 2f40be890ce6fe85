import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { gatewayFor, keyMoney, logEntry, requestIdOf } from "../support/gateway-fixtures";
import {
  type ScriptedUpstream,
  sendJson,
  startScriptedUpstream,
  type UpstreamCall,
} from "../support/scripted-upstream";
import { cheapestDatabase } from "../support/server-databases";

/** Gemini has paths, bodies and tiers of its own. */
const protocolIds = ["chat", "messages", "responses"] as const;

const QUOTA = "You exceeded your current quota, please check your plan and billing details.";
const refusals: Record<string, [number, JsonObject]> = {
  "429": [429, { error: { message: QUOTA, type: "insufficient_quota", code: "insufficient_quota" } }],
  "400": [
    400,
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.",
      },
    },
  ],
  "402": [402, { error: { message: "Insufficient Balance", code: "invalid_request_error" } }],
  "403": [403, { error: { message: "No.", code: "AccountOverdueError" } }],
  "in-band": [200, { error: { message: QUOTA, type: "insufficient_quota", code: "insufficient_quota" } }],
};
/** What of a vendor's words must not reach a caller. */
const leaked = /quota|credit|balance|billing details|overdue|insufficient/i;

/** The refusal that the node gives now; null: it answers well. */
let refusal: keyof typeof refusals | null = null;

function refuse(response: ServerResponse, stream: boolean): void {
  const [status, body] = refusals[refusal ?? ""] ?? [500, {}];
  if (status !== 200 || !stream) sendJson(response, status, body);
  else
    response
      .writeHead(200, { "content-type": "text/event-stream" })
      .end(`event: error\ndata: ${JSON.stringify({ type: "error", ...body })}\n\n`);
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function embed(response: ServerResponse, model: unknown): void {
  const data = [{ object: "embedding", index: 0, embedding: [0.5] }];
  sendJson(response, 200, { object: "list", model, data, usage });
}

function complete(response: ServerResponse, model: unknown, stream: boolean): void {
  const said = { role: "assistant", content: "Hello" };
  const choice = { index: 0, [stream ? "delta" : "message"]: said, finish_reason: "stop" };
  const object = stream ? "chat.completion.chunk" : "chat.completion";
  const whole = { id: "c", object, created: 1, model, choices: [choice], usage };
  if (!stream) sendJson(response, 200, whole);
  else
    response
      .writeHead(200, { "content-type": "text/event-stream" })
      .end(`data: ${JSON.stringify(whole)}\n\ndata: [DONE]\n\n`);
}

/** Begins to answer, then says that the account cannot pay. */
function breakOff(response: ServerResponse, model: unknown): void {
  const [, body] = refusals["in-band"] ?? [];
  const begun = { choices: [{ index: 0, delta: { role: "assistant", content: "Hel" } }] };
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model, ...begun })}\n\n`,
  );
  response.end(`data: ${JSON.stringify(body)}\n\n`);
}

function answer(response: ServerResponse, { path, body }: UpstreamCall): void {
  const { model, stream } = JSON.parse(body);
  if (model === "breaks") breakOff(response, model);
  else if (model !== "good" && refusal !== null) refuse(response, stream === true);
  else if (path.endsWith("/embeddings")) embed(response, model);
  else complete(response, model, stream === true);
}

let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream(answer);
});
afterAll(() => upstream?.close());

const gateway = gatewayFor({
  database: await cheapestDatabase(),
  env: { ALLOW_PRIVATE_UPSTREAMS: "1" },
  nodes: () => {
    const url = upstream?.url ?? "";
    return [
      ...protocolIds.map((protocol) => ({ name: `poor-${protocol}`, url, protocol })),
      { name: "rich", url, protocol: "chat" as const },
      { name: "watched", url, protocol: "chat" as const },
      { name: "hurried", url, protocol: "chat" as const, provider: "qwen" },
    ];
  },
  models: [
    ...protocolIds.flatMap((protocol) => [
      { alias: `${protocol}-alone`, routes: [[`poor-${protocol}`, "m"] as [string, string]] },
      {
        alias: `${protocol}-pair`,
        routes: [
          [`poor-${protocol}`, "m", 0],
          ["rich", "good", 1],
        ] as [string, string, number][],
      },
    ]),
    { alias: "breaks", routes: [["poor-chat", "breaks"]] },
    { alias: "watched", routes: [["watched", "m"]] },
    { alias: "hurried", routes: [["hurried", "m"]] },
    { alias: "hurried-breaks", routes: [["hurried", "breaks"]] },
    { alias: "vectors", kind: "embedding", prices: { input: 100, output: 0 }, routes: [["poor-chat", "m"]] },
  ],
});

interface NodeRow {
  id: string;
  name: string;
  health: { state: string; cause: string | null; lastError: { kind: string; message: string } | null };
}

async function nodeNamed(name: string): Promise<NodeRow> {
  const { body } = await gateway.server.api<{ data: NodeRow[] }>(
    "GET",
    "/api/admin/nodes",
    await gateway.server.adminToken(),
  );
  const row = body.data.find((node) => node.name === name);
  if (row === undefined) throw new Error(`no node ${name}`);
  return row;
}

beforeEach(async () => {
  refusal = null;
  const token = await gateway.server.adminToken();
  for (const protocol of protocolIds) {
    const { id } = await nodeNamed(`poor-${protocol}`);
    await gateway.server.api("POST", `/api/admin/nodes/${id}/reset`, token);
  }
});

const paths = { chat: "/v1/chat/completions", messages: "/v1/messages", responses: "/v1/responses" } as const;
const turn = [{ role: "user", content: "Hi" }];
const bodies = {
  chat: { max_tokens: 50, messages: turn },
  messages: { max_tokens: 50, messages: turn },
  responses: { max_output_tokens: 50, input: turn, store: false },
};
const cases = protocolIds.flatMap((protocol) =>
  Object.keys(refusals).flatMap((kind) => [false, true].map((stream) => [protocol, kind, stream] as const)),
);

test.each(cases)(
  "%s: a %s about the operator's bill (stream: %s) is a 503 with a wait, without a word of it",
  async (protocol, kind, stream) => {
    refusal = kind;
    const user = await gateway.key();
    const ask = (model: string) =>
      gateway.server.gateway(paths[protocol], user.key, { ...bodies[protocol], model, stream });
    const alone = await ask(`${protocol}-alone`);
    const text = await alone.text();
    expect([alone.status, alone.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(JSON.parse(text).error.message).toContain("No node for the model");
    expect(text).not.toMatch(leaked);
    expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 0, held: 0 });
    const { health } = await nodeNamed(`poor-${protocol}`);
    expect(health).toMatchObject({ state: "cooling", cause: "billing", lastError: { kind: "billing" } });
    const pair = await ask(`${protocol}-pair`);
    expect(pair.status, "the other node is asked").toBe(200);
    await pair.text();
  },
);

test.each(Object.keys(refusals))(
  "embeddings: a %s about the operator's bill is a 503 with a wait",
  async (kind) => {
    refusal = kind;
    const user = await gateway.key();
    const response = await gateway.server.gateway("/v1/embeddings", user.key, {
      model: "vectors",
      input: "Hi",
    });
    const text = await response.text();
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(text).not.toMatch(leaked);
  },
);

test.each(protocolIds)(
  "%s: a stream that breaks for the operator's bill says no word of it",
  async (protocol) => {
    const user = await gateway.key();
    const body = { ...bodies[protocol], model: "breaks", stream: true };
    const response = await gateway.server.gateway(paths[protocol], user.key, body);
    const text = await response.text();
    expect(text).toContain("Hel");
    expect(text).toContain("cannot serve this request now");
    expect(text).not.toMatch(leaked);
    expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 0, held: 0 });
    const { health } = await nodeNamed("poor-chat");
    expect(health).toMatchObject({ state: "cooling", cause: "billing" });
  },
);

describe("a provider that means a rate limit by its quota", () => {
  beforeEach(async () => {
    const { id } = await nodeNamed("hurried");
    await gateway.server.api("POST", `/api/admin/nodes/${id}/reset`, await gateway.server.adminToken());
  });

  const cases = (["429", "in-band"] as const).flatMap((kind) =>
    [false, true].map((stream) => [kind, stream] as const),
  );
  test.each(cases)("cools down for a moment after a %s (stream: %s)", async (kind, stream) => {
    refusal = kind;
    const user = await gateway.key();
    const body = { ...bodies.chat, model: "hurried", stream };
    const response = await gateway.server.gateway(paths.chat, user.key, body);
    const text = await response.text();
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeLessThan(30);
    expect(text).not.toMatch(leaked);
    const { health } = await nodeNamed("hurried");
    expect(health).toMatchObject({ state: "cooling", cause: "limited", lastError: { kind: "limited" } });
  });

  test.each(protocolIds)("%s: a stream that breaks for it says no word of it", async (protocol) => {
    const user = await gateway.key();
    const body = { ...bodies[protocol], model: "hurried-breaks", stream: true };
    const response = await gateway.server.gateway(paths[protocol], user.key, body);
    const text = await response.text();
    expect(text).toContain("Hel");
    expect(text).toContain("cannot serve this request now");
    expect(text).not.toMatch(leaked);
    const { health } = await nodeNamed("hurried");
    expect(health).toMatchObject({ cause: "limited", lastError: { kind: "limited" } });
  });
});

test("the first refusal goes to the next node, and the log tells admins why", async () => {
  refusal = "429";
  const user = await gateway.key();
  const body = { ...bodies.chat, model: "chat-pair" };
  const response = await gateway.server.gateway(paths.chat, user.key, body);
  expect(response.status).toBe(200);
  await response.text();
  const { attempts } = await logEntry(gateway.server, user, requestIdOf(response));
  expect(attempts.map(({ result }) => result)).toEqual(["billing", "ok"]);
  expect((await nodeNamed("poor-chat")).health.lastError?.message).toContain("exceeded your current quota");
});

test("an alert of its own kind tells it", async () => {
  const posted: JsonObject[] = [];
  const receiver = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      posted.push(JSON.parse(text));
      response.writeHead(200).end("ok");
    });
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo; // a TCP listener has an address object
  const { server } = gateway;
  const token = await server.adminToken();
  const alertUrl = `http://127.0.0.1:${port}/`;
  expect((await server.api("PATCH", "/api/admin/settings", token, { alertUrl })).status).toBe(200);
  refusal = "402";
  const user = await gateway.key();
  await (await server.gateway(paths.chat, user.key, { ...bodies.chat, model: "watched" })).text();
  const find = () => posted.find(({ event, node }) => event === "node.unpaid" && node === "watched");
  await expect.poll(find, { timeout: 30_000, interval: 100 }).toBeDefined();
  expect(posted.some(({ event, node }) => event === "node.open" && node === "watched")).toBe(false);
  await server.api("PATCH", "/api/admin/settings", token, { alertUrl: null });
  receiver.close();
  receiver.closeAllConnections();
});

import type { ServerResponse } from "node:http";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json";
import { chatBody, type ErrorBody, gatewayFor, messagesBody } from "../support/gateway-fixtures";
import {
  type ScriptedUpstream,
  sendJson,
  startScriptedUpstream,
  type UpstreamCall,
} from "../support/scripted-upstream";

const SEALED = "gAAAAA-sealed-by-the-vendor";
const SIGNATURE = "EsignatureOfTheVendor==";

const reasoning = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "Think." }],
  encrypted_content: SEALED,
};
const message = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Hello", annotations: [] }],
};
const future = { type: "hologram", id: "h_1", beams: [1, { a: 2 }] };
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };

function responseOf(model: string, fields: JsonObject = {}): JsonObject {
  const fixed = {
    id: "resp_node",
    object: "response",
    created_at: 1,
    status: "completed",
    model,
    store: false,
  };
  return { ...fixed, output: [reasoning, future, message], usage, ...fields };
}

function eventsOf(model: string): JsonObject[] {
  const done = [reasoning, future, message].map((item, output_index) => ({
    type: "response.output_item.done",
    output_index,
    item,
  }));
  const begun = responseOf(model, { status: "in_progress", output: [], usage: null });
  return [
    { type: "response.created", response: begun },
    ...done,
    { type: "response.hologram.shown", output_index: 1, beams: [3] },
    { type: "response.completed", response: responseOf(model) },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}

function sse(events: readonly JsonObject[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

function answer(response: ServerResponse, { path, body }: UpstreamCall): void {
  const asked = JSON.parse(body);
  const { model } = asked;
  if (path === "/v1/messages") answerMessages(response, model);
  else if (model === "silent") return;
  else if (model === "down") sendJson(response, 500, { error: { message: "down" } });
  else if (model === "throttled") {
    const headers = {
      "retry-after": "1",
      "x-codex-primary-used-percent": "40",
      "x-codex-primary-reset-after-seconds": "18000",
    };
    sendJson(response, 429, { error: { code: "rate_limit_exceeded", message: "Slow down" } }, headers);
  } else if (model === "picky" && JSON.stringify(asked.input).includes("encrypted_content")) {
    const text = "The encrypted content for item rs_1 could not be verified.";
    sendJson(response, 400, { error: { code: "invalid_encrypted_content", message: text } });
  } else if (asked.stream !== true) sendJson(response, 200, responseOf(model));
  else {
    response.writeHead(200, model === "untyped" ? {} : { "content-type": "text/event-stream" });
    response.end(sse(eventsOf(model)));
  }
}

function answerMessages(response: ServerResponse, model: string): void {
  sendJson(response, 200, {
    id: "msg_node",
    type: "message",
    role: "assistant",
    model,
    content: [
      { type: "thinking", thinking: "Think.", signature: SIGNATURE },
      { type: "text", text: "Hello" },
    ],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  });
}

let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream(answer);
});
afterAll(() => upstream?.close());

const gateway = gatewayFor({
  nodes: () => {
    const url = upstream?.url ?? "";
    const node = (name: string, more = {}) => ({ name, url, protocol: "responses" as const, ...more });
    return [
      ...["plain", "untyped", "down", "picky", "throttled"].map((name) => node(name)),
      node("silent", { timeouts: { responseMs: 1_000 } }),
      { name: "claude", url, protocol: "messages" },
    ];
  },
  models: [
    { alias: "plain", routes: [["plain", "gpt-5.6"]] },
    { alias: "untyped", routes: [["untyped", "untyped"]] },
    {
      alias: "moved",
      routes: [
        ["down", "down", 0],
        ["picky", "picky", 1],
      ],
    },
    { alias: "throttled", routes: [["throttled", "throttled"]] },
    {
      alias: "late",
      routes: [
        ["silent", "silent", 0],
        ["plain", "gpt-5.6", 1],
      ],
    },
    { alias: "claude", routes: [["claude", "claude-opus-4-6"]] },
  ],
});

const asked = (model: string, fields: JsonObject = {}) => ({ model, input: "Hi", store: false, ...fields });

async function post(path: string, body: JsonObject): Promise<Response> {
  return gateway.server.gateway(path, (await gateway.key()).key, body);
}

/** What the nodes have been asked since the last time. */
function calls(): JsonObject[] {
  return upstream?.calls.splice(0).map(({ body }) => JSON.parse(body)) ?? [];
}

describe("a Responses client of a Responses node", () => {
  test("R-25: gets items and events that nobody knows, and nothing of the node's own names", async () => {
    const text = await (await post("/v1/responses", asked("plain", { stream: true }))).text();
    expect(text).toContain(
      '{"type":"response.hologram.shown","output_index":1,"beams":[3],"sequence_number":4}',
    );
    expect(text).toContain(JSON.stringify(future));
    expect(text).not.toMatch(/gpt-5\.6|resp_node/);
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    const whole = await (await post("/v1/responses", asked("plain"))).json();
    expect(whole).toMatchObject({ model: "plain", output: [reasoning, future, message], usage });
    expect(whole.id).toMatch(/^resp_[0-9a-f]{32}$/);
  });

  test("R-26: goes on after a failover to another account, without the reasoning that it cannot verify", async () => {
    calls();
    const input = [
      { role: "user", content: "Hi" },
      reasoning,
      { role: "assistant", content: "Hello" },
      { role: "user", content: "Go on" },
    ];
    const response = await post("/v1/responses", asked("moved", { input }));
    expect(response.status).toBe(200);
    expect(response.headers.get("x-tollgate-warnings")).toContain("dropped:reasoning");
    const [first, second, third] = calls();
    expect([first, second]).toMatchObject([{ model: "down" }, { model: "picky", input }]);
    expect(third).toMatchObject({ model: "picky", input: [input[0], input[2], input[3]] });
  });

  test("R-40: is served by the next node when one sends no header", async () => {
    calls();
    const response = await post("/v1/responses", asked("late"));
    expect(response.status).toBe(200);
    expect(calls().map(({ model }) => model)).toEqual(["silent", "gpt-5.6"]);
  });

  test("R-41: is told to wait as long as Retry-After says, not as long as a window of the node's account", async () => {
    const response = await post("/v1/responses", asked("throttled"));
    expect([429, 503]).toContain(response.status);
    expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(5);
    const { error }: ErrorBody = await response.json();
    expect(error.message).not.toContain("18000");
  });
});

describe("R-22: a stream without a content type is read", () => {
  test.each([
    ["/v1/chat/completions", chatBody("untyped", { stream: true })],
    ["/v1/messages", messagesBody("untyped", { stream: true })],
    ["/v1/responses", asked("untyped", { stream: true })],
  ])("by a client of %s", async (path, body) => {
    const text = await (await post(path, body)).text();
    expect(text).toContain("Hello");
    expect(text).not.toContain("UPSTREAM_ERROR");
  });
});

describe("reasoning that crosses protocols comes back to its maker as it was", () => {
  const sealedItem = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: SEALED };

  test("from a Responses node, through a messages client", async () => {
    const { key } = await gateway.key();
    const client = new Anthropic({ baseURL: gateway.server.url, apiKey: key, maxRetries: 0 });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Hi" }];
    const request = { model: "plain", max_tokens: 100 };
    const reply = await client.messages.stream({ ...request, messages }).finalMessage();
    expect(reply.content).toMatchObject([
      { type: "thinking", thinking: "Think." },
      { type: "text", text: "Hello" },
    ]);
    expect(JSON.stringify(reply)).not.toContain(SEALED);
    calls();
    const next: Anthropic.MessageParam[] = [
      ...messages,
      { role: "assistant", content: reply.content },
      { role: "user", content: "Go on" },
    ];
    await client.messages.create({ ...request, messages: next });
    expect(calls()[0]?.input).toContainEqual(sealedItem);
    await client.messages.create({ ...request, model: "claude", messages: next });
    expect(JSON.stringify(calls())).not.toMatch(/sealed|thinking"/);
  });

  test("from a Responses node, through a chat client", async () => {
    const { key } = await gateway.key();
    const client = new OpenAI({ baseURL: `${gateway.server.url}/v1`, apiKey: key, maxRetries: 0 });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Hi" }];
    const reply = (await client.chat.completions.create({ model: "plain", messages })).choices[0]?.message;
    expect(reply).toMatchObject({ content: "Hello", reasoning_content: "Think." });
    expect(JSON.stringify(reply)).not.toContain(SEALED);
    calls();
    const turns = [...messages, ...(reply === undefined ? [] : [reply]), ...messages];
    await client.chat.completions.create({ model: "plain", messages: turns });
    expect(calls()[0]?.input).toContainEqual(sealedItem);
  });

  test("R-15: from a messages node, through a Responses client, the signature byte for byte", async () => {
    const first = await (await post("/v1/responses", asked("claude"))).json();
    expect(JSON.stringify(first)).not.toContain(SIGNATURE);
    calls();
    const input = [{ role: "user", content: "Hi" }, ...first.output, { role: "user", content: "Go on" }];
    expect((await post("/v1/responses", asked("claude", { input }))).status).toBe(200);
    const thinking = { type: "thinking", thinking: "Think.", signature: SIGNATURE };
    expect(calls()[0]?.messages).toContainEqual({
      role: "assistant",
      content: [thinking, { type: "text", text: "Hello" }],
    });
    expect((await post("/v1/responses", asked("plain", { input }))).status).toBe(200);
    expect(JSON.stringify(calls())).not.toContain('reasoning"');
  });
});

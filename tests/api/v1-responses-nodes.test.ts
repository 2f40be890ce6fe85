import type { ServerResponse } from "node:http";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { DEFAULT_TIMEOUTS } from "@/lib/router/catalog";
import {
  chatBody,
  type ErrorBody,
  eventually,
  gatewayFor,
  logEntry,
  messagesBody,
  requestIdOf,
} from "../support/gateway-fixtures";
import { future, message, reasoning, responseOf, SEALED, streamOf, usage } from "../support/responses-node";
import {
  type ScriptedUpstream,
  sendJson,
  startScriptedUpstream,
  type UpstreamCall,
} from "../support/scripted-upstream";

const SIGNATURE = "EsignatureOfTheVendor==";

function answer(response: ServerResponse, { path, body }: UpstreamCall): void {
  const asked = JSON.parse(body);
  const { model } = asked;
  if (path === "/v1/messages/count_tokens") sendJson(response, 200, { input_tokens: 7 });
  else if (path === "/v1/messages" && body.includes("FOREIGN")) {
    const error = {
      type: "invalid_request_error",
      message: "messages.1.content.0: Invalid `signature` in `thinking` block",
    };
    sendJson(response, 400, { type: "error", error });
  } else if (path === "/v1/messages") answerMessages(response, model);
  else if (model === "silent") return;
  else if (model === "warm") answerWarm(response, asked.prompt_cache_key);
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
    response.end(streamOf(model));
  }
}

/** The conversations that the node with a cache has answered; it breaks down at their second turn. */
const warmed = new Set<string>();

function answerWarm(response: ServerResponse, session: string): void {
  if (warmed.has(session)) sendJson(response, 500, { error: { message: "down" } });
  else {
    const cached = { ...usage, input_tokens_details: { cached_tokens: 8 } };
    sendJson(response, 200, responseOf("warm", { usage: cached }));
  }
  warmed.add(session);
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
      ...["plain", "untyped", "down", "picky", "throttled", "warm"].map((name) => node(name)),
      node("silent", { timeouts: { responseMs: 1_000, firstByteMs: 1_000 } }),
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
    {
      alias: "cached",
      routes: [
        ["warm", "warm", 0],
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

  test("R-26: so does a messages client whose thinking another account has signed", async () => {
    calls();
    const thinking = { type: "thinking", thinking: "t", signature: "FOREIGN" };
    const answered = (...blocks: JsonObject[]) => ({
      model: "claude",
      max_tokens: 100,
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: [...blocks, { type: "text", text: "Hello" }] },
        { role: "user", content: "Go on" },
      ],
    });
    const response = await post("/v1/messages", answered(thinking));
    expect(response.status).toBe(200);
    expect(response.headers.get("x-tollgate-warnings")).toContain("dropped:reasoning");
    expect(calls().map(({ messages }) => messages)).toEqual([
      answered(thinking).messages,
      answered().messages,
    ]);
  });

  test("a messages client's count goes to its node without what the counter refuses", async () => {
    calls();
    const asked = { model: "claude", system: "s", messages: [{ role: "user", content: "Hi" }], tools: [] };
    const generation = {
      max_tokens: 9,
      stream: true,
      temperature: 1,
      metadata: { user_id: "u" },
      stop_sequences: ["x"],
    };
    const response = await post("/v1/messages/count_tokens", { ...asked, ...generation });
    expect(response.status).toBe(200);
    expect(calls()).toEqual([{ ...asked, model: "claude-opus-4-6" }]);
  });

  test("R-39: is told the cached tokens of the node that answered, not of the one that has the conversation's cache", async () => {
    const user = await gateway.key();
    const ask = async () => {
      const body = asked("cached", { prompt_cache_key: user.keyId });
      const answer = await gateway.server.gateway("/v1/responses", user.key, body);
      const { usage: told } = await answer.json();
      const entry = await logEntry(gateway.server, user, requestIdOf(answer));
      const cached = told.input_tokens_details?.cached_tokens ?? 0;
      return [calls().map(({ model }) => model), cached, entry.cacheReadTokens, entry.promptTokens];
    };
    calls();
    expect(await ask()).toEqual([["warm"], 8, 8, 10]);
    expect(await ask()).toEqual([["warm", "gpt-5.6"], 0, 0, 10]);
  });

  test.each([true, false])(
    "R-40: is served by the next node when one takes a large body and sends no header (stream: %s)",
    async (stream) => {
      calls();
      const response = await post("/v1/responses", asked("late", { stream, input: "x".repeat(700_000) }));
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("Hello");
      expect(calls().map(({ model }) => model)).toEqual(["silent", "gpt-5.6"]);
      // The client gives up after 300 s of silence.
      expect(DEFAULT_TIMEOUTS.firstByteMs).toBeLessThanOrEqual(60_000);
    },
  );

  test("R-41: is told to wait as long as Retry-After says, not as long as a window of the node's account", async () => {
    const response = await post("/v1/responses", asked("throttled"));
    expect([429, 503]).toContain(response.status);
    expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(5);
    const { error }: ErrorBody = await response.json();
    expect(error.message).not.toContain("18000");
    calls();
    await eventually(async () => {
      await (await post("/v1/responses", asked("throttled"))).text();
      return calls().length > 0 ? true : null;
    });
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

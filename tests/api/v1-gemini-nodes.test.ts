import type { ServerResponse } from "node:http";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import {
  chatBody,
  costCents,
  gatewayFor,
  logEntry,
  reconcile,
  requestIdOf,
} from "../support/gateway-fixtures";
import {
  type ScriptedUpstream,
  sendJson,
  startScriptedUpstream,
  type UpstreamCall,
} from "../support/scripted-upstream";

const PRICES = { input: 100, output: 300, cacheRead: 10 };

const usageMetadata = {
  promptTokenCount: 50,
  cachedContentTokenCount: 20,
  candidatesTokenCount: 5,
  thoughtsTokenCount: 15,
  totalTokenCount: 70,
};

const called = { functionCall: { name: "weather", args: { city: "Bern" } }, thoughtSignature: "U0lH" };

/** The parts of an answer: a call where tools are offered and not yet used, else words. */
function partsOf(body: string): JsonObject[] {
  const mustCall = body.includes("functionDeclarations") && !body.includes("functionResponse");
  return [{ text: "I think.", thought: true }, mustCall ? called : { text: "It is sunny." }];
}

function chunk(model: string, parts: JsonObject[], more: JsonObject = {}): JsonObject {
  const candidate = { content: { role: "model", parts }, index: 0, ...more };
  return { candidates: [candidate], usageMetadata, modelVersion: model, responseId: "r1" };
}

const googleError = (code: number, status: string, message: string, details: JsonObject[] = []) => ({
  error: { code, message, status, details },
});

function answer(response: ServerResponse, { path, body }: UpstreamCall): void {
  const [, model = "", method = ""] = /^\/v1beta\/models\/([^:?]+):(\w+)/.exec(path) ?? [];
  if (path.startsWith("/v1beta/models?")) sendModels(response, path);
  else if (method === "batchEmbedContents") {
    const embeddings = JSON.parse(body).requests.map(() => ({ values: [0.25, -1e-5] }));
    sendJson(response, 200, { embeddings, usageMetadata: { promptTokenCount: 9 } });
  } else if (model === "wrong-key")
    sendJson(
      response,
      400,
      googleError(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [
        { reason: "API_KEY_INVALID" },
      ]),
    );
  else if (model === "gemini-3-picky" && body.includes("U0lH"))
    sendJson(response, 400, googleError(400, "INVALID_ARGUMENT", "Corrupted thought signature."));
  else if (method === "streamGenerateContent")
    sendStream(response, model, model === "gemini-3-empty" ? [] : partsOf(body));
  else sendJson(response, 200, chunk(model, partsOf(body), { finishReason: "STOP" }));
}

function sendStream(response: ServerResponse, model: string, parts: JsonObject[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (one: JsonObject) => response.write(`data: ${JSON.stringify(one)}\r\n\r\n`);
  for (const part of parts) send(chunk(model, [part]));
  if (model === "gemini-3-malformed") send(chunk(model, [], { finishReason: "MALFORMED_FUNCTION_CALL" }));
  else if (model !== "gemini-3-cut") send(chunk(model, [], { finishReason: "STOP" }));
  response.end();
}

function sendModels(response: ServerResponse, path: string): void {
  const isFirst = !path.includes("pageToken");
  const name = isFirst ? "models/gemini-3-pro" : "models/gemini-embedding-001";
  const supportedGenerationMethods = [isFirst ? "generateContent" : "embedContent"];
  const models = [{ name, displayName: "A model", inputTokenLimit: 1_000_000, supportedGenerationMethods }];
  sendJson(response, 200, { models, ...(isFirst && { nextPageToken: "p2" }) });
}

let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream(answer);
});
afterAll(() => upstream?.close());

const gateway = gatewayFor({
  env: { ALLOW_PRIVATE_UPSTREAMS: "1" },
  nodes: () =>
    ["google", "spare", "rejected", "other"].map((name) => ({
      name,
      url: upstream?.url ?? "",
      protocol: "gemini" as const,
      apiKey: `key-${name}`,
    })),
  models: [
    ...["gemini-3-pro", "gemini-3-picky", "gemini-3-cut", "gemini-3-empty"].map((model) => ({
      alias: model,
      prices: PRICES,
      routes: [["google", model]] as [string, string][],
    })),
    {
      alias: "moves",
      prices: PRICES,
      routes: [
        ["rejected", "wrong-key", 0],
        ["spare", "gemini-3-pro", 1],
      ],
    },
    {
      alias: "malformed",
      prices: PRICES,
      routes: [
        ["other", "gemini-3-malformed", 0],
        ["spare", "gemini-3-pro", 1],
      ],
    },
    {
      alias: "words",
      kind: "embedding",
      prices: { input: 100, output: 0 },
      routes: [["google", "gemini-embedding-001"]],
    },
  ],
});

const COST = costCents([
  [30, PRICES.input],
  [20, PRICES.cacheRead],
  [20, PRICES.output],
]);

const tools = [
  {
    type: "function" as const,
    function: {
      name: "weather",
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  },
];

async function openai(): Promise<OpenAI> {
  return new OpenAI({
    baseURL: `${gateway.server.url}/v1`,
    apiKey: (await gateway.key()).key,
    maxRetries: 0,
  });
}

async function post(path: string, body: JsonObject): Promise<Response> {
  return gateway.server.gateway(path, (await gateway.key()).key, body);
}

/** What the nodes have been asked since the last time. */
function calls(): { path: string; body: JsonObject; headers: UpstreamCall["headers"] }[] {
  return (upstream?.calls.splice(0) ?? []).map((call) => ({ ...call, body: JSON.parse(call.body || "{}") }));
}

/** Source: docs/gemini.md#nodes. */
describe("a Gemini node", () => {
  test("is called by its paths with its key, and billed with thoughts and cached tokens", async () => {
    for (const stream of [false, true]) {
      calls();
      const response = await post("/v1/chat/completions", chatBody("gemini-3-pro", { stream }));
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("It is sunny.");
      const [call] = calls();
      expect(call?.path).toBe(
        stream
          ? "/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse"
          : "/v1beta/models/gemini-3-pro:generateContent",
      );
      expect(call?.headers).toMatchObject({ "x-goog-api-key": "key-google" });
      expect(call?.headers.authorization).toBeUndefined();
      const entry = await logEntry(gateway.server, await gateway.key(), requestIdOf(response));
      expect(entry).toMatchObject({ promptTokens: 50, completionTokens: 20, cost: String(COST) });
    }
    expect(await reconcile(gateway.server)).toMatchObject({ ok: true, openHolds: 0, mismatches: [] });
  });

  test("runs a loop of tools with the chat SDK, and gets its signature back", async () => {
    const client = await openai();
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Weather in Bern?" }];
    calls();
    const first = await client.chat.completions.create({ model: "gemini-3-pro", messages, tools });
    const [choice] = first.choices;
    const [call] = choice?.message.tool_calls ?? [];
    if (choice === undefined || call?.type !== "function") throw new Error("no call");
    expect(JSON.parse(call.function.arguments)).toEqual({ city: "Bern" });
    expect(choice.finish_reason).toBe("tool_calls");
    messages.push(choice.message, { role: "tool", tool_call_id: call.id, content: "sunny" });
    const second = await client.chat.completions.create({ model: "gemini-3-pro", messages, tools });
    expect(second.choices[0]?.message.content).toBe("It is sunny.");
    const [, back] = calls();
    expect(back?.body.contents).toMatchObject([
      { role: "user" },
      {
        role: "model",
        parts: [{ functionCall: { name: "weather", args: { city: "Bern" } }, thoughtSignature: "U0lH" }],
      },
      { role: "user", parts: [{ functionResponse: { name: "weather", response: { output: "sunny" } } }] },
    ]);
  });

  test("runs a streamed loop with the messages SDK", async () => {
    const client = new Anthropic({
      baseURL: gateway.server.url,
      apiKey: (await gateway.key()).key,
      maxRetries: 0,
    });
    const asked = {
      model: "gemini-3-pro",
      max_tokens: 1_000,
      tools: [{ name: "weather", input_schema: { type: "object" as const } }],
    };
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Weather?" }];
    const first = await client.messages.stream({ ...asked, messages }).finalMessage();
    const call = first.content.find((block) => block.type === "tool_use");
    if (call === undefined) throw new Error("no call");
    expect(first.stop_reason).toBe("tool_use");
    messages.push(
      { role: "assistant", content: first.content },
      { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "sunny" }] },
    );
    calls();
    const second = await client.messages.stream({ ...asked, messages }).finalMessage();
    expect(second.content.at(-1)).toMatchObject({ type: "text", text: "It is sunny." });
    expect(JSON.stringify(calls()[0]?.body)).toContain('"thoughtSignature":"U0lH"');
    expect(second.usage).toMatchObject({ input_tokens: 30, cache_read_input_tokens: 20, output_tokens: 20 });
  });

  test("that refuses a signature is asked once more with the stand-in", async () => {
    const client = await openai();
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Weather?" }];
    const first = await client.chat.completions.create({ model: "gemini-3-picky", messages, tools });
    const message = first.choices[0]?.message;
    const id = message?.tool_calls?.[0]?.id;
    if (message === undefined || id === undefined) throw new Error("no call");
    messages.push(message, { role: "tool", tool_call_id: id, content: "sunny" });
    calls();
    const second = await client.chat.completions.create({ model: "gemini-3-picky", messages, tools });
    expect(second.choices[0]?.message.content).toBe("It is sunny.");
    expect(calls().map(({ body }) => JSON.stringify(body).match(/U0lH|skip_\w+/)?.[0])).toEqual([
      "U0lH",
      "skip_thought_signature_validator",
    ]);
  });

  test("with a wrong key, which is a 400 at Google, is left for another one", async () => {
    calls();
    const response = await post("/v1/chat/completions", chatBody("moves"));
    expect(response.status).toBe(200);
    expect(calls().map(({ headers }) => headers["x-goog-api-key"])).toEqual(["key-rejected", "key-spare"]);
  });

  test("that makes no usable call after it has begun breaks the stream", async () => {
    const response = await post("/v1/chat/completions", chatBody("malformed", { stream: true }));
    const text = await response.text();
    expect(text).toContain("MALFORMED_FUNCTION_CALL");
    expect(text).not.toContain("[DONE]");
  });

  test("whose stream ends without a finish reason breaks it too", async () => {
    const response = await post("/v1/chat/completions", chatBody("gemini-3-cut", { stream: true }));
    expect(await response.text()).not.toContain("[DONE]");
  });

  test.each(["/v1/chat/completions", "/v1/messages"])(
    "whose stream has a finish reason and no content ends the answer as the node does, on %s",
    async (path) => {
      const response = await post(path, chatBody("gemini-3-empty", { stream: true }));
      expect(response.status).toBe(200);
      expect(await response.text()).toMatch(/"finish_reason":"stop".*\[DONE\]|"end_turn".*message_stop/s);
    },
  );

  test("makes embeddings for the official SDK", async () => {
    const client = await openai();
    calls();
    const { data, usage } = await client.embeddings.create({
      model: "words",
      input: ["one", "two"],
      dimensions: 2,
    });
    expect(data.map(({ embedding }) => embedding.map((number) => Math.fround(number)))).toEqual([
      [0.25, Math.fround(-1e-5)],
      [0.25, Math.fround(-1e-5)],
    ]);
    expect(usage).toEqual({ prompt_tokens: 9, total_tokens: 9 });
    const [call] = calls();
    expect(call).toMatchObject({
      path: "/v1beta/models/gemini-embedding-001:batchEmbedContents",
      body: {
        requests: ["one", "two"].map((text) => ({
          model: "models/gemini-embedding-001",
          content: { parts: [{ text }] },
          outputDimensionality: 2,
        })),
      },
    });
    const refused = await post("/v1/embeddings", { model: "words", input: [1, 2] });
    expect([refused.status, (await refused.json()).error.param]).toEqual([400, "input"]);
  });
});

describe("the admin's test of a Gemini node", () => {
  test("lists its models page by page, and asks for a few tokens", async () => {
    const draft = {
      protocol: "gemini",
      baseUrl: `${upstream?.url}/v1beta`,
      apiKey: "key-draft",
      model: "gemini-3-pro",
    };
    const { server } = gateway;
    const { status, body } = await server.api(
      "POST",
      "/api/admin/nodes/test",
      await server.adminToken(),
      draft,
    );
    expect([status, body]).toMatchObject([
      200,
      {
        authenticated: true,
        models: [
          { id: "gemini-3-pro", name: "A model", kind: "generation", contextWindow: 1_000_000 },
          { id: "gemini-embedding-001", kind: "embedding" },
        ],
        test: { ok: true, sample: "It is sunny." },
      },
    ]);
  });
});

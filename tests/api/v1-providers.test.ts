import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Provider, providers } from "@/lib/protocols/profiles/providers";
import { chatBody, gatewayFor } from "../support/gateway-fixtures";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";

const SECRET = "secret-of-this-node-0123456789";
const VERSION = "?api-version=2024-10-21";
const PATHS = { chat: "/v1/chat/completions", messages: "/v1/messages", responses: "/v1/responses" };

type Protocol = keyof typeof PATHS;

/** Where a call arrives and what carries its credential, as the documentation of each provider says. */
const documented: Readonly<Record<string, { path: string; header: string }>> = {
  "openai chat": { path: "/v1/chat/completions", header: "authorization" },
  "anthropic messages": { path: "/v1/messages", header: "x-api-key" },
  "anthropic chat": { path: "/v1/chat/completions", header: "authorization" },
  "azure chat": { path: "/openai/v1/chat/completions", header: "api-key" },
  "azure messages": { path: "/anthropic/v1/messages", header: "x-api-key" },
  "bedrock chat": { path: "/openai/v1/chat/completions", header: "authorization" },
  "bedrock messages": { path: "/anthropic/v1/messages", header: "x-api-key" },
  "vertex chat": {
    path: "/v1beta1/projects/mine/locations/mine/endpoints/openapi/chat/completions",
    header: "authorization",
  },
  "vertex messages": {
    path: "/v1/projects/mine/locations/mine/publishers/anthropic/models/some-model:rawPredict",
    header: "authorization",
  },
  "openrouter chat": { path: "/api/v1/chat/completions", header: "authorization" },
  "openrouter messages": { path: "/api/v1/messages", header: "authorization" },
  "deepseek chat": { path: "/chat/completions", header: "authorization" },
  "deepseek messages": { path: "/anthropic/v1/messages", header: "x-api-key" },
  "groq chat": { path: "/openai/v1/chat/completions", header: "authorization" },
  "mistral chat": { path: "/v1/chat/completions", header: "authorization" },
  "xai chat": { path: "/v1/chat/completions", header: "authorization" },
  "moonshot chat": { path: "/v1/chat/completions", header: "authorization" },
  "moonshot messages": { path: "/anthropic/v1/messages", header: "x-api-key" },
  "zhipu chat": { path: "/api/paas/v4/chat/completions", header: "authorization" },
  "zhipu messages": { path: "/api/anthropic/v1/messages", header: "x-api-key" },
  "qwen chat": { path: "/compatible-mode/v1/chat/completions", header: "authorization" },
  "qwen messages": { path: "/apps/anthropic/v1/messages", header: "x-api-key" },
  "gemini chat": { path: "/v1beta/openai/chat/completions", header: "authorization" },
  "siliconflow chat": { path: "/v1/chat/completions", header: "authorization" },
  "together chat": { path: "/v1/chat/completions", header: "authorization" },
  "fireworks chat": { path: "/inference/v1/chat/completions", header: "authorization" },
  "fireworks messages": { path: "/inference/v1/messages", header: "authorization" },
  "ollama chat": { path: "/v1/chat/completions", header: "authorization" },
  "ollama messages": { path: "/v1/messages", header: "authorization" },
  "vllm chat": { path: "/v1/chat/completions", header: "authorization" },
  "vllm messages": { path: "/v1/messages", header: "authorization" },
  "other chat": { path: "/base/chat/completions", header: "authorization" },
  "other messages": { path: "/base/v1/messages", header: "x-api-key" },
  "openai responses": { path: "/v1/responses", header: "authorization" },
  "azure responses": { path: "/openai/v1/responses", header: "api-key" },
  "bedrock responses": { path: "/openai/v1/responses", header: "authorization" },
  "openrouter responses": { path: "/api/v1/responses", header: "authorization" },
  "deepseek responses": { path: "/responses", header: "authorization" },
  "groq responses": { path: "/openai/v1/responses", header: "authorization" },
  "xai responses": { path: "/v1/responses", header: "authorization" },
  "ollama responses": { path: "/v1/responses", header: "authorization" },
  "vllm responses": { path: "/v1/responses", header: "authorization" },
  "lmstudio responses": { path: "/v1/responses", header: "authorization" },
  "other responses": { path: "/base/responses", header: "authorization" },
  "lmstudio chat": { path: "/v1/chat/completions", header: "authorization" },
  "lmstudio messages": { path: "/v1/messages", header: "authorization" },
  "azure deployment": { path: `/openai/deployments/gpt/chat/completions${VERSION}`, header: "api-key" },
};

interface Case {
  name: string;
  provider: Provider["id"];
  protocol: Protocol;
  /** Path and query of the base URL. */
  below: string;
}

let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream(answer);
});
afterAll(async () => {
  await upstream?.close();
});

function answer(response: ServerResponse, { path }: { path: string }): void {
  const chat = path.includes("/chat/completions");
  const usage = chat
    ? { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 }
    : { input_tokens: 3, output_tokens: 1 };
  const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hi" } };
  const content = [{ type: "text", text: "Hi" }];
  if (path.endsWith("/responses")) {
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "Hi" }],
    };
    const answer = { id: "resp_1", object: "response", created_at: 1, model: "m", status: "completed" };
    sendJson(response, 200, { ...answer, output: [message], usage: { ...usage, total_tokens: 4 } });
    return;
  }
  sendJson(
    response,
    200,
    chat
      ? { id: "c", object: "chat.completion", created: 1, model: "m", choices: [choice], usage }
      : { id: "m", type: "message", role: "assistant", model: "m", content, stop_reason: "end_turn", usage },
  );
}

function presets(provider: Provider): Case[] {
  return (["chat", "messages", "responses"] as const).flatMap((protocol) => {
    const api = provider.apis[protocol];
    if (api === undefined) return [];
    const preset = api.baseUrl.replace(/\{\w+\}/g, "mine") || "https://x.example/base";
    const below = new URL(preset).pathname;
    return [{ name: `${provider.id} ${protocol}`, provider: provider.id, protocol, below }];
  });
}

const deployment = `/openai/deployments/gpt/${VERSION}`;
const cases: Case[] = [
  ...providers.flatMap(presets),
  { name: "azure deployment", provider: "azure", protocol: "chat", below: deployment },
];
const slug = (name: string) => name.replace(" ", "-");

const gateway = gatewayFor({
  nodes: () =>
    cases.map(({ name, provider, protocol, below }) => ({
      name: slug(name),
      provider,
      protocol,
      baseUrl: `${upstream?.url}${below}`,
      apiKey: SECRET,
    })),
  models: [
    ...cases.map(({ name }) => ({
      alias: slug(name),
      routes: [[slug(name), "some-model"]] as [string, string][],
    })),
    { alias: "without-stop", routes: [["other-chat", "m"]], profile: { refusedFields: ["stop"] } },
  ],
});

let key = "";
beforeAll(async () => {
  key = (await gateway.key()).key;
});

async function send(protocol: Protocol, body: object) {
  const headers = { "x-api-key": key, "content-type": "application/json", "x-app": "cli" };
  const response = await fetch(gateway.server.url + PATHS[protocol], {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  await response.text();
  const call = upstream?.calls.at(-1);
  return {
    path: call?.path,
    headers: call?.headers ?? {},
    body: JSON.parse(call?.body ?? ""),
    losses: response.headers.get("x-tollgate-warnings")?.split(","),
  };
}

describe("a node gets its calls where its provider takes them", () => {
  test.each(cases)("$name", async ({ name, provider, protocol }) => {
    const ask = protocol === "responses" ? { model: slug(name), input: "Hi" } : chatBody(slug(name));
    const { path, headers } = await send(protocol, ask);
    const sent = Object.entries(headers).filter(([, value]) => String(value).includes(SECRET));
    const missing = `add '${name}' to \`documented\` in this file: where its documentation says that calls arrive`;
    expect({ path, header: sent[0]?.[0] }, documented[name] ? name : missing).toEqual(documented[name]);
    const [[header, value] = [], ...others] = sent;
    expect([value, others]).toEqual([header === "authorization" ? `Bearer ${SECRET}` : SECRET, []]);
    const tellsProgram = provider === "anthropic" && protocol === "messages";
    expect(headers["x-app"]).toBe(tellsProgram ? "cli" : undefined);
  });
});

describe("what a provider refuses is left out and told as loss", () => {
  const messages = [{ role: "user", name: "ann", content: "Hi" }];

  test("between chat and chat", async () => {
    const fields = { messages, logprobs: true, top_logprobs: 2, seed: 4 };
    const { body, losses } = await send("chat", chatBody("groq-chat", fields));
    expect(body).toEqual({
      model: "some-model",
      max_tokens: 100,
      seed: 4,
      messages: [{ role: "user", content: "Hi" }],
    });
    expect(losses).toEqual(["dropped:logprobs", "dropped:top_logprobs", "dropped:messages[].name"]);
  });

  test("but for stop sequences, at which the gateway ends the answer", async () => {
    const { body, losses } = await send("messages", chatBody("without-stop", { stop_sequences: ["x"] }));
    expect(body).not.toHaveProperty("stop");
    expect(losses).toBeUndefined();
  });

  test("only there", async () => {
    const fields = { messages, logprobs: true, stop: ["x"] };
    const { body, losses } = await send("chat", chatBody("other-chat", fields));
    expect(body).toMatchObject(fields);
    expect(losses).toBeUndefined();
  });
});

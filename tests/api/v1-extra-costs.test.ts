import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { gatewayFor, logEntry, reconcile, requestIdOf } from "../support/gateway-fixtures";
import {
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamCall,
} from "../support/scripted-upstream";
import { cheapestDatabase } from "../support/server-databases";

/** Gemini has paths, bodies and tiers of its own. */
const protocolIds = ["chat", "messages", "responses"] as const;

/** Units: cents per million tokens, micro-cents per call. */
const PRICES = { input: 100, output: 300 };
const PRICED = { ...PRICES, perCall: { webSearch: 7_200_000, codeInterpreter: 1_000_000 } };

const messageUsage = (model: string) => ({
  input_tokens: 10,
  output_tokens: 5,
  ...(model === "searches" && { server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 } }),
});
const result = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };
const ranCode = {
  type: "code_execution_tool_result",
  tool_use_id: "srvtoolu_2",
  content: { type: "code_execution_result", stdout: "", stderr: "", return_code: 0, content: [] },
};

function messageOf(model: string): JsonObject {
  const ran = model === "searches" ? [result, result, ranCode] : [];
  const fixed = { id: "msg_1", type: "message", role: "assistant", model, stop_sequence: null };
  const content = [...ran, { type: "text", text: "Hello" }];
  return { ...fixed, content, stop_reason: "end_turn", usage: messageUsage(model) };
}

function blockEvents(block: JsonObject, index: number): JsonObject[] {
  const isText = block.type === "text";
  const start = {
    type: "content_block_start",
    index,
    content_block: isText ? { ...block, text: "" } : block,
  };
  const delta = { type: "content_block_delta", index, delta: { type: "text_delta", text: block.text } };
  return [start, ...(isText ? [delta] : []), { type: "content_block_stop", index }];
}

function messageEvents(model: string): JsonObject[] {
  const { content, usage, ...head } = messageOf(model);
  const start = { ...head, content: [], stop_reason: null, usage: { input_tokens: 10, output_tokens: 1 } };
  const delta = { stop_reason: "end_turn", stop_sequence: null };
  return [
    { type: "message_start", message: start },
    ...(content as JsonObject[]).flatMap(blockEvents),
    { type: "message_delta", delta, usage },
    { type: "message_stop" },
  ];
}

const tokens = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const chatUsage = (model: string) => ({
  ...tokens,
  ...(model === "searches" && { server_tool_use: { web_search_requests: 2 } }),
});

function completionOf(model: string, stream: boolean): JsonObject {
  const said = { role: "assistant", content: "Hello" };
  const choice = { index: 0, [stream ? "delta" : "message"]: said, finish_reason: "stop" };
  const object = stream ? "chat.completion.chunk" : "chat.completion";
  return { id: "c", object, created: 1, model, choices: [choice], usage: chatUsage(model) };
}

const searchItem = (id: string) => ({
  type: "web_search_call",
  id,
  status: "completed",
  action: { type: "search", query: "a" },
});
function responseOf(model: string): JsonObject {
  const said = { type: "output_text", text: "Hello", annotations: [] };
  const message = { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [said] };
  const ran = model === "searches" ? [searchItem("ws_1"), searchItem("ws_2")] : [];
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const fixed = { id: "resp_1", object: "response", created_at: 1, status: "completed", model };
  return { ...fixed, output: [...ran, message], usage };
}

function responseEvents(model: string): JsonObject[] {
  const response = responseOf(model);
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const items = (response.output as JsonObject[]).flatMap((item, output_index) => [
    { type: "response.output_item.added", output_index, item: { ...item, status: "in_progress" } },
    { type: "response.output_item.done", output_index, item },
  ]);
  return [{ type: "response.created", response: begun }, ...items, { type: "response.completed", response }];
}

function sendEvents(response: ServerResponse, events: readonly JsonObject[], named: boolean): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events)
    response.write(`${named ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`);
  response.end(named ? "" : "data: [DONE]\n\n");
}

/** Answers as a node of each protocol; the model `searches` has searched twice, and run code on the messages node. */
function answer(response: ServerResponse, { path, body }: UpstreamCall): void {
  const { model, stream } = JSON.parse(body);
  const send = (value: JsonObject) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };
  if (path.endsWith("/embeddings")) {
    const data = [{ object: "embedding", index: 0, embedding: [0.5] }];
    send({ object: "list", model, data, usage: { prompt_tokens: 10, total_tokens: 10 } });
  } else if (path.endsWith("/chat/completions")) {
    if (stream === true) sendEvents(response, [completionOf(model, true)], false);
    else send(completionOf(model, false));
  } else if (path.endsWith("/messages")) {
    if (stream === true) sendEvents(response, messageEvents(model), true);
    else send(messageOf(model));
  } else if (stream === true) sendEvents(response, responseEvents(model), true);
  else send(responseOf(model));
}

let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream(answer);
});
afterAll(() => upstream?.close());
beforeEach(() => {
  upstream?.calls.splice(0);
});

const gateway = gatewayFor({
  database: await cheapestDatabase(),
  nodes: () => {
    const url = upstream?.url ?? "";
    return protocolIds.map((protocol) => ({ name: `${protocol}-vendor`, url, protocol }));
  },
  models: [
    ...protocolIds.flatMap((protocol) => [
      {
        alias: `${protocol}-bare`,
        prices: PRICES,
        routes: [[`${protocol}-vendor`, "plain"] as [string, string]],
      },
      {
        alias: `${protocol}-priced`,
        prices: PRICED,
        routes: [[`${protocol}-vendor`, "searches"] as [string, string]],
      },
    ]),
    {
      alias: "vectors",
      kind: "embedding",
      prices: { input: 100, output: 0 },
      routes: [["chat-vendor", "plain"]],
    },
  ],
});

const paths = { chat: "/v1/chat/completions", messages: "/v1/messages", responses: "/v1/responses" } as const;
type Protocol = keyof typeof paths;
const turn = [{ role: "user", content: "Hi" }];
const plain: Record<Protocol, JsonObject> = {
  chat: { max_tokens: 100, messages: turn },
  messages: { max_tokens: 100, messages: turn },
  responses: { max_output_tokens: 100, input: turn, store: false },
};

async function ask(client: Protocol, model: string, fields: JsonObject) {
  const user = await gateway.key();
  const response = await gateway.server.gateway(paths[client], user.key, {
    ...plain[client],
    model,
    ...fields,
  });
  const text = await response.text();
  const sent: JsonObject = JSON.parse(upstream?.calls.at(-1)?.body ?? "null");
  const warnings = response.headers.get("x-tollgate-warnings") ?? "";
  const entry = response.status === 200 ? await logEntry(gateway.server, user, requestIdOf(response)) : null;
  return { status: response.status, text, sent, warnings, entry };
}

const search = { type: "web_search_20250305", name: "web_search", max_uses: 4 };
const members: [Protocol, string, JsonObject][] = [
  ["chat", "web_search_options", { web_search_options: {} }],
  ["chat", "plugins", { plugins: [{ id: "web" }] }],
  ["chat", "audio", { audio: { voice: "alloy", format: "wav" }, modalities: ["text", "audio"] }],
  ["messages", "speed", { speed: "fast" }],
  ["messages", "inference_geo", { inference_geo: "us" }],
  ["messages", "web_search_20250305", { tools: [search] }],
  [
    "messages",
    "code_execution_20250825",
    { tools: [{ type: "code_execution_20250825", name: "code_execution" }] },
  ],
  ["messages", "hologram_20270101", { tools: [{ type: "hologram_20270101", name: "hologram" }] }],
  ["responses", "web_search", { tools: [{ type: "web_search" }] }],
  ["responses", "hologram", { tools: [{ type: "hologram" }] }],
];

test.each(members.flatMap((member) => [false, true].map((stream) => [...member, stream] as const)))(
  "without a price %s %s reaches no node, and the answer tells it",
  async (client, name, fields, stream) => {
    const { status, sent, warnings, entry } = await ask(client, `${client}-bare`, { ...fields, stream });
    expect(status).toBe(200);
    for (const field in fields) expect(sent[field] ?? "absent").not.toEqual(fields[field]);
    expect(warnings).toContain(`dropped:${name}`);
    expect(entry).toMatchObject({ cost: "0.0025", hostedCalls: null });
  },
);

const found = { search_context_size: "low" };
const priced: [Protocol, JsonObject, string, JsonObject][] = [
  ["chat", { web_search_options: found }, "14.4025", { webSearch: 2 }],
  ["chat", { plugins: [{ id: "web" }] }, "14.4025", { webSearch: 2 }],
  ["messages", { tools: [search] }, "14.4025", { webSearch: 2 }],
  [
    "messages",
    { tools: [search, { type: "code_execution_20250825", name: "code_execution" }] },
    "15.4025",
    { webSearch: 2, codeInterpreter: 1 },
  ],
  ["responses", { tools: [{ type: "web_search" }], max_tool_calls: 4 }, "14.4025", { webSearch: 2 }],
];

test.each(priced.flatMap((one) => [false, true].map((stream) => [...one, stream] as const)))(
  "with a price %s %j passes, and its bill is the vendor's count times the price: %s",
  async (client, fields, cost, hostedCalls, stream) => {
    const { sent, entry } = await ask(client, `${client}-priced`, { ...fields, stream });
    expect(sent).toMatchObject(fields);
    expect(entry).toMatchObject({ cost, hostedCalls });
    expect(entry?.receipt).toMatchObject({ total: cost, sum: cost });
    expect(Number(entry?.receipt.held)).toBeGreaterThanOrEqual(Number(cost));
  },
);

test.each(protocolIds.flatMap((client) => protocolIds.map((node) => [client, node] as const)))(
  "a tier of %s without a price is left out or refused on a %s node, however it is converted",
  async (client, node) => {
    const tier = client === "messages" ? { speed: "fast" } : { service_tier: "priority" };
    const { status, sent, warnings, text } = await ask(client, `${node}-bare`, tier);
    if (client !== "messages") {
      expect([status, JSON.parse(text).error.param]).toEqual([400, "service_tier"]);
      expect(upstream?.calls).toEqual([]);
      return;
    }
    expect(status).toBe(200);
    expect(JSON.stringify(sent)).not.toMatch(/priority|fast/);
    expect(warnings).toContain("dropped:speed");
  },
);

test.each(protocolIds)(
  "%s: a tool without a price that must be called is a 400 and asks no node",
  async (client) => {
    const type = client === "messages" ? "web_search_20250305" : "web_search";
    const tool = client === "messages" ? { type, name: "web_search" } : { type };
    const tool_choice = client === "messages" ? { type: "tool", name: "web_search" } : { type };
    const { status, text } = await ask(client, `${client}-bare`, { tools: [tool], tool_choice });
    expect(status).toBe(400);
    expect(JSON.parse(text).error).toMatchObject({ param: "tools[0].type" });
    expect(upstream?.calls).toEqual([]);
  },
);

test("embeddings with a tier that has no price are a 400, and ask no node", async () => {
  const user = await gateway.key();
  const fields = { model: "vectors", input: "Hi", service_tier: "priority" };
  const response = await gateway.server.gateway("/v1/embeddings", user.key, fields);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param: "service_tier" } });
  expect(upstream?.calls).toEqual([]);
});

test("the books agree with all of it", async () => {
  expect(await reconcile(gateway.server)).toMatchObject({ ok: true, mismatches: [] });
});

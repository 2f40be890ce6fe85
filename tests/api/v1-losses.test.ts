import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { foldStream } from "../support/fold";
import { chatBody, gatewayFor, logEntry, messagesBody, requestIdOf } from "../support/gateway-fixtures";
import { rawCall } from "../support/raw-http";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";
import { expectFetchRefusal } from "../support/v1-refusal";

const CHAT = "/v1/chat/completions";
const MESSAGES = "/v1/messages";
const WARNINGS = "x-tollgate-warnings";
const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "up",
  choices: [{ index: 0, delta, finish_reason }],
});
const pieces = ['say "', "h\u00e9", '"\n'];
const streamedCall = [
  chunk({
    role: "assistant",
    tool_calls: [{ index: 0, id: "call_1", type: "custom", custom: { name: "run", input: "" } }],
  }),
  ...pieces.map((input) => chunk({ tool_calls: [{ index: 0, custom: { input } }] })),
  chunk({}, "tool_calls"),
  { ...chunk({}), choices: [], usage },
];
const wholeCall = { id: "call_1", type: "custom", custom: { name: "run", input: pieces.join("") } };
const message = { role: "assistant", content: null, tool_calls: [wholeCall] };

let node: ScriptedUpstream;
beforeAll(async () => {
  node = await startScriptedUpstream((response, { body }) => {
    if (JSON.parse(body).stream === true) {
      const frames = streamedCall.map((part) => `data: ${JSON.stringify(part)}\n\n`).join("");
      response.writeHead(200, { "content-type": "text/event-stream" }).end(`${frames}data: [DONE]\n\n`);
    } else
      sendJson(response, 200, {
        id: "chatcmpl-1",
        object: "chat.completion",
        created: 1,
        model: "up",
        choices: [{ index: 0, message, finish_reason: "tool_calls" }],
        usage,
      });
  });
});
afterAll(() => node.close());

const gateway = gatewayFor({
  nodes: () => [{ name: "custom", url: node.url }],
  models: [
    { alias: "plain", routes: [["chat", "sim-a"]] },
    { alias: "echoing", profile: { reasoningEcho: "reasoning_content" }, routes: [["chat", "sim-a"]] },
    { alias: "custom", routes: [["custom", "up"]] },
    {
      alias: "loses-first",
      routes: [
        ["messages", "sim-a", 0],
        ["chat", "sim-a", 1],
      ],
    },
    {
      alias: "loses-later",
      routes: [
        ["refusing", "sim-a", 0],
        ["messages", "sim-a", 1],
      ],
    },
  ],
});

/** Source: docs/contract.md#b13. */
describe("reasoning of earlier turns on its way to a chat node", () => {
  const history = [
    { role: "user", content: "Go." },
    { role: "assistant", reasoning_content: "because", content: "Gone." },
    { role: "user", content: "Again." },
  ];

  test("stays behind where the model reads none back; the answer and the log say so", async () => {
    const key = await gateway.key();
    const answer = await gateway.server.gateway(CHAT, key.key, chatBody("plain", { messages: history }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get(WARNINGS)).toBe("dropped:reasoning_content");
    expect((await logEntry(gateway.server, key, requestIdOf(answer))).warnings).toEqual([
      "dropped:reasoning_content",
    ]);
    expect(JSON.parse(await lastSent()).messages[1]).toEqual({ role: "assistant", content: "Gone." });
  });

  test("is refused instead of dropped when nothing may be lost", async () => {
    const key = await gateway.key();
    const asked = gateway.upstream.counters().requests;
    const body = chatBody("plain", { messages: history });
    const answer = await gateway.server.gateway(CHAT, key.key, body, { "x-tollgate-strict": "1" });
    expect((await expectFetchRefusal(answer, CHAT, "INVALID_REQUEST")).param).toBe("reasoning_content");
    expect(gateway.upstream.counters().requests).toBe(asked);
  });

  test("keeps its bytes where the model reads it back", async () => {
    const { key } = await gateway.key();
    const body = `{ "model":"echoing", "max_tokens":9, "messages":[{"role":"user","content":"a"},
      {"role":"assistant" ,"reasoning_content":"be\\u0063ause","content":"b"},{"role":"user","content":"c"}]}`;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const answer = await rawCall(gateway.server.url, { path: CHAT, headers, pieces: [body] });
    expect(answer.status).toBe(200);
    expect(await lastSent()).toBe(body.replace("echoing", "sim-a"));
  });
});

/** Source: docs/contract.md#s6 (`x-tollgate-strict`). */
describe("what a path has no form for", () => {
  const input = [
    { role: "user", content: "a" },
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" },
  ];

  test("is told, and refused when nothing may be lost", async () => {
    const { key } = await gateway.key();
    const body = { model: "plain", input };
    const answer = await gateway.server.gateway(CHAT, key, body);
    expect(answer.status).toBe(200);
    expect(answer.headers.get(WARNINGS)).toContain("dropped:reasoning");
    const asked = gateway.upstream.counters().requests;
    const strict = await gateway.server.gateway(CHAT, key, body, { "x-tollgate-strict": "1" });
    expect((await expectFetchRefusal(strict, CHAT, "INVALID_REQUEST")).param).toBe("reasoning");
    expect(gateway.upstream.counters().requests).toBe(asked);
  });
});

/** Source: docs/contract.md#s6 (`x-tollgate-strict`). */
describe("of several nodes", () => {
  test("those that would lose something are left out when nothing may be lost", async () => {
    const key = await gateway.key();
    const body = chatBody("loses-first", { seed: 5 });
    const answer = await gateway.server.gateway(CHAT, key.key, body, { "x-tollgate-strict": "1" });
    expect(answer.status).toBe(200);
    const { attempts } = await logEntry(gateway.server, key, requestIdOf(answer));
    expect(attempts.map(({ protocol }) => protocol)).toEqual(["chat"]);
    expect(JSON.parse(await lastSent()).seed).toBe(5);
  });

  test("the one that answers tells what it lost, though the first would have lost nothing", async () => {
    const { key } = await gateway.key();
    const answer = await gateway.server.gateway(CHAT, key, chatBody("loses-later", { seed: 5 }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get(WARNINGS)).toBe("dropped:seed");
    const all = chatBody("loses-later", { seed: 5 });
    const strict = await gateway.server.gateway(CHAT, key, all, { "x-tollgate-strict": "1" });
    await expectFetchRefusal(strict, CHAT, "NO_AVAILABLE_NODE");
  });
});

/** Source: docs/contract.md#b16. */
describe("a custom tool call of a chat node", () => {
  const called = { type: "tool_use", id: "call_1", name: "run", input: { input: pieces.join("") } };
  const told = { stop_reason: "tool_use", usage: { input_tokens: 11, output_tokens: 7 } };

  test("reaches a messages client whole, billed and with a warning", async () => {
    const key = await gateway.key();
    const answer = await gateway.server.gateway(MESSAGES, key.key, messagesBody("custom"));
    expect(await answer.json()).toMatchObject({ content: [called], ...told });
    expect(answer.headers.get(WARNINGS)).toContain("changed:custom_tool_call");
    const entry = await logEntry(gateway.server, key, requestIdOf(answer));
    expect(entry).toMatchObject({ promptTokens: 11, completionTokens: 7, usageSource: "upstream" });
  });

  test("reaches a messages client streamed, the same", async () => {
    const key = await gateway.key();
    const answer = await gateway.server.gateway(MESSAGES, key.key, messagesBody("custom", { stream: true }));
    expect(foldStream("messages", await answer.text())).toMatchObject({ content: [called], ...told });
    const entry = await logEntry(gateway.server, key, requestIdOf(answer));
    expect(entry.warnings).toContain("changed:custom_tool_call");
    expect(entry).toMatchObject({ promptTokens: 11, completionTokens: 7 });
  });

  test("reaches a chat client as it came", async () => {
    const { key } = await gateway.key();
    const answer = await gateway.server.gateway(CHAT, key, chatBody("custom"));
    expect(await answer.json()).toMatchObject({ choices: [{ message, finish_reason: "tool_calls" }] });
    expect(answer.headers.get(WARNINGS)).toBeNull();
  });
});

async function lastSent(): Promise<string> {
  const seen: { body: string }[] = await (await fetch(`${gateway.upstream.url}/__requests`)).json();
  return seen.at(-1)?.body ?? "";
}

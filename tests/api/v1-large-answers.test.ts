import { afterAll, beforeAll, expect, test } from "vitest";
import { chatBody, gatewayFor } from "../support/gateway-fixtures";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream";

const TEXT = "a long first word ".repeat(6_000);

let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream((response, { path }) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(path.endsWith("/messages") ? messagesStream() : chatStream());
  });
});
afterAll(() => upstream?.close());

const protocols = ["chat", "messages"] as const;
const gateway = gatewayFor({
  nodes: () =>
    protocols.map((protocol) => ({ name: `large-${protocol}`, protocol, url: upstream?.url ?? "" })),
  models: protocols.map((protocol) => ({ alias: protocol, routes: [[`large-${protocol}`, "m"]] })),
});

function chatStream(): string {
  const head = { id: "c1", object: "chat.completion.chunk", created: 1, model: "m" };
  const delta = { role: "assistant", content: TEXT };
  const usage = { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 };
  return [
    JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: "stop" }] }),
    JSON.stringify({ ...head, choices: [], usage }),
    "[DONE]",
  ]
    .map((data) => `data: ${data}\n\n`)
    .join("");
}

function messagesStream(): string {
  const usage = { input_tokens: 5, output_tokens: 1 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage };
  return [
    { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: TEXT } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
    { type: "message_stop" },
  ]
    .map((payload) => `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`)
    .join("");
}

const pairs = protocols.flatMap((client) => protocols.map((node) => ({ client, node })));

/** A fast node's first bytes may hold the whole answer. Source: docs/reliability.md#s2-9, #r-56. */
test.each(pairs)(
  "a first event of 100 KB from a $node node reaches a $client client",
  async ({ client, node }) => {
    const path = client === "chat" ? "/v1/chat/completions" : "/v1/messages";
    const { key } = await gateway.key();
    const answer = await gateway.server.gateway(path, key, chatBody(node, { stream: true }));
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain(TEXT);
    expect(text).toContain(client === "chat" ? "data: [DONE]" : "event: message_stop");
  },
);

import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  chatBody,
  costCents,
  eventually,
  gatewayFor,
  keyMoney,
  logEntry,
  PRICES,
  requestIdOf,
} from "../support/gateway-fixtures";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream";

/** What the node tells at its end; most of the output is reasoning that it showed to nobody. */
const INPUT = 1_000;
const OUTPUT = 900;
const TEXT = "The answer is 42.";

const chunk = (part: object) =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", ...part })}\n\n`;
const event = (payload: { type: string } & Record<string, unknown>) =>
  `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`;
const delta = { role: "assistant", content: TEXT };
const usage = { prompt_tokens: INPUT, completion_tokens: OUTPUT, total_tokens: INPUT + OUTPUT };
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [],
  stop_reason: null,
};

/** Everything that can be seen, and the end that tells what it took. */
const answers = {
  chat: [
    chunk({ choices: [{ index: 0, delta, finish_reason: null }] }) +
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    `${chunk({ choices: [], usage })}data: [DONE]\n\n`,
  ],
  messages: [
    event({
      type: "message_start",
      message: { ...message, usage: { input_tokens: INPUT, output_tokens: 1 } },
    }) +
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }) +
      event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: TEXT } }) +
      event({ type: "content_block_stop", index: 0 }),
    event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: OUTPUT } }) +
      event({ type: "message_stop" }),
  ],
} as const;

let open: { response: ServerResponse; end: string } | null = null;
let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream((response, { path }) => {
    const [seen, end] = answers[path.endsWith("/messages") ? "messages" : "chat"];
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(seen);
    open = { response, end };
  });
});
afterAll(() => upstream?.close());

const protocols = ["chat", "messages"] as const;
const ways = protocols.flatMap((client) => protocols.map((node) => ({ client, node })));
const gateway = gatewayFor({
  nodes: () =>
    protocols.map((protocol) => ({ name: `paced-${protocol}`, protocol, url: upstream?.url ?? "" })),
  models: protocols.map((protocol) => ({ alias: protocol, routes: [[`paced-${protocol}`, "m"]] })),
});

/** Source: docs/contract.md#b6. */
describe("a client who has seen all of an answer and leaves before its usage is told", () => {
  test.each(ways)("pays what the $node node tells ($client client)", async ({ client, node }) => {
    const { server } = gateway;
    const user = await gateway.key();
    const leaving = new AbortController();
    const answer = await fetch(`${server.url}/v1/${client === "chat" ? "chat/completions" : "messages"}`, {
      method: "POST",
      signal: leaving.signal,
      headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
      body: JSON.stringify(chatBody(node, { stream: true, max_tokens: 1_000 })),
    });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    while (reader && !seen.includes(TEXT)) seen += (await reader.read()).value ?? "";
    expect(seen).not.toMatch(/content_block_stop|"finish_reason":"/);
    leaving.abort();
    open?.response.end(open.end);
    await eventually(async () => ((await keyMoney(server, user)).held === 0 ? true : null));
    const entry = await logEntry(server, user, requestIdOf(answer));
    expect(entry).toMatchObject({ promptTokens: INPUT, completionTokens: OUTPUT, usageSource: "upstream" });
    const cost = costCents([
      [INPUT, PRICES.input],
      [OUTPUT, PRICES.output],
    ]);
    expect((await keyMoney(server, user)).usedQuota).toBe(cost);
  });
});

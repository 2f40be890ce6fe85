import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { payloadsOf } from "../support/fold";
import { chatBody, gatewayFor, logEntry, requestIdOf } from "../support/gateway-fixtures";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";

const TEXT = "The sea is calm, the night is long, and nobody has told how many tokens these words are.";

/** What a node says of its usage; of each, something is missing or no count. */
const oddities = {
  chat: {
    nothing: null,
    negative: { prompt_tokens: -5, completion_tokens: 2, total_tokens: 3 },
    text: { prompt_tokens: 7, completion_tokens: "10", total_tokens: 17, vendor_field: "stays" },
    zero: { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 },
  },
  messages: {
    nothing: {},
    negative: { input_tokens: 7, output_tokens: -20 },
    text: { input_tokens: "7", output_tokens: 10, vendor_field: "stays" },
    zero: { input_tokens: 7, output_tokens: 0 },
  },
} as const;

const protocols = ["chat", "messages"] as const;

let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream((response, { path, body }) => {
    const { model, stream } = JSON.parse(body) as { model: string; stream?: boolean }; // as the gateway sends it
    const protocol = path.endsWith("/messages") ? "messages" : "chat";
    const usage = oddities[protocol][model as keyof typeof oddities.chat];
    if (protocol === "chat") answerChat(response, usage, stream === true);
    else answerMessages(response, usage, stream === true);
  });
});
afterAll(() => upstream?.close());

const gateway = gatewayFor({
  nodes: () => protocols.map((protocol) => ({ name: `odd-${protocol}`, protocol, url: upstream?.url ?? "" })),
  models: protocols.flatMap((protocol) =>
    Object.keys(oddities[protocol]).map((oddity) => ({
      alias: `${protocol}-${oddity}`,
      routes: [[`odd-${protocol}`, oddity] as [string, string]],
    })),
  ),
});

function answerChat(response: ServerResponse, usage: unknown, stream: boolean): void {
  const choice = { index: 0, finish_reason: "stop" };
  const head = { id: "c1", created: 1, model: "m" };
  if (!stream) {
    sendJson(response, 200, {
      ...head,
      object: "chat.completion",
      choices: [{ ...choice, message: { role: "assistant", content: TEXT } }],
      usage,
    });
    return;
  }
  const chunk = { ...head, object: "chat.completion.chunk" };
  send(response, [
    [null, { ...chunk, choices: [{ ...choice, delta: { role: "assistant", content: TEXT } }] }],
    [null, { ...chunk, choices: [], usage }],
    [null, "[DONE]"],
  ]);
}

function answerMessages(response: ServerResponse, usage: unknown, stream: boolean): void {
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m" };
  if (!stream) {
    sendJson(response, 200, {
      ...message,
      content: [{ type: "text", text: TEXT }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage,
    });
    return;
  }
  const start = { ...message, content: [], stop_reason: null, usage: { input_tokens: 7, output_tokens: 1 } };
  send(response, [
    ["message_start", { type: "message_start", message: start }],
    [
      "content_block_start",
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ],
    [
      "content_block_delta",
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: TEXT } },
    ],
    ["content_block_stop", { type: "content_block_stop", index: 0 }],
    ["message_delta", { type: "message_delta", delta: { stop_reason: "end_turn" }, usage }],
    ["message_stop", { type: "message_stop" }],
  ]);
}

function send(response: ServerResponse, frames: [event: string | null, data: unknown][]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [event, data] of frames) {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    response.write(`${event === null ? "" : `event: ${event}\n`}data: ${text}\n\n`);
  }
  response.end();
}

type Usage = Record<string, unknown>;

/** The counts that a client of either protocol was shown last. */
function shownIn(text: string, stream: boolean): Usage {
  const found: Usage = {};
  const bodies = stream ? payloadsOf(text) : [JSON.parse(text)];
  for (const body of bodies) {
    const said: { usage?: Usage | null; message?: { usage?: Usage } } = body; // of either protocol
    Object.assign(found, said.message?.usage, said.usage);
  }
  return found;
}

const cases = protocols.flatMap((client) =>
  protocols.flatMap((node) =>
    [false, true].flatMap((stream) =>
      Object.keys(oddities[node]).map((oddity) => ({ client, node, stream, oddity })),
    ),
  ),
);

/** Source: docs/protocols.md#s11-5, #s11-6, docs/contract.md#s6, docs/reliability.md#s2-6. */
describe("usage that is odd", () => {
  test.each(cases)(
    "($oddity, from a $node node, streamed: $stream) is shown to a $client client as it is billed",
    async ({ client, node, stream, oddity }) => {
      const { server } = gateway;
      const user = await gateway.key();
      const path = client === "chat" ? "/v1/chat/completions" : "/v1/messages";
      const asked = client === "chat" && stream ? { stream_options: { include_usage: true } } : {};
      const body = chatBody(`${node}-${oddity}`, { stream, ...asked });
      const answer = await server.gateway(path, user.key, body);
      expect(answer.status).toBe(200);
      const shown = shownIn(await answer.text(), stream);
      const entry = await logEntry(server, user, requestIdOf(answer));
      if (["nothing", "zero"].includes(oddity)) expect(entry.usageSource).toBe("estimated");
      const [input, output] =
        client === "chat" ? ["prompt_tokens", "completion_tokens"] : ["input_tokens", "output_tokens"];
      expect([shown[input], shown[output]]).toEqual([entry.promptTokens, entry.completionTokens]);
      const toldOutput = oddity === (node === "chat" ? "negative" : "text");
      if (!toldOutput) expect(entry.completionTokens).toBeGreaterThan(15);
      if (client === node && oddity === "text") expect(shown.vendor_field).toBe("stays");
    },
  );
});

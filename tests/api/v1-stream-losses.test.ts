import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gatewayFor } from "../support/gateway-fixtures";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream";

const images = [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }];
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const chunks = [{ role: "assistant", content: "Here it is" }, { images }].map((delta) => ({
  choices: [{ index: 0, delta, finish_reason: null }],
}));
const last = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage };

let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const head = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
    for (const chunk of [...chunks, last])
      response.write(`data: ${JSON.stringify({ ...head, ...chunk })}\n\n`);
    response.end("data: [DONE]\n\n");
  });
});
afterAll(() => upstream?.close());

const gateway = gatewayFor({
  nodes: () => [{ name: "painter", url: upstream?.url ?? "", protocol: "chat" }],
  models: [{ alias: "painter", routes: [["painter", "some-model"]] }],
});

/** Source: docs/contract.md#s9-losses. */
test("what a stream loses after its headers stands in a comment before its end, which readers skip", async () => {
  const { key } = await gateway.key();
  const { url } = gateway.server;
  const body = { model: "painter", max_tokens: 100, messages: [{ role: "user" as const, content: "Paint" }] };
  const response = await gateway.server.gateway("/v1/messages", key, { ...body, stream: true });
  const wire = await response.text();
  expect(response.headers.get("x-tollgate-warnings")).toBeNull();
  expect(wire).toMatch(/\n\n: x-tollgate-warnings: dropped:images\n\nevent: content_block_stop/);
  const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 });
  const message = await client.messages.stream(body).finalMessage();
  expect(message.content).toMatchObject([{ type: "text", text: "Here it is" }]);
  const own = await gateway.server.gateway("/v1/chat/completions", key, { ...body, stream: true });
  expect(await own.text()).not.toContain("x-tollgate-warnings");
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { foldStream } from "../support/fold";
import { gatewayFor, logEntry, requestIdOf } from "../support/gateway-fixtures";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";

const WORDS = ["<block>no</bl", "ock> and more", " words"];
const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
const counts = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "up",
  choices: [{ index: 0, delta, finish_reason }],
});
const item = (text: string) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});
const response = (output: object[], status = "completed") => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  status,
  model: "up",
  output,
  usage: status === "completed" ? counts : null,
});
const place = { item_id: "msg_1", output_index: 0, content_index: 0 };

/** The beginning of a stream of each protocol; the node says no more until it is let go. */
const openings = {
  chat: [chunk({ role: "assistant", content: "" }), ...WORDS.map((content) => chunk({ content }))],
  responses: [
    { type: "response.created", response: response([], "in_progress") },
    { type: "response.output_item.added", output_index: 0, item: { ...item(""), content: [] } },
    {
      type: "response.content_part.added",
      ...place,
      part: { type: "output_text", text: "", annotations: [] },
    },
    ...WORDS.map((delta) => ({ type: "response.output_text.delta", ...place, delta })),
  ],
};
const wholes = {
  chat: {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "up",
    choices: [{ index: 0, message: { role: "assistant", content: WORDS.join("") }, finish_reason: "stop" }],
    usage,
  },
  responses: response([item(WORDS.join(""))]),
};

let node: ScriptedUpstream;
let letGo: Promise<void>;
beforeAll(async () => {
  node = await startScriptedUpstream((reply, { body, path }) => {
    const protocol = path.endsWith("/responses") ? "responses" : "chat";
    if (JSON.parse(body).stream !== true) {
      sendJson(reply, 200, wholes[protocol]);
      return;
    }
    letGo = new Promise((resolve) => reply.on("close", resolve));
    reply.writeHead(200, { "content-type": "text/event-stream" });
    for (const payload of openings[protocol]) reply.write(`data: ${JSON.stringify(payload)}\n\n`);
  });
});
afterAll(() => node.close());

const gateway = gatewayFor({
  nodes: () => [
    { name: "own-chat", url: node.url, protocol: "chat" },
    { name: "own-responses", url: node.url, protocol: "responses" },
  ],
  models: [
    { alias: "gpt", routes: [["own-chat", "gpt-5.2"]] },
    { alias: "resp", routes: [["own-responses", "gpt-5.2"]] },
  ],
});

const clients = {
  chat: { path: "/v1/chat/completions", field: "stop" },
  messages: { path: "/v1/messages", field: "stop_sequences" },
} as const;

const ways = (["chat", "messages"] as const).flatMap((client) =>
  (["gpt", "resp"] as const).map((model) => [client, model] as const),
);

/** Source: docs/protocols.md#s10-1. */
describe.each(ways)("stop sequences of a %s client on %s, which takes none", (client, model) => {
  async function ask(stream: boolean) {
    const { path, field } = clients[client];
    const key = await gateway.key();
    const messages = [{ role: "user", content: "Is it?" }];
    const body = { model, max_tokens: 500, stream, messages, [field]: ["</block>"] };
    const answer = await gateway.server.gateway(path, key.key, body);
    const wire = await answer.text();
    const entry = await logEntry(gateway.server, key, requestIdOf(answer));
    expect([answer.status, answer.headers.get("x-tollgate-warnings") ?? ""]).toEqual([200, ""]);
    return { folded: stream ? foldStream(client, wire) : JSON.parse(wire), entry };
  }

  function expectEnd(answer: unknown): void {
    if (client === "messages")
      expect(answer).toMatchObject({
        content: [{ type: "text", text: "<block>no" }],
        stop_reason: "stop_sequence",
        stop_sequence: "</block>",
      });
    else
      expect(answer).toMatchObject({
        choices: [{ message: { content: "<block>no" }, finish_reason: "stop" }],
      });
  }

  test("end a stream, and its node is let go; what was shown is billed", async () => {
    const { folded, entry } = await ask(true);
    await letGo;
    expectEnd(folded);
    expect(entry).toMatchObject({ status: "success", usageSource: "estimated" });
    expect(entry.completionTokens).toBeGreaterThan(0);
    expect(entry.completionTokens).toBeLessThan(20);
  });

  test("end a whole answer, which is billed as its node counts it", async () => {
    const { folded, entry } = await ask(false);
    expectEnd(folded);
    expect(entry).toMatchObject({ status: "success", promptTokens: 100, completionTokens: 20 });
  });
});

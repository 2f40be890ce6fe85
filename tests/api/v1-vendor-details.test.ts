import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gatewayFor } from "../support/gateway-fixtures";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";

const paths = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
} as const;
type Protocol = keyof typeof paths;
const protocols = ["chat", "messages", "responses"] as const;

/** What the node answers next, whoever asks. */
let answer: { status: number; body: unknown } = { status: 500, body: {} };
let node: ScriptedUpstream;
beforeAll(async () => {
  node = await startScriptedUpstream((response) => sendJson(response, answer.status, answer.body));
});
afterAll(() => node.close());

const gateway = gatewayFor({
  nodes: () => protocols.map((protocol) => ({ name: `own-${protocol}`, url: node.url, protocol })),
  models: protocols.map((protocol) => ({ alias: protocol, routes: [[`own-${protocol}`, "up-model"]] })),
});

const text = (protocol: Protocol) => ({ type: protocol === "responses" ? "input_text" : "text", text: "hi" });

function bodyFor(client: Protocol, model: string, parts: object[] = [], fields: object = {}) {
  const turn = { role: "user", content: [text(client), ...parts] };
  const history = client === "responses" ? { input: [turn] } : { messages: [turn], max_tokens: 50 };
  return { model, ...history, ...fields };
}

async function ask(client: Protocol, body: object) {
  const { key } = await gateway.key();
  const reply = await gateway.server.gateway(paths[client], key, body);
  return { status: reply.status, body: JSON.parse(await reply.text()) };
}

/** Source: docs/protocols.md#s13-4. */
describe("the details of a messages vendor's refusal", () => {
  const refused = {
    type: "error",
    error: {
      type: "invalid_request_error",
      message: "Two tools have the name up-model.",
      details: {
        error_code: "tool_name_conflict",
        names: ["up-model", "b"],
        nested: { secret: 1 },
        count: 2,
        url: "https://example.com/up-model",
      },
    },
  };

  test("reach a messages client with the alias in place of the node's model, and plain values only", async () => {
    answer = { status: 400, body: refused };
    const { status, body } = await ask("messages", bodyFor("messages", "messages"));
    expect([status, body.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(body.error.details).toMatchObject({
      error_code: "tool_name_conflict",
      names: ["messages", "b"],
      count: 2,
    });
    expect(body.error.details).not.toHaveProperty("nested");
  });

  test.each(["chat", "responses"] as const)(
    "do not reach a %s client, whose SDK has other words",
    async (client) => {
      answer = { status: 400, body: refused };
      const { status, body } = await ask(client, bodyFor(client, "messages"));
      expect(status).toBe(400);
      expect(body.error.details).toEqual({ error_code: "INVALID_REQUEST" });
    },
  );
});

/** Source: docs/protocols.md#s13-3. */
describe("a 404 that the caller's own request may have caused", () => {
  const notFound = { error: { type: "not_found_error", message: "No such record." } };
  const named: [Protocol, object[], object][] = [
    ["messages", [{ type: "document", source: { type: "file", file_id: "file_made_up" } }], {}],
    ["messages", [], { container: "container_made_up" }],
    ["messages", [], { container: { id: null, skills: [{ type: "custom", skill_id: "skill_made_up" }] } }],
    ["responses", [{ type: "input_file", file_id: "file-made-up" }], {}],
    ["responses", [], { tools: [{ type: "mcp", connector_id: "connector_made_up", server_label: "x" }] }],
    ["chat", [{ type: "file", file: { file_id: "file-made-up" } }], {}],
  ];

  test.each(named)(
    "is a 400 for a %s client, and leaves the model to everybody (%j %j)",
    async (client, parts, fields) => {
      answer = { status: 404, body: notFound };
      for (let times = 0; times < 2; times += 1) {
        const calls = node.calls.length;
        const { status, body } = await ask(client, bodyFor(client, client, parts, fields));
        expect([status, body.error.message]).toEqual([400, "No such record."]);
        expect(node.calls.length).toBe(calls + 1);
      }
    },
  );

  test("is the node's where it names the model, or the request names nothing", async () => {
    const [client, parts, fields] = named[0] ?? ["messages", [], {}];
    answer = { status: 404, body: { error: { type: "not_found_error", message: "model: up-model" } } };
    expect((await ask(client, bodyFor(client, client, parts, fields))).status).toBe(502);
    expect((await ask(client, bodyFor(client, client))).status).toBe(503);
    answer = { status: 404, body: notFound };
    expect((await ask("chat", bodyFor("chat", "chat"))).status).toBe(502);
    expect((await ask("chat", bodyFor("chat", "chat"))).status).toBe(503);
  });
});

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, gatewayFor, keyMoney, logEntries } from "../support/gateway-fixtures";
import { rawCall } from "../support/raw-http";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";
import type { TestUser } from "../support/server";
import { expectRefusal } from "../support/v1-refusal";

const CHAT = "/v1/chat/completions";
const MESSAGES = "/v1/messages";
const MIB = 1024 * 1024;

let node: ScriptedUpstream | null = null;
/** Whoever is named in a request's content. Nobody may call it. */
let stranger: ScriptedUpstream | null = null;
beforeAll(async () => {
  node = await startScriptedUpstream((response, { path }) =>
    sendJson(response, 200, path.endsWith("/messages") ? MESSAGES_ANSWER : CHAT_ANSWER),
  );
  stranger = await startScriptedUpstream((response) => sendJson(response, 200, {}));
});
afterAll(async () => {
  await node?.close();
  await stranger?.close();
});
const gateway = gatewayFor({
  nodes: () => [
    { name: "chat-node", url: node?.url ?? "" },
    { name: "messages-node", url: node?.url ?? "", protocol: "messages" },
  ],
  models: [
    { alias: "on-chat", maxOutputTokens: 1_000, routes: [["chat-node", "m"]] },
    { alias: "on-messages", maxOutputTokens: 1_000, routes: [["messages-node", "m"]] },
    { alias: "steady", routes: [["chat", "sim-chunks-150+every-20ms"]] },
  ],
});
let user: TestUser;
beforeAll(async () => {
  user = await gateway.key();
});
const pairs = [CHAT, MESSAGES].flatMap((path) =>
  ["on-chat", "on-messages"].map((model) => ({ path, model })),
);

/** Sends a text as the body; a length is declared unless it goes out in pieces. */
async function send(path: string, text: string | Buffer, pieces = false) {
  const bytes = Buffer.from(text);
  const answer = await rawCall(gateway.server.url, {
    path,
    headers: {
      authorization: `Bearer ${user.key}`,
      "content-type": "application/json",
      ...(pieces ? {} : { "content-length": String(bytes.length) }),
    },
    pieces: pieces ? cut(bytes) : [bytes],
  });
  return { ...answer, text: answer.body };
}

function cut(bytes: Buffer): Buffer[] {
  const size = 100_003;
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

/** Source: reliability 4.8 (125). */
describe("a body of many megabytes", () => {
  const bodyOf = (model: string, bytes: number) =>
    JSON.stringify(chatBody(model, { messages: [{ role: "user", content: "x".repeat(bytes) }] }));

  test.each([CHAT, MESSAGES])(
    "of 12 to %s is refused, with a length and in pieces, and reaches no node",
    async (path) => {
      const calls = node?.calls.length;
      for (const pieces of [false, true])
        expectRefusal(await send(path, bodyOf("on-chat", 12 * MIB), pieces), path, "PAYLOAD_TOO_LARGE");
      expect(node?.calls.length).toBe(calls);
      expect(await keyMoney(gateway.server, user)).toMatchObject({ held: 0 });
    },
  );

  test.each(pairs)("of 9 to $path arrives whole ($model)", async ({ path, model }) => {
    for (const pieces of [false, true]) {
      expect((await send(path, bodyOf(model, 9 * MIB), pieces)).status).toBe(200);
      const arrived: { messages: { content: string | { text: string }[] }[] } = JSON.parse(
        node?.calls.at(-1)?.body ?? "{}",
      );
      const content = arrived.messages[0]?.content;
      const said = Array.isArray(content) ? content[0]?.text : content;
      expect(said?.length).toBe(9 * MIB);
    }
  });
});

/** Source: reliability 4.8 (123). */
test("bodies made to be slow to read are refused while other streams go on", async () => {
  const gaps: number[] = [];
  let streaming = true;
  const stream = gateway.server.gateway(
    CHAT,
    user.key,
    chatBody("steady", { stream: true, max_tokens: 5_000 }),
  );
  const heard = stream.then(async (answer) => {
    let last = performance.now();
    for await (const _ of answer.body ?? []) {
      gaps.push(performance.now() - last);
      last = performance.now();
    }
    streaming = false;
  });
  await sleep(200);
  const nested = '{"model":"on-chat","max_tokens":1,"messages":';
  const manyNames = `{${Array.from({ length: 700_000 }, (_, index) => `"k${index}":1`).join(",")}}`;
  const hostile = [
    nested + "[".repeat(100_000),
    nested + '{"a":'.repeat(400_000),
    "[".repeat(2_000_000),
    manyNames,
    `"${"x".repeat(5_000_000)}"`,
    `${nested}"${"\\\\".repeat(2_500_000)}"`,
    `${nested}[{"role":"user","content":"${"\\u0000".repeat(800_000)}"}]}`,
    `${nested}[${'{"role":"user","content":"x"},'.repeat(30_000)}{}]}`,
  ];
  for (const path of [CHAT, MESSAGES]) {
    for (const text of hostile)
      expect([text.slice(0, 60), (await send(path, text)).status]).toEqual([text.slice(0, 60), 400]);
  }
  await heard;
  expect(streaming).toBe(false);
  expect(gaps.length).toBeGreaterThan(100);
  // What this bounds is a parse of seconds; a crowded machine alone makes gaps of some hundred milliseconds.
  expect(Math.max(...gaps)).toBeLessThan(1_500);
});

/** Source: reliability 4.8 (132). */
test("names that are parts of every object change nothing for anybody, wherever they stand", async () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];
  const poison = `{"stream":true,"polluted":"yes","temperature":5,"prototype":{"polluted":"yes"},"role":"admin"}`;
  const plain = new Map<string, string>();
  for (const { path, model } of pairs) plain.set(path + model, await plainRequest(path, model));
  for (const name of names) {
    const bodies = [
      `{"model":"MODEL","max_tokens":5,"messages":[{"role":"user","content":"Hi"}],"${name}":${poison}}`,
      `{"${name}":${poison},"model":"MODEL","max_tokens":5,"messages":[{"role":"user","content":"Hi","${name}":${poison}}]}`,
      `{"model":"MODEL","max_tokens":5,"metadata":{"${name}":"x"},"messages":[{"role":"user","content":[{"type":"text","text":"Hi","${name}":${poison}}]}]}`,
      `{"model":"MODEL","max_tokens":5,"tools":[{"type":"function","name":"f","input_schema":{"type":"object","properties":{"${name}":${poison}}},"function":{"name":"f","parameters":{"type":"object","properties":{"${name}":{"type":"string"}}}}}],"messages":[{"role":"user","content":"Hi"}]}`,
      `{"model":"${name}","max_tokens":5,"messages":[{"role":"user","content":"Hi"}]}`,
      `{"model":"MODEL","max_tokens":5,"tool_choice":{"type":"${name}"},"messages":[{"role":"${name}","content":"Hi"}]}`,
    ];
    for (const { path, model } of pairs) {
      for (const body of bodies) {
        const answer = await send(path, body.replace("MODEL", model));
        expect([name, path, [200, 400, 404].includes(answer.status), answer.status]).toEqual([
          name,
          path,
          true,
          answer.status,
        ]);
        if (answer.status === 200) expect(answer.headers["content-type"]).toBe("application/json");
      }
      expect(await plainRequest(path, model)).toBe(plain.get(path + model));
    }
    const created = await gateway.server.api(
      "POST",
      "/api/user/tokens",
      user.token,
      JSON.parse(`{"name":"x","${name}":${poison}}`),
    );
    expect([name, created.status]).toEqual([name, 400]);
  }
  expect((await gateway.server.api("GET", "/api/admin/users", user.token)).status).toBe(403);
  expect((await gateway.server.gateway(`/v1/models/__proto__`, user.key)).status).toBe(404);

  /** What an ordinary request looks like when it arrives at the node, and its answer's shape. */
  async function plainRequest(path: string, model: string): Promise<string> {
    const answer = await send(path, JSON.stringify(chatBody(model)));
    expect(answer.status).toBe(200);
    return `${node?.calls.at(-1)?.body} ${Object.keys(JSON.parse(answer.body)).join()}`;
  }
});

/** Source: reliability 4.8 (133). */
describe("tools", () => {
  const self = { type: "object", properties: { again: { $ref: "#" } } };
  const mutual = { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" };
  const wide = {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [`p${at}`, { type: "string", description: "d".repeat(20) }]),
    ),
  };
  const nested = (levels: number) => {
    let schema: object = { type: "string" };
    for (let level = 0; level < levels; level += 1) schema = { type: "object", properties: { a: schema } };
    return schema;
  };
  const toolsOf = (path: string, schema: object) =>
    path === CHAT
      ? {
          tools: [{ type: "function", function: { name: "f", parameters: schema, strict: true } }],
          response_format: { type: "json_schema", json_schema: { name: "r", schema, strict: true } },
        }
      : { tools: [{ name: "f", input_schema: schema, strict: true }] };

  test.each(pairs)(
    "whose schema names itself, is a megabyte long or 25 levels deep end at once ($path, $model)",
    async ({ path, model }) => {
      for (const schema of [self, mutual, wide, nested(25)]) {
        const begun = performance.now();
        const answer = await send(path, JSON.stringify(chatBody(model, toolsOf(path, schema))));
        expect([200, 400]).toContain(answer.status);
        expect(performance.now() - begun).toBeLessThan(5_000);
      }
    },
  );

  test.each(pairs)(
    "beyond 128, or deeper than a body may be, are refused ($path, $model)",
    async ({ path, model }) => {
      const many =
        path === CHAT
          ? Array.from({ length: 129 }, (_, at) => ({ type: "function", function: { name: `t${at}` } }))
          : Array.from({ length: 129 }, (_, at) => ({ name: `t${at}`, input_schema: { type: "object" } }));
      expectRefusal(
        await send(path, JSON.stringify(chatBody(model, { tools: many }))),
        path,
        "INVALID_REQUEST",
      );
      const deep = await send(path, JSON.stringify(chatBody(model, toolsOf(path, nested(40)))));
      expectRefusal(deep, path, "INVALID_REQUEST");
    },
  );
});

/** Source: reliability 4.9 (135, 138). */
describe("an address inside a request", () => {
  const address = () => `${stranger?.url}/picture.png`;

  test.each(["api_base", "base_url", "api_key", "extra_headers", "extra_body", "azure_endpoint"])(
    "as %s is refused",
    async (field) => {
      for (const { path, model } of pairs) {
        const value = field === "extra_headers" ? { host: address() } : address();
        expectRefusal(
          await send(path, JSON.stringify(chatBody(model, { [field]: value }))),
          path,
          "INVALID_REQUEST",
        );
      }
      expect(stranger?.calls).toEqual([]);
    },
  );

  test("of a picture or document is passed on or refused, never called", async () => {
    const addresses = [
      address(),
      "http://127.0.0.1:1/x",
      "http://169.254.169.254/latest/meta-data",
      "file:///etc/passwd",
    ];
    for (const url of addresses) {
      const chat = [
        [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }],
        [{ role: "user", content: [{ type: "file", file: { file_id: url } }] }],
        [{ role: "user", content: [{ type: "text", text: `![picture](${url})` }] }],
      ];
      const source = { type: "url", url };
      const use = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "f", input: {} }] };
      const messages = [
        [{ role: "user", content: [{ type: "image", source }] }],
        [{ role: "user", content: [{ type: "document", source }] }],
        [
          { role: "user", content: "Look." },
          use,
          {
            role: "user",
            content: [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "image", source }] }],
          },
        ],
      ];
      for (const { path, model } of pairs) {
        for (const history of path === CHAT ? chat : messages) {
          const answer = await send(path, JSON.stringify(chatBody(model, { messages: history })));
          expect([200, 400]).toContain(answer.status);
        }
      }
    }
    await sleep(200);
    expect(stranger?.calls).toEqual([]);
    const paths = new Set(node?.calls.map((call) => call.path));
    expect([...paths].sort()).toEqual([CHAT, MESSAGES]);
  });
});

/** Source: reliability 4.8 (127, 131). */
test("a model's name with a NUL, half a character, 10,000 characters or look-alikes is no model, and the log takes it", async () => {
  const names = [
    "on-chat\0",
    "\ud800",
    "x".repeat(10_000),
    "ON-CHAT",
    " on-chat",
    "on-chat ",
    "оn-chat",
    "ｏn-chat",
    "on‑chat",
    "on-chat\u200b",
    "../on-chat",
    "on-chat/../on-chat",
    "%6fn-chat",
    "on-chat?x=1",
    "on-chat#",
  ];
  const other = await gateway.key();
  for (const model of names) {
    for (const path of [CHAT, MESSAGES]) {
      const answer = await gateway.server.gateway(path, other.key, chatBody(model));
      expect([model.slice(0, 20), [400, 404].includes(answer.status)]).toEqual([model.slice(0, 20), true]);
      await answer.arrayBuffer();
    }
    const looked = await rawCall(gateway.server.url, {
      method: "GET",
      path: `/v1/models/${encodeURIComponent(model.replace("\ud800", "�")).slice(0, 7_000)}`,
      headers: { authorization: `Bearer ${other.key}` },
    });
    expect([model.slice(0, 20), looked.status]).toEqual([model.slice(0, 20), 404]);
  }
  const entries = (await logEntries(gateway.server, other)).filter(({ tokenId }) => tokenId === other.keyId);
  expect(entries.length).toBeGreaterThan(names.length);
  expect(new Set(entries.map(({ model }) => model))).toEqual(new Set(["(unknown)"]));
});

const CHAT_ANSWER = {
  id: "c",
  object: "chat.completion",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const MESSAGES_ANSWER = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

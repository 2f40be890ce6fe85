import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountServer, type Body } from "../support/account-server";

const SECRET = "T0-very-secret";
const posted: Body[] = [];
let status = 200;
const receiver = createServer((request, response) => {
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    posted.push(JSON.parse(text));
    response.writeHead(status).end("ok");
  });
});
let host = "";
beforeAll(async () => {
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo; // a TCP listener has an address object
  host = `127.0.0.1:${port}`;
});
afterAll(() => {
  receiver.close();
  receiver.closeAllConnections();
});

describe("where nodes may have private addresses", () => {
  const server = accountServer({ env: { ALLOW_PRIVATE_UPSTREAMS: "1" } });
  const admin = async (method: string, path: string, body?: unknown) =>
    server().api<Body>(method, `/api/admin/${path}`, await server().adminToken(), body);

  test("a test goes to the address, of which only the host is ever shown", async () => {
    expect((await admin("POST", "settings/alert-test")).body).toMatchObject({
      error: { code: "INVALID_REQUEST", fields: { alertUrl: ["is not set"] } },
    });
    const saved = await admin("PATCH", "settings", { alertUrl: `http://${host}/${SECRET}` });
    expect(saved).toMatchObject({ status: 200, body: { alertUrl: host, lastAlert: null } });
    const sent = await admin("POST", "settings/alert-test");
    expect(sent).toMatchObject({ status: 200, body: { event: "test", ok: true, status: 200, error: null } });
    const gateway = expect.stringMatching(/^http/);
    expect(posted).toEqual([
      expect.objectContaining({ event: "test", gateway, text: expect.stringMatching(/^This is a test: /) }),
    ]);
    status = 500;
    const refused = { event: "test", ok: false, status: 500, problem: "refused", error: expect.any(String) };
    expect((await admin("POST", "settings/alert-test")).body).toMatchObject(refused);
    expect(posted, "a test is tried once").toHaveLength(2);
    const shown = [await admin("GET", "settings"), await admin("GET", "audit?action=setting.update")];
    expect(shown[0]?.body).toMatchObject({ alertUrl: host, lastAlert: refused });
    expect(JSON.stringify([shown, saved, sent, server().output])).not.toContain(SECRET);
  });

  test.each([
    "x",
    "ftp://example.com/",
    "https://a:b@example.com/",
    "https://example.com/#part",
    "",
    "https://example.com/\r\nX-Injected: 1",
    "https://exa\nmple.com/",
    " https://example.com/",
    "https://example.com/a\tb",
  ])("%j is no address of alerts", async (alertUrl) => {
    const { status: answered, body } = await admin("PATCH", "settings", { alertUrl });
    expect([answered, body]).toEqual([400, expect.objectContaining({ error: expect.anything() })]);
    expect(JSON.stringify(body)).toContain("alertUrl");
  });
});

describe("a node that nothing listens at", () => {
  const server = accountServer({
    config: `
nodes:
  - {name: gone, protocol: chat, baseUrl: "http://127.0.0.1:1/v1"}
models:
  - alias: m
    prices: {input: 1, output: 1}
    routes: [{node: gone, model: up}]
`,
    env: { ALLOW_PRIVATE_UPSTREAMS: "1" },
  });

  test("is told to the address that an admin has set, with the model that has no other node", async () => {
    status = 200;
    posted.length = 0;
    const token = await server().adminToken();
    await server().api("PATCH", "/api/admin/settings", token, { alertUrl: `http://${host}/` });
    const { key } = await server().user({ planId: 3 });
    const body = { model: "m", messages: [{ role: "user", content: "Hello" }] };
    for (let call = 0; call < 5; call += 1)
      expect((await server().gateway("/v1/chat/completions", key, body)).status).toBe(503);
    await expect.poll(() => posted, { timeout: 20_000 }).toHaveLength(2);
    expect(posted).toMatchObject([
      { event: "node.open", node: "gone" },
      { event: "model.down", model: "m" },
    ]);
  });
});

describe("where nodes may not", () => {
  const server = accountServer();
  test.each([
    "http://example.com/hook",
    "https://127.0.0.1/hook",
    "https://10.0.0.1/",
    "https://hooks.internal/",
  ])("%s is refused", async (alertUrl) => {
    const token = await server().adminToken();
    const { status: answered, body } = await server().api<Body>("PATCH", "/api/admin/settings", token, {
      alertUrl,
    });
    expect([answered, body]).toMatchObject([400, { error: { fields: { alertUrl: [expect.any(String)] } } }]);
  });
});

/** Source: docs/contract.md#alert-receivers. */
describe("a receiver of a vendor", () => {
  /** Hands every host to one receiver, as an outbound proxy does. */
  const calls: { url: string; body: Body }[] = [];
  let answer = { status: 200, text: "" };
  const vendor = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      calls.push({ url: request.url ?? "", body: JSON.parse(text) });
      response.writeHead(answer.status).end(answer.status === 204 ? undefined : answer.text);
    });
  });
  const proxy = createServer();
  proxy.on("connect", (_request, socket) => {
    const { port } = vendor.address() as AddressInfo; // it listens
    const through = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      through.pipe(socket).pipe(through);
    });
    for (const end of [socket, through]) end.on("error", () => through.destroy());
  });
  const env: Record<string, string> = { ALLOW_PRIVATE_UPSTREAMS: "1", NO_PROXY: "none.example" };
  beforeAll(async () => {
    for (const one of [vendor, proxy]) one.listen(0, "127.0.0.1");
    await Promise.all([vendor, proxy].map((one) => once(one, "listening")));
    const { port } = proxy.address() as AddressInfo; // it listens
    env.http_proxy = `http://127.0.0.1:${port}`;
  });
  afterAll(() => {
    for (const one of [vendor, proxy]) {
      one.close();
      one.closeAllConnections();
    }
  });
  const server = accountServer({ env });
  const sendTest = async (alertUrl: string, status: number, text: string) => {
    answer = { status, text };
    calls.length = 0;
    const token = await server().adminToken();
    expect((await server().api("PATCH", "/api/admin/settings", token, { alertUrl })).status).toBe(200);
    const sent = await server().api<Body>("POST", "/api/admin/settings/alert-test", token);
    expect(sent.status).toBe(200);
    const { lastAlert } = (await server().api<Body>("GET", "/api/admin/settings", token)).body;
    expect(lastAlert).toEqual(sent.body);
    expect(JSON.stringify(sent.body)).not.toContain(SECRET);
    return { result: sent.body, call: calls[0] };
  };
  const sentence = expect.stringMatching(/^This is a test: /);
  const named = expect.stringMatching(/^Tollgate: This is a test: /);
  const feishu = { msg_type: "text", content: { text: named } };
  const asText = { msgtype: "text", text: { content: named } };
  const other = expect.objectContaining({ text: sentence, content: sentence, event: "test" });

  test.each([
    ["open.feishu.cn/open-apis/bot/v2/hook/", feishu, 200, '{"code":0,"msg":"success","data":{}}', null],
    [
      "open.feishu.cn/open-apis/bot/v2/hook/",
      feishu,
      200,
      '{"code":19024,"msg":"Key Words Not Found"}',
      "Key Words Not Found",
    ],
    [
      "open.larksuite.com/open-apis/bot/v2/hook/",
      feishu,
      200,
      '{"StatusCode":0,"StatusMessage":"success"}',
      null,
    ],
    [
      "open.larksuite.com/open-apis/bot/v2/hook/",
      feishu,
      200,
      '{"code":9499,"msg":"Bad Request"}',
      "Bad Request",
    ],
    ["oapi.dingtalk.com/robot/send?access_token=", asText, 200, '{"errcode":0,"errmsg":"ok"}', null],
    [
      "oapi.dingtalk.com/robot/send?access_token=",
      asText,
      200,
      `{"errcode":300005,"errmsg":"token ${SECRET} is not exist"}`,
      "token *** is not exist",
    ],
    ["qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", asText, 200, '{"errcode":0,"errmsg":"ok"}', null],
    [
      "qyapi.weixin.qq.com/cgi-bin/webhook/send?key=",
      asText,
      200,
      '{"errcode":93000,"errmsg":"invalid webhook url"}',
      "invalid webhook url",
    ],
    ["hooks.slack.com/services/T000/B000/", { text: sentence }, 200, "ok", null],
    ["hooks.slack.com/triggers/", { text: sentence }, 200, '{"ok":true}', null],
    ["hooks.slack.com/services/T000/B000/", { text: sentence }, 200, "no_text", "no_text"],
    ["hooks.slack.com/services/T000/B000/", { text: sentence }, 404, "no_service", "no_service"],
    ["discord.com/api/webhooks/1/", { content: sentence }, 204, "", null],
    ["ptb.discord.com/api/webhooks/1/x?wait=true&key=", { content: sentence }, 200, '{"id":"7"}', null],
    ["discord.com/api/webhooks/1/", { content: sentence }, 200, "<html>moved</html>", "<html>moved</html>"],
    [
      "discord.com/api/webhooks/1/",
      { content: sentence },
      404,
      '{"message":"Unknown Webhook","code":10015}',
      "Unknown Webhook",
    ],
    ["relay.example.com/", other, 202, "", null],
    ["relay.example.com/", other, 200, '{"code":200,"message":"queued"}', null],
    [
      "relay.example.com/",
      other,
      200,
      '{"errcode":310000,"errmsg":"keywords not in content"}',
      "keywords not in content",
    ],
    ["relay.example.com/", other, 200, '{"ok":false,"error":"channel_not_found"}', "channel_not_found"],
    ["evil-discord.com.example.com/", other, 200, "ok", null],
  ])(
    "%s gets its own form, and its answer tells whether it took it",
    async (place, body, status, text, said) => {
      const { result, call } = await sendTest(`http://${place}${SECRET}`, status, text);
      expect(call?.body).toEqual(body);
      const problem = said === null ? null : status === 200 ? "rejected" : "refused";
      expect(result).toMatchObject({ ok: said === null, status, problem, said });
    },
  );

  test("with a secret gets the signature of its vendor, and the secret stays here", async () => {
    const ding = await sendTest(
      `http://oapi.dingtalk.com/robot/send?access_token=t&secret=${SECRET}`,
      200,
      '{"errcode":0}',
    );
    const query = new URL(`http://x${ding.call?.url}`).searchParams;
    const hmac = (key: string, words: string) => createHmac("sha256", key).update(words).digest("base64");
    expect(query.get("sign")).toBe(hmac(SECRET, `${query.get("timestamp")}\n${SECRET}`));
    expect([query.get("secret"), query.get("access_token")]).toEqual([null, "t"]);
    const lark = await sendTest(
      `http://open.feishu.cn/open-apis/bot/v2/hook/t?secret=${SECRET}`,
      200,
      '{"code":0}',
    );
    const { timestamp, sign } = lark.call?.body ?? {};
    expect(sign).toBe(hmac(`${timestamp}\n${SECRET}`, ""));
    expect(lark.call?.url).toBe("/open-apis/bot/v2/hook/t");
    expect([ding.result.ok, lark.result.ok]).toEqual([true, true]);
  });
});

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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
    ...["x", "ftp://example.com/", "https://a:b@example.com/", "https://example.com/#part", ""],
    ...[
      "https://example.com/\r\nX-Injected: 1",
      "https://exa\nmple.com/",
      " https://example.com/",
      "https://example.com/a\tb",
    ],
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

import { createServer, type Server } from "node:https";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { certificateSkipReason, makeCertificates, type TestCertificates } from "../support/certificates";
import { type ConnectProxy, startConnectProxy } from "../support/connect-proxy";
import { chatBody } from "../support/gateway-fixtures";
import { privateRedisSkipReason } from "../support/redis";
import { startRedisServer } from "../support/redis-servers";
import { discardServer, startServer, type TestServer } from "../support/server";

const ANSWER = {
  id: "x",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

let certificates: TestCertificates;
let node: Server;
let proxy: ConnectProxy;
let url = "";
let port = 0;
const indented = (text: string) => text.replace(/^/gm, "      ");
const model = (name: string) =>
  `  - {alias: ${name}, prices: {input: 1, output: 1}, routes: [{node: ${name}, model: m}]}\n`;

beforeAll(async () => {
  if (certificateSkipReason !== null) return;
  certificates = makeCertificates();
  node = createServer({ key: certificates.key, cert: certificates.cert }, (request, response) => {
    request.resume();
    const isList = request.method === "GET";
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(isList ? { data: [{ id: "m" }] } : ANSWER));
  });
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  const address = node.address();
  port = typeof address === "object" && address ? address.port : 0;
  url = `https://127.0.0.1:${port}/v1`;
  proxy = await startConnectProxy(() => port);
});
afterAll(async () => {
  if (certificateSkipReason !== null) return;
  await proxy.close();
  node.closeAllConnections();
  await new Promise((resolve) => node.close(resolve));
  certificates.remove();
});

/** Source: docs/contract.md#own-ca. */
describe.skipIf(certificateSkipReason !== null)("a node whose certificate a private CA has signed", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({
      config: `nodes:
  - name: own
    protocol: chat
    baseUrl: ${url}
    ca: |
${indented(`Some text of openssl\n${certificates.ca}`)}
  - name: proxied
    protocol: chat
    baseUrl: https://localhost:${port}/v1
    proxy: ${proxy.url}
    ca: |
${indented(certificates.ca)}
  - { name: other, protocol: chat, baseUrl: "${url}" }
models:
${model("own")}${model("proxied")}${model("other")}`,
      env: { ALLOW_PRIVATE_UPSTREAMS: "1" },
    });
  });
  afterAll(() => discardServer(server));

  test("is called with its own `ca`, directly and through a proxy, and no other node is", async () => {
    const { key } = await server.user({ planId: 3 });
    const status = async (alias: string) =>
      (await server.gateway("/v1/chat/completions", key, chatBody(alias))).status;
    expect([await status("own"), await status("proxied"), await status("other")]).toEqual([200, 200, 503]);
    expect(proxy.asked).toEqual([`localhost:${port}`]);
  });

  test("says in its test what to set, and passes it once that is set", async () => {
    const token = await server.adminToken();
    const asked = { protocol: "chat", baseUrl: url, model: "m" };
    const tested = async (ca: string | null) =>
      (await server.api<Record<string, unknown>>("POST", "/api/admin/nodes/test", token, { ...asked, ca }))
        .body;
    const without = await tested(null);
    expect(without).toMatchObject({ problem: "certificate", error: expect.stringMatching(/set `ca`/) });
    expect(await tested(certificates.ca)).toMatchObject({ problem: null, reachable: true });
    const made = await server.api<{ id: string; ca: string }>("POST", "/api/admin/nodes", token, {
      name: "typed",
      protocol: "chat",
      baseUrl: url,
      ca: `${certificates.ca}\n${certificates.cert}`,
    });
    expect(made).toMatchObject({
      status: 201,
      body: { ca: expect.stringMatching(/^-----BEGIN.*BEGIN.*END CERT/s) },
    });
  });

  test("refuses as `ca` what is none, and a private key above all", async () => {
    const token = await server.adminToken();
    const broken = certificates.ca.replace(/\n[A-Za-z0-9+/=]{20}/, "\n");
    for (const ca of [
      "x",
      certificates.key,
      certificates.ca + certificates.key,
      broken,
      certificates.ca.repeat(51),
    ]) {
      const { status, body } = await server.api<unknown>("POST", "/api/admin/nodes", token, {
        name: "refused",
        protocol: "chat",
        baseUrl: url,
        ca,
      });
      expect([status, body]).toMatchObject([400, { error: { fields: { ca: [expect.any(String)] } } }]);
      expect(JSON.stringify(body)).not.toContain(certificates.key.split("\n")[1]);
    }
  });
});

const reason = certificateSkipReason ?? privateRedisSkipReason;
/** Source: docs/contract.md#own-ca, docs/contract.md#redis. */
describe.skipIf(reason !== null)("NODE_EXTRA_CA_CERTS", () => {
  test("vouches for nodes and for Redis with TLS", async () => {
    const { ca, caFile, certFile, keyFile } = certificates;
    const tls = (at: number) => [
      "--port",
      "0",
      "--tls-port",
      String(at),
      "--tls-auth-clients",
      "no",
      "--tls-cert-file",
      certFile,
      "--tls-key-file",
      keyFile,
      "--tls-ca-cert-file",
      caFile,
    ];
    const redis = await startRedisServer(tls, { tls: { ca } });
    const server = await startServer({
      config: `nodes:\n  - { name: other, protocol: chat, baseUrl: "${url}" }\nmodels:\n${model("other")}`,
      env: {
        NODE_EXTRA_CA_CERTS: caFile,
        REDIS_URL: `rediss://127.0.0.1:${redis.port}`,
        ALLOW_PRIVATE_UPSTREAMS: "1",
      },
    });
    const ready = await (await fetch(`${server.url}/api/health/ready`)).json();
    expect(ready).toEqual({ status: "ready", problems: [], degraded: [] });
    const { key } = await server.user({ planId: 3 });
    expect((await server.gateway("/v1/chat/completions", key, chatBody("other"))).status).toBe(200);
    await discardServer(server);
    await redis.stop();
  });
});

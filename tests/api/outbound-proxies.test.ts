import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ConnectProxy, startConnectProxy } from "../support/connect-proxy";
import { chatBody } from "../support/gateway-fixtures";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";
import { discardServer, startServer, type TestServer } from "../support/server";

const ANSWER = {
  id: "x",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const model = (name: string) =>
  `  - {alias: ${name}, prices: {input: 1, output: 1}, routes: [{node: ${name}, model: m}]}\n`;

let upstream: ScriptedUpstream;
let proxy: ConnectProxy;
let server: TestServer;
const portOf = () => Number(new URL(upstream.url).port);
beforeAll(async () => {
  upstream = await startScriptedUpstream((response) => sendJson(response, 200, ANSWER));
  proxy = await startConnectProxy(portOf);
  server = await startServer({
    config: `nodes:
  - {name: far, protocol: chat, baseUrl: "http://node.invalid/v1"}
  - {name: near, protocol: chat, baseUrl: "http://127.0.0.1:${portOf()}/v1"}
models:
${model("far")}${model("near")}`,
    env: {
      all_proxy: proxy.url,
      HTTP_PROXY: "http://127.0.0.1:1",
      NO_PROXY: `other.invalid,127.0.0.0/8`,
      ALLOW_PRIVATE_UPSTREAMS: "1",
      DEMO_PROVIDER: "1",
    },
  });
});
afterAll(async () => {
  await discardServer(server);
  await proxy.close();
  await upstream.close();
});

/** Source: docs/contract.md#proxies. */
describe("the proxy variables of curl", () => {
  test("lead calls of nodes through the proxy, but those of NO_PROXY's networks and of the simulated provider", async () => {
    const { key } = await server.user({ planId: 3 });
    for (const alias of ["far", "near", "demo-chat"])
      expect([alias, (await server.gateway("/v1/chat/completions", key, chatBody(alias))).status]).toEqual([
        alias,
        200,
      ]);
    expect(proxy.asked).toEqual(["node.invalid:80"]);
  });

  test("lead alerts through the proxy", async () => {
    const token = await server.adminToken();
    await server.api("PATCH", "/api/admin/settings", token, { alertUrl: "http://hooks.invalid:8080/x" });
    await server.api("POST", "/api/admin/settings/alert-test", token);
    expect(proxy.asked).toContain("hooks.invalid:8080");
  });

  test("that have no effect are told at start", () => {
    expect(server.output).toMatch(/HTTP_PROXY has no effect/);
  });
});

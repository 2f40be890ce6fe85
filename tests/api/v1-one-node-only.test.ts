import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, gatewayFor, keyMoney, logEntry, requestIdOf } from "../support/gateway-fixtures";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";

const CHAT = "/v1/chat/completions";
const SECRET = "sk-for-one-host-only-0123456789";
const REDIRECTS = [301, 302, 303, 307, 308];

let elsewhere: ScriptedUpstream | null = null;
let node: ScriptedUpstream | null = null;
beforeAll(async () => {
  elsewhere = await startScriptedUpstream((response) => sendJson(response, 200, { stolen: true }));
  node = await startScriptedUpstream((response, { body }) => {
    const model = /"model":"(\w+)"/.exec(body)?.[1] ?? "";
    const status = Number(model.replace("r", ""));
    if (model === "silent")
      return void response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    response.writeHead(status, { location: `${elsewhere?.url}/v1/chat/completions` }).end();
  });
});
afterAll(async () => {
  await node?.close();
  await elsewhere?.close();
});

const gateway = gatewayFor({
  nodes: () => [
    ...REDIRECTS.map((status) => ({ name: `redirecting-${status}`, url: node?.url ?? "", apiKey: SECRET })),
    { name: "breaking" },
  ],
  models: [
    ...REDIRECTS.map((status) => ({
      alias: `redirecting-${status}`,
      routes: [[`redirecting-${status}`, `r${status}`]] as [string, string][],
    })),
    ...(["cut", "eof", "error"] as const).map((how) => ({
      alias: how,
      routes: [
        ["chat", `sim-${how}-after-8`, 0],
        ["chat-b", "sim-good", 1],
      ] as [string, string, number][],
    })),
    {
      alias: "refused",
      routes: [
        ["chat", "sim-400", 0],
        ["chat-b", "sim-good", 1],
      ],
    },
  ],
});

/** So many of the server's seconds are one of the test's. */
const CLOCK_SPEED = 5;
const quick = gatewayFor({
  clockSpeed: CLOCK_SPEED,
  nodes: () => [{ name: "silent", url: node?.url ?? "", timeouts: { idleMs: 17_500 } }],
  models: [{ alias: "silent", routes: [["silent", "silent"]] }],
});

/** Source: docs/reliability.md#r-76, #r-139. */
test.each(REDIRECTS)(
  "a node's %s to another host is not followed, and the node's credential goes nowhere else",
  async (status) => {
    const user = await gateway.key();
    for (const stream of [false, true]) {
      const answer = await gateway.server.gateway(
        CHAT,
        user.key,
        chatBody(`redirecting-${status}`, { stream }),
      );
      expect(answer.status).toBe(502);
      expect(await answer.text()).not.toContain(elsewhere?.url.replace("http://", ""));
      expect(answer.headers.get("location")).toBeNull();
    }
    expect(elsewhere?.calls).toEqual([]);
    expect(node?.calls.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);
    expect(await keyMoney(gateway.server, user)).toMatchObject({ usedQuota: 0, held: 0 });
  },
);

/** Source: docs/reliability.md#r-82. */
test.each(["cut", "eof", "error"])(
  "a stream that has begun is not begun again on another node when it breaks (%s)",
  async (how) => {
    const { server, second } = gateway;
    const user = await gateway.key();
    const before = second.counters().requests;
    const answer = await server.gateway(CHAT, user.key, chatBody(how, { stream: true }));
    const text = await answer.text();
    expect(text).toContain('data: {"error":');
    expect(text).not.toContain("[DONE]");
    expect(second.counters().requests).toBe(before);
    expect(await logEntry(server, user, requestIdOf(answer))).toMatchObject({ attemptCount: 1, cost: "0" });
  },
);

/** Source: docs/reliability.md#r-83. */
test("a node that refuses ten requests as the callers' mistakes goes on being the first that is asked", async () => {
  const { server, upstream, second } = gateway;
  const user = await gateway.key();
  const before = [upstream.counters().requests, second.counters().requests];
  for (let index = 0; index < 10; index += 1)
    expect((await server.gateway(CHAT, user.key, chatBody("refused"))).status).toBe(400);
  const after = [upstream.counters().requests, second.counters().requests];
  expect(after).toEqual([(before[0] ?? 0) + 10, before[1]]);
  expect(await keyMoney(server, user)).toMatchObject({ usedQuota: 0, held: 0 });
});

/** Source: docs/reliability.md#r-58. */
describe.concurrent("a node that says 200 and nothing more", () => {
  test.each([
    ["chat", CHAT, ": ", 'data: {"error":'],
    ["messages", "/v1/messages", "event: ping", "event: error"],
  ])(
    "keeps the %s client's connection alive, is cut when it idles, breaks the stream visibly and costs nothing",
    { timeout: 60_000 },
    async (_protocol, path, alive, error) => {
      const user = await quick.key();
      const begun = performance.now();
      const answer = await quick.server.gateway(path, user.key, chatBody("silent", { stream: true }));
      expect(answer.status).toBe(200);
      const text = await answer.text();
      const tookMs = (performance.now() - begun) * CLOCK_SPEED;
      expect(tookMs).toBeGreaterThan(17_000);
      expect(tookMs).toBeLessThan(30_000);
      expect(text.split("\n").some((line) => line.startsWith(alive) || line.startsWith(":"))).toBe(true);
      expect(text).toContain(error);
      expect(text).not.toMatch(/\[DONE\]|message_stop/);
      expect(await logEntry(quick.server, user, requestIdOf(answer))).toMatchObject({ cost: "0" });
      expect(await keyMoney(quick.server, user)).toMatchObject({ usedQuota: 0, held: 0 });
    },
  );
});

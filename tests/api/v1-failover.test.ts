import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  chatBody,
  costCents,
  eventually,
  gatewayFor,
  keyMoney,
  logEntries,
  logEntry,
  type ModelSpec,
  type NodeSpec,
  PRICES,
  requestIdOf,
} from "../support/gateway-fixtures";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream";

// Every case has a node of its own: what one has learnt about a bad node must not help the next.
const faults: Readonly<Record<string, { model: string; node?: Partial<NodeSpec> }>> = {
  "refuses connections": { model: "sim-a", node: { url: "http://127.0.0.1:9" } },
  "answers 500": { model: "sim-500" },
  "answers 503": { model: "sim-503" },
  "answers 529": { model: "sim-529" },
  "answers 429": { model: "sim-429" },
  "answers 401": { model: "sim-401" },
  "answers 402": { model: "sim-402" },
  "answers 403": { model: "sim-403" },
  "answers 404": { model: "sim-404" },
  hangs: { model: "sim-hang", node: { timeouts: { firstByteMs: 300, responseMs: 300 } } },
  "resets the connection": { model: "sim-reset" },
  "answers an error inside a 200": { model: "sim-error-in-200", node: { url: "scripted" } },
  "answers HTML": { model: "sim-html" },
  "answers nothing": { model: "sim-empty" },
  "answers garbage": { model: "sim-garbage" },
  "breaks before its first content": { model: "sim-cut-after-1" },
  "ends before its first content": { model: "sim-eof-after-1" },
};

const cases = Object.entries(faults).flatMap(([fault, script], number) =>
  (["chat", "messages"] as const).flatMap((protocol) =>
    [false, true].map((stream) => ({
      fault,
      protocol,
      stream,
      node: `bad-${number}-${protocol}-${stream ? "s" : "w"}`,
      script,
    })),
  ),
);

let scripted: ScriptedUpstream | null = null;
/** Called when a node has answered 500 to a client that is about to leave. */
let onFailed = (): void => {};
beforeAll(async () => {
  scripted = await startScriptedUpstream((response, { body }) => {
    if (body.includes('"fails-then-left"')) return void response.writeHead(500).end("{}", () => onFailed());
    const error = JSON.stringify({ type: "error", error: { type: "api_error", message: "inside a 200" } });
    const stream = body.includes('"stream":true');
    response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
    response.end(stream ? `event: error\ndata: ${error}\n\n` : error);
  });
});
afterAll(() => scripted?.close());

const nodes = (): NodeSpec[] => [
  ...cases.map(({ node, protocol, script }) => ({
    name: node,
    protocol,
    ...script.node,
    ...(script.node?.url === "scripted" && scripted ? { url: scripted.url } : {}),
  })),
  { name: "left", url: scripted?.url ?? "" },
];
// The second node speaks the other protocol, so that every case crosses over, too.
const models: ModelSpec[] = [
  ...cases.map(
    ({ node, protocol, script }): ModelSpec => ({
      alias: node,
      routes: [
        [node, script.model, 0],
        [protocol === "chat" ? "messages-b" : "chat-b", "sim-good", 1],
      ],
    }),
  ),
  {
    alias: "left",
    routes: [
      ["left", "fails-then-left", 0],
      ["chat-b", "sim-good", 1],
    ],
  },
];

const gateway = gatewayFor({ nodes, models });
const paths = { chat: "/v1/chat/completions", messages: "/v1/messages" };

/** Source: docs/reliability.md#r-53, #r-55, #r-56, #r-57, #r-67, #r-75, #r-77, #r-86. */
describe.each(Object.keys(faults))("a first node that %s", (fault) => {
  test.each(cases.filter((one) => one.fault === fault))(
    "is replaced by the second: one good answer, billed once ($protocol, streamed: $stream)",
    async ({ node, protocol, stream }) => {
      const { server, second } = gateway;
      const key = await gateway.key();
      const asked = second.counters().requests;
      const answer = await server.gateway(paths[protocol], key.key, chatBody(node, { stream }));
      const text = await answer.text();
      expect(answer.status).toBe(200);
      expect(text.replaceAll(/"[^"]*"content":"|\s+/g, "")).toContain("simulated");
      expect(text).not.toContain("error");
      if (stream) expect(text).toContain(protocol === "chat" ? "data: [DONE]" : "event: message_stop");
      expect(second.counters().requests - asked).toBe(1);

      const entry = await logEntry(server, key, requestIdOf(answer));
      expect(entry).toMatchObject({ status: "success", attemptCount: 2, errorCode: null });
      expect(entry.attempts.map(({ result }) => result === "ok")).toEqual([false, true]);
      expect(entry.attempts.map(({ protocol: spoken }) => spoken === protocol)).toEqual([true, false]);
      const cost = costCents([
        [entry.promptTokens, PRICES.input],
        [entry.completionTokens, PRICES.output],
      ]);
      expect(cost).toBeGreaterThan(0);
      expect(await keyMoney(server, key)).toMatchObject({ usedQuota: cost, held: 0 });
    },
  );
});

test("a client that leaves while a failure is waited out has no further node asked", async () => {
  const { server, second } = gateway;
  const asked = second.counters().requests;
  for (let turn = 0; turn < 3; turn += 1) {
    const key = await gateway.key();
    const client = new AbortController();
    onFailed = () => client.abort();
    const call = fetch(`${server.url}${paths.chat}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
      body: JSON.stringify(chatBody("left")),
      signal: client.signal,
    });
    await expect(call).rejects.toThrow("aborted");
    const entry = await eventually(async () => (await logEntries(server, key))[0] ?? null);
    expect(entry).toMatchObject({ status: "cancelled" });
    await eventually(async () => (await keyMoney(server, key)).held === 0);
    expect(await keyMoney(server, key)).toMatchObject({ usedQuota: 0, held: 0 });
  }
  expect(second.counters().requests).toBe(asked);
});

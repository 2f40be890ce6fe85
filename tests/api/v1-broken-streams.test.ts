import { describe, expect, test } from "vitest";
import {
  chatBody,
  costCents,
  eventually,
  gatewayFor,
  keyMoney,
  logEntry,
  PRICES,
  requestIdOf,
} from "../support/gateway-fixtures";

const LONG = "sim-chunks-100+every-40ms";
const gateway = gatewayFor({
  nodes: [
    { name: "impatient-chat", timeouts: { idleMs: 300 } },
    { name: "impatient-messages", protocol: "messages", timeouts: { idleMs: 300 } },
  ],
  models: (["chat", "messages"] as const).flatMap((node) => [
    { alias: `cut-${node}`, routes: [[node, "sim-cut-after-8"]] },
    { alias: `eof-${node}`, routes: [[node, "sim-eof-after-8"]] },
    { alias: `error-${node}`, routes: [[node, "sim-error-after-8"]] },
    { alias: `stall-${node}`, routes: [[`impatient-${node}`, "sim-stall-after-8"]] },
    { alias: `long-${node}`, routes: [[node, LONG]] },
    { alias: `late-${node}`, routes: [[node, "sim-first-5000ms"]] },
  ]),
});

const clients = [
  { protocol: "chat", path: "/v1/chat/completions", end: "data: [DONE]", error: 'data: {"error":' },
  { protocol: "messages", path: "/v1/messages", end: "event: message_stop", error: "event: error\n" },
] as const;
const pairs = clients.flatMap((client) => [
  { ...client, node: "chat" },
  { ...client, node: "messages" },
]);

describe.each(pairs)("a $protocol client on a $node node", ({ path, end, error, node }) => {
  /** Source: docs/reliability.md#r-59, #r-60, #r-62. */
  test.each(["cut", "eof", "error", "stall"])(
    "sees a stream that breaks (%s) as broken, and pays nothing for it",
    async (how) => {
      const { server } = gateway;
      const key = await gateway.key();
      const answer = await server.gateway(path, key.key, chatBody(`${how}-${node}`, { stream: true }));
      const text = await answer.text();
      expect(answer.status).toBe(200);
      expect(text).toContain("simulated");
      expect(text).toContain(error);
      expect(text.trimEnd().split("\n\n").at(-1)).toContain(error.trim());
      expect(text).not.toContain(end);
      expect(text).not.toContain('"finish_reason":"stop"');
      const entry = await logEntry(server, key, requestIdOf(answer));
      expect(entry).toMatchObject({ status: "interrupted", cost: "0", attemptCount: 1 });
      expect(Number(entry.receipt.wouldHaveCost)).toBeGreaterThan(0);
      expect(await keyMoney(server, key)).toMatchObject({ usedQuota: 0, held: 0 });
    },
  );

  /** Source: docs/reliability.md#r-20. */
  test("that leaves in mid-stream stops the upstream within 2 s and pays for what was sent", async () => {
    const { server, upstream } = gateway;
    const key = await gateway.key();
    const { aborted } = upstream.counters();
    const leaving = new AbortController();
    const answer = await fetch(server.url + path, {
      method: "POST",
      signal: leaving.signal,
      headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
      body: JSON.stringify(chatBody(`long-${node}`, { stream: true, max_tokens: 1_000 })),
    });
    await readUntil(answer, "simulated3");
    leaving.abort();
    await eventually(async () => (upstream.counters().aborted > aborted ? true : null), 2_000);
    await eventually(async () => ((await keyMoney(server, key)).held === 0 ? true : null), 3_000);
    const entry = await logEntry(server, key, requestIdOf(answer));
    expect(entry).toMatchObject({ status: "cancelled", httpStatus: 499 });
    const { usedQuota } = await keyMoney(server, key);
    expect(usedQuota).toBe(Number(entry.cost));
    expect(entry.promptTokens).toBeGreaterThan(0);
    expect(entry.completionTokens).toBeGreaterThan(0);
    // A hundred words of eleven letters would be some 275 tokens.
    expect(entry.completionTokens).toBeLessThan(200);
    expect(usedQuota).toBe(
      costCents([
        [entry.promptTokens, PRICES.input],
        [entry.completionTokens, PRICES.output],
      ]),
    );
  });

  /** Source: docs/reliability.md#r-22. */
  test.each([true, false])(
    "that leaves before the upstream has answered stops it and pays nothing (streamed: %s)",
    async (stream) => {
      const { server, upstream } = gateway;
      const key = await gateway.key();
      const { aborted, requests } = upstream.counters();
      const leaving = new AbortController();
      const call = fetch(server.url + path, {
        method: "POST",
        signal: leaving.signal,
        headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
        body: JSON.stringify(chatBody(`late-${node}`, { stream })),
      });
      call.catch(() => {});
      await eventually(async () => (upstream.counters().requests > requests ? true : null));
      expect((await keyMoney(server, key)).held).toBeGreaterThan(0);
      leaving.abort();
      await expect(call).rejects.toThrow();
      await eventually(async () => (upstream.counters().aborted > aborted ? true : null), 2_000);
      await eventually(async () => ((await keyMoney(server, key)).held === 0 ? true : null), 1_000);
      expect((await keyMoney(server, key)).usedQuota).toBe(0);
    },
  );
});

async function readUntil(answer: Response, wanted: string): Promise<void> {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (reader && !text.includes(wanted)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended before ${wanted}`);
    text += decoder.decode(value, { stream: true });
  }
}

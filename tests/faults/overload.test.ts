import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  chatBody,
  type ErrorBody,
  eventually,
  logEntry,
  messagesBody,
} from "@/tests/support/gateway-fixtures";
import { type ScriptedUpstream, startScriptedUpstream } from "@/tests/support/scripted-upstream";
import { openStreams, Rig } from "./support/rig";

const MAX_TOKENS = 50;
/** So many of the server's seconds are one of the test's. */
const CLOCK_SPEED = 5;

let upstream: ScriptedUpstream;
let rig: Rig;
let closed = 0;
beforeAll(async () => {
  upstream = await startScriptedUpstream((response, call) => {
    response.on("close", () => {
      closed += 1;
    });
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (call.path.endsWith("/messages")) response.write(MESSAGES_HEAD);
    goOn(response, call.path.endsWith("/messages") ? MESSAGES_FRAME : CHAT_FRAME);
  });
  rig = await Rig.start({
    database: "embedded",
    clockSpeed: CLOCK_SPEED,
    nodes: [
      { name: "endless", url: upstream.url },
      { name: "endless-messages", url: upstream.url, protocol: "messages" },
    ],
    models: [
      { alias: "endless", routes: [["endless", "words"]] },
      { alias: "endless-messages", routes: [["endless-messages", "words"]] },
      { alias: "steady", routes: [["chat", "sim-chunks-100+every-20ms"]] },
    ],
    plans: [
      {
        id: 1,
        name: "Unlimited",
        qps: null,
        rpm: null,
        tpm: null,
        keyQuotaCents: 1_000_000_000,
        selfService: true,
      },
      { id: 2, name: "Small", qps: 5, rpm: null, tpm: null, keyQuotaCents: 1_000_000_000, selfService: true },
    ],
  });
});
afterAll(async () => {
  await rig.stop();
  await upstream.close();
});

/** Source: docs/reliability.md#r-71. */
describe("a node that never stops", () => {
  const calls = [
    { path: "/v1/chat/completions", model: "endless", stop: '"finish_reason":"length"', end: "data: [DONE]" },
    {
      path: "/v1/messages",
      model: "endless-messages",
      stop: '"stop_reason":"max_tokens"',
      end: "event: message_stop",
    },
    {
      path: "/v1/chat/completions",
      model: "endless-messages",
      stop: '"finish_reason":"length"',
      end: "data: [DONE]",
    },
    {
      path: "/v1/messages",
      model: "endless",
      stop: '"stop_reason":"max_tokens"',
      end: "event: message_stop",
    },
  ];
  test.each(calls)(
    "is cut: $model on $path ends at its ceiling, and 1.05 times the ceiling is billed",
    async (call) => {
      const user = await rig.gateway.key();
      const before = closed;
      const body = messagesBody(call.model, { max_tokens: MAX_TOKENS, stream: true });
      const response = await rig.server.gateway(call.path, user.key, body);
      const text = await response.text();
      expect(text).toContain(call.stop);
      expect(text.trimEnd().split("\n\n").at(-1)).toContain(call.end);
      await eventually(async () => (closed === before + 1 ? true : null), 1_000);
      const entry = await logEntry(rig.server, user, response.headers.get("x-request-id") ?? "");
      expect(entry).toMatchObject({
        status: "success",
        httpStatus: 200,
        completionTokens: Math.floor(1.05 * MAX_TOKENS),
      });
    },
  );

  test("is cut for an unstreamed caller too", async () => {
    const user = await rig.gateway.key();
    const response = await rig.server.gateway(
      "/v1/chat/completions",
      user.key,
      chatBody("endless-messages", { max_tokens: MAX_TOKENS }),
    );
    expect(response.status).toBe(200);
    const body = (await response.json()) as {
      choices: { finish_reason: string }[];
      usage: { completion_tokens: number };
    }; // asserted below
    expect(body.choices[0]?.finish_reason).toBe("length");
    expect(body.usage.completion_tokens).toBe(Math.floor(1.05 * MAX_TOKENS));
  });
});

test("the 21st running request of a key of 5 QPS is shed with a wait of 1 to 3 s; other keys and the books are untouched", async () => {
  const small = await rig.gateway.key({ planId: 2 });
  const ends: Promise<unknown>[] = [];
  for (let second = 0; second < 4; second++) {
    const { all } = await openStreams(rig.server, small, "steady", 5);
    ends.push(all);
    await sleep(1_050 / CLOCK_SPEED);
  }
  const begun = performance.now();
  const shed = await rig.server.gateway("/v1/chat/completions", small.key, chatBody("steady"));
  expect(performance.now() - begun).toBeLessThan(100);
  const { error } = (await shed.json()) as ErrorBody; // asserted below
  expect([shed.status, error.code]).toEqual([503, "NO_AVAILABLE_NODE"]);
  expect(Number(shed.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(Number(shed.headers.get("retry-after"))).toBeLessThanOrEqual(3);
  const other = await rig.gateway.key();
  const { all } = await openStreams(rig.server, other, "steady", 1);
  expect((await all)[0]).toMatchObject({ status: 200, terminal: true });
  await Promise.all(ends);
  const again = await openStreams(rig.server, small, "steady", 1);
  expect((await again.all)[0]).toMatchObject({ status: 200, terminal: true });
});

function goOn(response: ServerResponse, frame: string): void {
  const write = () => {
    while (!response.destroyed) if (!response.write(frame)) break;
  };
  response.on("drain", write);
  write();
}

const CHAT_FRAME = `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta: { content: "word " }, finish_reason: null }] })}\n\n`;

const MESSAGES_HEAD = [
  [
    "message_start",
    {
      type: "message_start",
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        model: "m",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    },
  ],
  [
    "content_block_start",
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ],
]
  .map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  .join("");
const MESSAGES_FRAME = `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "word " } })}\n\n`;

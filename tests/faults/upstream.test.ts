import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, keyMoney, logEntry, requestIdOf } from "@/tests/support/gateway-fixtures";
import { frame, head, type RawUpstream, STOP, startRawUpstream, whole, word } from "./support/raw-upstream";
import { Rig } from "./support/rig";

const SECRET = "sk-upstream-0123456789abcdef";
const SSE = head("200 OK", "text/event-stream");
const JSON_HEAD = head("200 OK", "application/json");
const USAGE = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 };
const usageFrame = (usage: unknown) => frame({ choices: [], usage });
const redirect = "location: http://169.254.169.254/latest\r\ncontent-length: 0\r\n";
const manyHeaders = Array.from({ length: 10_000 }, (_, index) => `x-h${index}: 1\r\n`).join("");

/** An answer in pieces, after which come headers. */
function trailed(body: string): string {
  const pieces = "transfer-encoding: chunked\r\ntrailer: x-late\r\n";
  const size = Buffer.byteLength(body).toString(16);
  return `${head("200 OK", "application/json", pieces)}${size}\r\n${body}\r\n0\r\nx-late: ${SECRET}\r\nset-cookie: a=b\r\n\r\n`;
}

interface Kind {
  bytes: string | Buffer | ((socket: Socket) => void);
  stream?: boolean;
  status: number;
  /** In the answer. */
  text?: RegExp;
  /** Prompt and completion tokens that are billed; absent: nothing is. */
  billed?: [number, number] | "estimated";
}

/**
 * What a node may do, and what becomes of it. Source: docs/reliability.md#r-56, #r-57, #r-60, #r-61, #r-63, #r-64,
 * #r-65, #r-66, #r-67, #r-68, #r-69, #r-72, #r-73, #r-76.
 */
const kinds: Record<string, Kind> = {
  "sends a finish, no [DONE], and ends": {
    bytes: SSE + word("hello") + STOP + usageFrame(USAGE),
    stream: true,
    status: 200,
    text: /\[DONE\]/,
    billed: [1_000, 500],
  },
  "tells usage in its first frame only": {
    bytes: `${SSE + frame({ choices: [{ index: 0, delta: { content: "hello" } }], usage: USAGE }) + STOP}data: [DONE]\n\n`,
    stream: true,
    status: 200,
    text: /hello/,
    billed: [1_000, 500],
  },
  "tells usage on the frame that breaks its answer off": {
    bytes: `${SSE + word("hello")}${frame({ choices: [{ index: 0, delta: {}, finish_reason: "length" }], usage: USAGE })}data: [DONE]\n\n`,
    stream: true,
    status: 200,
    text: /"finish_reason":"length"/,
    billed: [1_000, 500],
  },
  "tells no usage in a stream": {
    bytes: `${SSE + word("hello") + STOP}data: [DONE]\n\n`,
    stream: true,
    status: 200,
    text: /hello[\s\S]*\[DONE\]/,
    billed: "estimated",
  },
  "says nothing and tells zero": {
    bytes: JSON_HEAD + whole({ prompt_tokens: 0, completion_tokens: 0 }, ""),
    status: 200,
    billed: [0, 0],
  },
  "tells an answer without a prompt": {
    bytes: JSON_HEAD + whole({ prompt_tokens: 0, completion_tokens: 500 }),
    status: 200,
    billed: "estimated",
  },
  "tells no usage": { bytes: JSON_HEAD + whole(undefined), status: 200, billed: "estimated" },
  "tells negative usage": {
    bytes: JSON_HEAD + whole({ prompt_tokens: -5, completion_tokens: -5 }),
    status: 200,
    billed: "estimated",
  },
  "tells usage beyond belief": {
    bytes: JSON_HEAD + whole({ prompt_tokens: 1e18, completion_tokens: 1e18 }),
    status: 200,
    billed: "estimated",
  },
  "tells usage in fractions and text": {
    bytes: JSON_HEAD + whole({ prompt_tokens: 1.5, completion_tokens: "12" }),
    status: 200,
    billed: "estimated",
  },
  "tells zero for work that was done": {
    bytes: JSON_HEAD + whole({ prompt_tokens: 0, completion_tokens: 0 }),
    status: 200,
    billed: "estimated",
  },
  "sends an error as its first frame": {
    bytes: `${SSE}data: {"error":{"message":"no, key ${SECRET}"}}\n\n`,
    stream: true,
    status: 502,
  },
  "ends at once after 200": { bytes: SSE, stream: true, status: 502 },
  "sends only [DONE]": { bytes: `${SSE}data: [DONE]\n\n`, stream: true, status: 502 },
  "sends garbage as its first frame": { bytes: `${SSE}data: {broken\n\n`, stream: true, status: 502 },
  "sends garbage among good frames": {
    bytes: `${SSE + word("hello")}data: {broken\n\n${word("x")}${STOP}data: [DONE]\n\n`,
    stream: true,
    status: 200,
    text: /data: \{"error"/,
  },
  "resets the connection in mid-stream": {
    bytes: (socket) =>
      socket.write(SSE + word("hello"), () => setTimeout(() => socket.resetAndDestroy(), 50)),
    stream: true,
    status: 200,
    text: /data: \{"error"/,
  },
  "sends one line of 100 MB": {
    bytes: (socket) => flood(socket, `${SSE}data: `, "y".repeat(64 * 1024), 1_600),
    stream: true,
    status: 502,
  },
  "answers with HTML": { bytes: `${head("200 OK", "text/html")}<html>it works</html>`, status: 502 },
  "cuts its JSON": { bytes: JSON_HEAD + whole(USAGE).slice(0, 60), status: 502 },
  "promises more bytes than it sends": {
    bytes: `${head("200 OK", "application/json", "content-length: 5000\r\n")}${whole(USAGE)}`,
    status: 502,
  },
  "answers with nothing": { bytes: JSON_HEAD, status: 502 },
  "sends JSON though a stream was asked": {
    bytes: JSON_HEAD + whole(USAGE),
    stream: true,
    status: 200,
    text: /hello[\s\S]*\[DONE\]/,
    billed: [1_000, 500],
  },
  "sends a stream though none was asked": {
    bytes: `${SSE + word("hello") + STOP + usageFrame(USAGE)}data: [DONE]\n\n`,
    status: 200,
    text: /"content":"hello"/,
    billed: [1_000, 500],
  },
  "sends half a stream though none was asked": { bytes: SSE + word("hello"), status: 502 },
  "adds trailers": {
    bytes: trailed(whole(USAGE)),
    status: 200,
    text: /"content":"hello"/,
    billed: [1_000, 500],
  },
  "counts in words that are no JSON": {
    bytes: JSON_HEAD + whole("NUMBER").replace('"NUMBER"', '{"prompt_tokens":NaN}'),
    status: 502,
  },
  "redirects to the metadata address": {
    bytes: head("307 Temporary Redirect", "text/plain", redirect),
    status: 502,
  },
  "sends a gzip bomb": {
    bytes: Buffer.concat([
      Buffer.from(head("200 OK", "application/json", "content-encoding: gzip\r\n")),
      gzipSync(Buffer.alloc(50_000_000)),
    ]),
    status: 502,
  },
  "sends 10,000 headers": {
    bytes: head("200 OK", "application/json", manyHeaders) + whole(USAGE),
    status: 502,
  },
  "says 100 Continue though nobody waits for it": {
    bytes: `HTTP/1.1 100 Continue\r\n\r\n${JSON_HEAD}${whole(USAGE)}`,
    status: 200,
    billed: [1_000, 500],
  },
  "says 100 Continue long before its answer": {
    bytes: (socket) =>
      socket.write("HTTP/1.1 100 Continue\r\nx-note: go on\r\n\r\n", () =>
        setTimeout(() => socket.end(JSON_HEAD + whole(USAGE)), 300),
      ),
    status: 200,
    billed: [1_000, 500],
  },
  "speaks HTTP/1.0": {
    bytes: (JSON_HEAD + whole(USAGE)).replace("HTTP/1.1", "HTTP/1.0"),
    status: 200,
    billed: [1_000, 500],
  },
  "sends frames cut at every byte": {
    bytes: (socket) =>
      drip(
        socket,
        Buffer.from(`${SSE + word("dès 漢字 😀 hello") + STOP + usageFrame(USAGE)}data: [DONE]\n\n`),
      ),
    stream: true,
    status: 200,
    text: /dès 漢字 😀 hello/,
    billed: [1_000, 500],
  },
  "uses CRLF, comments and a BOM": {
    bytes: `${SSE}\ufeff: hi\r\n\r\n${(word("hello") + STOP + usageFrame(USAGE)).replaceAll("\n", "\r\n")}data: [DONE]\r\n\r\n`,
    stream: true,
    status: 200,
    text: /hello/,
    billed: [1_000, 500],
  },
};
const names = Object.keys(kinds);

let upstream: RawUpstream;
let rig: Rig;
beforeAll(async () => {
  upstream = await startRawUpstream((socket, model) => {
    const bytes = kinds[names[Number(model.slice(1))] ?? ""]?.bytes ?? "";
    if (typeof bytes === "function") bytes(socket);
    else socket.end(bytes);
  });
  const nodes = names.map((_, index) => ({ name: `n${index}`, url: upstream.url, apiKey: SECRET }));
  rig = await Rig.start({
    database: "embedded",
    nodes,
    models: names.map((_, index) => ({
      alias: `kind-${index}`,
      contextWindow: 10_000,
      routes: [[`n${index}`, `k${index}`]],
    })),
  });
});
afterAll(async () => {
  await rig.stop();
  await upstream.close();
});

describe("a node that", () => {
  test.each(Object.entries(kinds))("%s", async (name, kind) => {
    const user = await rig.gateway.key();
    const index = names.indexOf(name);
    const body = chatBody(`kind-${index}`, { stream: kind.stream === true, max_tokens: 1_000 });
    const asked = rig.server.gateway("/v1/chat/completions", user.key, body);
    const begun = performance.now();
    expect((await fetch(`${rig.server.url}/api/health/live`)).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(1_000);
    const answer = await asked;
    const text = await answer.text();
    expect([answer.status, text.slice(0, 300)]).toEqual([kind.status, expect.anything()]);
    if (kind.text) expect(text).toMatch(kind.text);
    if (kind.status !== 200) expect(JSON.parse(text)).toMatchObject({ error: { code: "UPSTREAM_ERROR" } });
    for (const secret of [SECRET, "127.0.0.1", "169.254", `"k${index}"`, ".ts:", "node_modules"])
      expect(text).not.toContain(secret);
    expect(upstream.calls.get(`k${index}`)).toBe(1);
    const entry = await logEntry(rig.server, user, requestIdOf(answer));
    if (kind.billed === undefined) expect(entry.cost).toBe("0");
    else if (kind.billed === "estimated") {
      expect(entry.usageSource).toBe("estimated");
      expect(Number(entry.cost)).toBeGreaterThan(0);
      expect(Number(entry.cost)).toBeLessThan(0.2);
    } else expect([entry.promptTokens, entry.completionTokens]).toEqual(kind.billed);
    const money = await keyMoney(rig.server, user);
    expect([money.held, money.usedQuota]).toEqual([0, Number(entry.cost)]);
  });
});

function flood(socket: Socket, begin: string, piece: string, times: number): void {
  socket.write(begin);
  let left = times;
  const write = () => {
    while (left > 0 && !socket.destroyed) {
      left -= 1;
      if (!socket.write(piece)) return;
    }
    if (left === 0) socket.end("\n\n");
  };
  socket.on("drain", write);
  write();
}

function drip(socket: Socket, bytes: Buffer): void {
  socket.setNoDelay(true);
  let at = 0;
  const timer = setInterval(() => {
    if (at < bytes.length && !socket.destroyed) socket.write(bytes.subarray(at, ++at));
    else {
      clearInterval(timer);
      socket.end();
    }
  }, 1);
}

import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CallableNode, callNode } from "@/lib/upstream/call-node";
import { Cancellation } from "@/lib/upstream/cancellation";
import { Pools } from "@/lib/upstream/pools";
import type { UpstreamAnswer } from "@/lib/upstream/upstream-answer";
import { version } from "@/package.json";

const CALLS = 20;

let pools: Pools;
let server: Server;
/** Connections that were ever made, and that are open now. */
let made: number;
let open: number;
/** The node ends its answers, or never does. */
let endless: boolean;
/** Of the latest request. */
let userAgent: string | undefined;

beforeEach(async () => {
  [made, open, endless] = [0, 0, true];
  pools = new Pools({ https: null, http: null, noProxy: "" });
  server = createServer((request, response) => {
    userAgent = request.headers["user-agent"];
    response.writeHead(200).write("first");
    if (!endless) response.end();
  });
  server.on("connection", (socket) => {
    made += 1;
    open += 1;
    socket.on("close", () => {
      open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  await pools.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function node(): CallableNode {
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a path
  const timeouts = { connectMs: 5_000, firstByteMs: 5_000, responseMs: 5_000, idleMs: 5_000, totalMs: 5_000 };
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    id: "n",
    protocol: "chat",
    provider: null,
    baseUrl,
    headers: {},
    proxy: null,
    ca: null,
    timeouts,
    apiKey: null,
    access: null,
    credentialHeader: "authorization",
    guarded: false,
    direct: false,
  };
}

function call(signal: Cancellation) {
  return callNode(pools, node(), {
    path: "/chat/completions",
    body: "{}",
    headers: {},
    stream: true,
    signal,
    headersWithinMs: 5_000,
  });
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !condition(); tries++) await sleep(10);
  expect(condition()).toBe(true);
}

test("calls that are given up close their connections, and dial no node anew", async () => {
  const gone = new Cancellation();
  const answers = await Promise.all(Array.from({ length: CALLS }, () => call(gone)));
  expect([made, open]).toEqual([CALLS, CALLS]);
  gone.abort();
  for (const answer of answers) await expect(answer.text(100)).rejects.toMatchObject({ kind: "aborted" });
  await until(() => open === 0);
  endless = false;
  await (await call(new Cancellation())).text(100);
  expect(made).toBe(CALLS + 1);
});

test("a node is called again after calls to it were given up, and its connection is kept for the next call", async () => {
  const gone = new Cancellation();
  await call(gone);
  gone.abort();
  endless = false;
  for (let times = 0; times < 3; times++) {
    const answer = await call(new Cancellation());
    expect([answer.status, await answer.text(100)]).toEqual([200, "first"]);
    await sleep(50); // a connection is free some turns of the loop after its answer
  }
  expect(made).toBe(2);
});

test("a call that is given up before its connection stands is not sent", async () => {
  const gone = new Cancellation();
  const calling = call(gone);
  gone.abort();
  await expect(calling).rejects.toMatchObject({ kind: "aborted" });
  endless = false;
  const answer = await call(new Cancellation());
  expect(await answer.text(100)).toBe("first");
});

/** Source: docs/reliability.md#r-137. */
test("a guarded node is not dialled through a proxy inside, by address or by name", async () => {
  for (const proxy of ["http://127.0.0.1:9", "http://localhost:9"]) {
    const given = { path: "/", body: "{}", headers: {}, stream: true, headersWithinMs: 5_000 };
    const guarded = { ...node(), id: proxy, baseUrl: "https://api.example.com", proxy, guarded: true };
    await expect(callNode(pools, guarded, { ...given, signal: new Cancellation() })).rejects.toThrow(
      /private address/,
    );
  }
  expect(made).toBe(0);
});

test("a body that grows beyond the bound of a whole answer is refused and its connection closed", async () => {
  endless = true;
  const answer = await call(new Cancellation());
  await expect(answer.text(4)).rejects.toMatchObject({ kind: "broken", message: /exceeds 4 bytes/ });
  await until(() => open === 0);
});

/** What a reader gets from now on: the bytes as text, then how they ended. */
function readAll(answer: UpstreamAnswer): Promise<{ text: string; end: string }> {
  return new Promise((resolve) => {
    let text = "";
    answer.read({
      take: (chunk) => {
        if (chunk === null) resolve({ text, end: "complete" });
        else text += chunk.toString();
      },
      fail: ({ kind }) => resolve({ text, end: kind }),
    });
  });
}

test("what arrived before a connection broke is read before the break is told", async () => {
  const answer = await call(new Cancellation());
  await sleep(20);
  server.closeAllConnections();
  await until(() => open === 0);
  expect(await readAll(answer)).toEqual({ text: "first", end: "broken" });
});

test("bytes that came while nobody read are read first, however many wait behind them", async () => {
  const sent = Array.from({ length: 200_000 }, (_, n) => `${n};`).join("");
  server.removeAllListeners("request");
  server.on("request", (_request, response) => response.end(sent));
  const answer = await call(new Cancellation());
  await sleep(20);
  expect(await readAll(answer)).toEqual({ text: sent, end: "complete" });
});

test.each(["ends", "resets"])(
  "a node that %s its connection, and its answer with it, in a pause",
  async (how) => {
    server.removeAllListeners("request");
    server.on("request", ({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\none");
      setTimeout(() => (how === "ends" ? socket.end() : socket.resetAndDestroy()), 50);
    });
    const answer = await call(new Cancellation());
    const ended = new Promise<string>((resolve) => {
      let text = "";
      const take = (chunk: Buffer | null) => {
        if (chunk === null) return resolve(`${text}, complete`);
        text += chunk.toString();
        answer.pause();
      };
      answer.read({ take, fail: ({ kind }) => resolve(`${text}, ${kind}`) });
    });
    await sleep(150);
    answer.resume();
    expect(await ended).toBe(how === "ends" ? "one, complete" : "one, broken");
  },
);

test("a reader that pauses gets nothing until it resumes, and one that stops leaves the rest to the next", async () => {
  const sent: ServerResponse[] = [];
  server.removeAllListeners("request");
  server.on("request", (_request, response) => {
    response.write("one");
    sent.push(response);
  });
  const answer = await call(new Cancellation());
  const taken: string[] = [];
  const first = new Promise<void>((resolve) => {
    const take = (chunk: Buffer | null) => {
      taken.push(String(chunk));
      answer.pause();
      resolve();
    };
    answer.read({ take, fail: () => {} });
  });
  await first;
  await new Promise<void>((resolve) => sent[0]?.end("two", resolve));
  await sleep(20);
  expect(taken).toEqual(["one"]);
  answer.stopReading();
  expect(await readAll(answer)).toEqual({ text: "two", end: "complete" });
});

/** Source: docs/protocols.md#s14. */
test("a node learns the gateway's version", async () => {
  endless = false;
  await (await call(new Cancellation())).text(100);
  expect(userAgent).toBe(`tollgate/${version}`);
});

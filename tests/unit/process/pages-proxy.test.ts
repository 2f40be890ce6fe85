import { mkdtempSync, rmSync } from "node:fs";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PagesProxy } from "@/lib/process/pages-proxy";
import { rawCall } from "@/tests/support/raw-http";

const LARGE = Buffer.alloc(8 * 1024 * 1024, "x");

let directory: string;
let socketPath: string;
let pages: Server;
let front: Server;
let url: string;
let proxy: PagesProxy;
let ready: () => Promise<boolean>;
let unavailable: number;
let failures: [path: string, status: number][];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), "proxy-"));
  socketPath = path.join(directory, "pages.sock");
  answer = (_request, response) => response.end("page");
  ready = async () => true;
  pages = await listening(
    createServer((request, response) => answer(request, response)),
    socketPath,
  );
  unavailable = 0;
  failures = [];
  proxy = new PagesProxy({
    socketPath,
    process: { ready: () => ready() },
    onUnavailable: () => {
      unavailable += 1;
    },
    onFailure: (failedPath, status) => failures.push([failedPath, status]),
  });
  front = createServer((request, response) => {
    void proxy.serve(request, response, {
      request: [["x-tollgate-client-ip", "192.0.2.7"]],
      response: [["x-frame-options", "DENY"]],
    });
  });
  front.on("upgrade", (request, socket, head) => proxy.upgrade(request, socket, head));
  await listening(front, 0);
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`; // a TCP server has a port
});
afterEach(() => {
  proxy.close();
  for (const server of [front, pages]) {
    server.close();
    server.closeAllConnections();
  }
  rmSync(directory, { recursive: true });
});

function listening(server: Server, where: string | number): Promise<Server> {
  return new Promise((resolve) => server.listen(where, () => resolve(server)));
}

/** The headers with which the next request reaches the pages. */
function nextHeaders(): Promise<IncomingHttpHeaders> {
  return new Promise((resolve) => {
    answer = (request, response) => {
      resolve(request.headers);
      response.end();
    };
  });
}

test("what the gateway process says of a request counts, whatever the client says of it", async () => {
  const seen = nextHeaders();
  await rawCall(url, {
    method: "GET",
    path: "/login",
    headers: {
      "x-tollgate-client-ip": "203.0.113.9",
      connection: "x-tollgate-client-ip, x-own",
      "x-own": "1",
      te: "trailers",
      cookie: "a=b",
    },
  });
  const headers = await seen;
  expect(headers["x-tollgate-client-ip"]).toBe("192.0.2.7");
  expect([headers["x-own"], headers.te, headers.cookie]).toEqual([undefined, undefined, "a=b"]);
});

test("its headers go over those of the page, and cookies stay apart", async () => {
  answer = (_request, response) => {
    response.setHeader("x-frame-options", "ALLOW");
    response.setHeader("set-cookie", ["a=1", "b=2"]);
    response.setHeader("connection", "close");
    response.end("page");
  };
  const { headers } = await fetch(url);
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(headers.get("connection")).toBe("keep-alive");
});

test("HEAD and 304 keep the length and have no body", async () => {
  answer = (request, response) => {
    if (request.headers["if-none-match"]) response.writeHead(304, { etag: '"1"' }).end();
    else response.writeHead(200, { "content-length": 4 }).end(request.method === "HEAD" ? "" : "page");
  };
  const head = await fetch(url, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "4", ""]);
  const unchanged = await rawCall(url, { method: "GET", path: "/", headers: { "if-none-match": '"1"' } });
  expect([unchanged.status, unchanged.body]).toEqual([304, ""]);
});

test("large files and bodies pass in pieces, over connections that are used again", async () => {
  const connections = new Set<unknown>();
  answer = (request, response) => {
    connections.add(request.socket);
    if (request.method === "GET") response.end(LARGE);
    else request.pipe(response);
  };
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(LARGE.length);
  const echoed = await fetch(url, { method: "POST", body: LARGE });
  expect((await echoed.arrayBuffer()).byteLength).toBe(LARGE.length);
  expect(connections.size).toBe(1);
});

test("the first piece of a page arrives before its last one is made", async () => {
  let finish = () => {};
  answer = (_request, response) => {
    response.write("first");
    finish = () => response.end("last");
  };
  const response = await fetch(url);
  const reader = response.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("first");
  finish();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("last");
});

test("a client that leaves ends the work on its page", async () => {
  const left = new Promise<void>((resolve) => {
    answer = (_request, response) => {
      response.write("first");
      response.once("close", () => resolve());
    };
  });
  const leaving = new AbortController();
  await fetch(url, { signal: leaving.signal });
  leaving.abort();
  await left;
});

test("a page that breaks off looks broken", async () => {
  answer = (_request, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write("first");
    setTimeout(() => response.destroy(), 20);
  };
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
});

test("a page whose process dies before it answers comes from the next process", async () => {
  let calls = 0;
  answer = (request, response) => {
    calls += 1;
    if (calls === 1) request.socket.destroy();
    else response.end("second");
  };
  expect(await (await fetch(url)).text()).toBe("second");
  expect(calls).toBe(2);
});

test("a request with a body is never sent twice", async () => {
  let calls = 0;
  answer = (request) => {
    calls += 1;
    request.socket.destroy();
  };
  expect((await fetch(url, { method: "POST", body: "x" })).status).toBe(503);
  expect(calls).toBe(1);
});

test("without a process there is a small page that says when to come back", async () => {
  ready = async () => false;
  const response = await fetch(url);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("2");
  expect([unavailable, failures]).toEqual([1, []]);
  expect(response.headers.get("x-frame-options")).toBe("DENY");
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await response.text()).toContain("The pages are starting");
});

test("upgrades pass both ways", async () => {
  pages.on("upgrade", (_request, socket, head) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: test\r\n\r\n");
    socket.unshift(head);
    socket.on("data", (bytes: Buffer) => socket.write(`echo ${bytes}`));
  });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let text = "";
  const hears = (wanted: string) =>
    new Promise<void>((resolve) => {
      socket.on("data", () => text.includes(wanted) && resolve());
    });
  socket.on("data", (bytes) => {
    text += bytes;
  });
  socket.write("GET /_next/hmr HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: test\r\n\r\nearly");
  await hears("echo early");
  socket.write("later");
  await hears("echo later");
  expect(text).toMatch(/^HTTP\/1\.1 101 /);
  socket.destroy();
});

test.each([
  ["/console/?period=7d", "/console?period=7d"],
  ["/models//", "/models"],
  ["//example.com/", "/example.com"],
])("%s is redirected to the page on this host, %s", async (from, to) => {
  const redirect = await fetch(`${url}${from}`, { redirect: "manual" });
  expect([redirect.status, redirect.headers.get("location")]).toEqual([308, to]);
});

test.each(["/", "/?a=/", "/models", "/\\example.com/"])("%s is passed on as it is", async (path) => {
  expect(await rawCall(url, { method: "GET", path })).toMatchObject({ status: 200, body: "page" });
});

test("a page that fails is told with its path, without its query", async () => {
  answer = (_request, response) => response.writeHead(500).end("failed");
  expect((await fetch(`${url}/console/usage?q=secret`)).status).toBe(500);
  expect([unavailable, failures]).toEqual([0, [["/console/usage", 500]]]);
});

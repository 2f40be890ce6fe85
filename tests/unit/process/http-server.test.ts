import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GatewayError } from "@/lib/kernel/errors";
import { createHttpServer, type RequestHandlers } from "@/lib/process/http-server";

const STALLED_MS = 300;
/** Far longer than a crowded machine keeps a reader from reading. */
const PATIENT_MS = 2_000;
/** More than the kernel buffers of a loopback connection take. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, "x");

let lanes: RequestHandlers;
let server: Server;
let port: number;
let signInRefusal: GatewayError | null;
let refused: string[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
beforeEach(async () => {
  const serve = async (request: IncomingMessage, response: ServerResponse) => answer(request, response);
  const failed = (error: unknown) => {
    throw error;
  };
  signInRefusal = null;
  refused = [];
  lanes = {
    gateway: serve,
    metrics: serve,
    api: serve,
    pages: serve,
    failed,
    refused: (error: GatewayError) => refused.push(error.code),
    signInRefusal: () => signInRefusal,
  };
  await listen(STALLED_MS);
});
afterEach(() => close());

/** Starts the server with this bound on clients that do not read. */
async function listen(stalledMs: number): Promise<void> {
  server = createHttpServer(lanes, stalledMs);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port; // a TCP server has a port
}

function close(): void {
  server.close();
  server.closeAllConnections();
}

/** A request whose answer is not read until somebody listens. */
function call(): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n");
  return socket.pause();
}

/** Everything that still comes. Units: bytes. */
async function readAll(socket: Socket): Promise<number> {
  let size = 0;
  for await (const bytes of socket) size += bytes.length;
  return size;
}

describe("a client", () => {
  test("that does not read its answer is cut off", async () => {
    const closed = new Promise<number>((resolve) => {
      answer = (_request, response) => {
        const begun = performance.now();
        response.on("close", () => resolve(performance.now() - begun));
        response.end(LARGE);
      };
    });
    const socket = call();
    expect(await closed).toBeGreaterThanOrEqual(STALLED_MS);
    expect(await readAll(socket)).toBeLessThan(LARGE.length);
  });

  test("that reads slowly gets all of it, though that takes twice as long as one may read nothing", async () => {
    close();
    await listen(PATIENT_MS);
    answer = (_request, response) => {
      response.setHeader("connection", "close");
      response.end(LARGE);
    };
    const socket = call();
    const begun = performance.now();
    let size = 0;
    const ended = new Promise((resolve) => socket.once("close", resolve));
    socket.on("data", (bytes) => {
      size += bytes.length;
      socket.pause();
      const dueMs = (2 * PATIENT_MS * size) / LARGE.length;
      setTimeout(() => socket.resume(), Math.max(0, begun + dueMs - performance.now()));
    });
    socket.resume();
    await ended;
    expect(size).toBeGreaterThan(LARGE.length);
  });

  test("that waits for an answer is not cut off, however long that takes", async () => {
    answer = (_request, response) => {
      response.writeHead(200);
      response.write("first ");
      setTimeout(() => response.end("second"), 5 * STALLED_MS);
    };
    const text = await (await fetch(`http://127.0.0.1:${port}/v1/models`)).text();
    expect(text).toBe("first second");
  });

  test("that has its answer keeps its connection for the next request", async () => {
    answer = (_request, response) => response.end("ok");
    const socket = call();
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes;
    });
    socket.resume();
    await sleep(4 * STALLED_MS);
    expect(socket.destroyed).toBe(false);
    socket.write("GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n");
    await expect.poll(() => text.match(/200 OK/g)).toHaveLength(2);
    socket.destroy();
  });
});

describe("while as many sign in as can wait", () => {
  const post = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body: "{}" });

  test("others are told when to come back, before anything is done for them", async () => {
    answer = (_request, response) => response.end("signed in");
    signInRefusal = new GatewayError("RATE_LIMITED", "Too many sign-ins.", { retryAfterSeconds: 2 });
    for (const path of ["/api/user/login", "/api/user/register"]) {
      const answer = await post(path);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "2"]);
      expect(await answer.json()).toMatchObject({
        error: {
          code: "RATE_LIMITED",
          type: "rate_limit_error",
          message: expect.stringContaining("sign-ins"),
        },
      });
    }
    expect(refused).toEqual(["RATE_LIMITED", "RATE_LIMITED"]);
    expect(await (await post("/api/user/tokens")).text()).toBe("signed in");
    signInRefusal = null;
    expect(await (await post("/api/user/login")).text()).toBe("signed in");
  });
});

test("a crowd of visitors comes in a few a turn; calls and questions for health do not wait behind it", async () => {
  const served: string[] = [];
  answer = (request) => served.push(request.url ?? "");
  const come = (url: string) =>
    server.emit("request", { url, method: "GET", headers: {}, rawHeaders: ["host", "x"], socket: {} }, {});
  const crowd = Array.from({ length: 40 }, (_, index) => `/api/user/stats?at=${index}`);
  for (const url of [...crowd, "/api/health/live", "/v1/models"]) come(url);
  expect(served).toEqual(["/api/health/live", "/v1/models"]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(served.length).toBeLessThan(10);
  while (served.length < 42) await new Promise((resolve) => setImmediate(resolve));
  expect(served.slice(2)).toEqual(crowd);
});

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BodyWriter } from "@/lib/kernel/body-writer";

const PIECES = ["data: one\n\n", "", "data: é北🌏\n\n", "x".repeat(100_000), "data: [DONE]\n\n"];
const BODY = PIECES.join("");

let take: (response: ServerResponse) => void;
const server = createServer((_request, response) => take(response));

beforeEach(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

function send(...requests: string[]): Socket {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1"); // a TCP server's address is never a path
  socket.write(requests.map((request) => `${request}\r\n\r\n`).join(""));
  return socket;
}

async function allOf(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part);
  return Buffer.concat(parts);
}

/** The body of the response that begins at an offset, and the offset behind it. */
function readChunked(bytes: Buffer, from = 0): { body: string; end: number } {
  let at = bytes.indexOf("\r\n\r\n", from) + 4;
  const chunks: Buffer[] = [];
  for (;;) {
    const line = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, line), 16);
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    expect(bytes.toString("latin1", line + 2 + size, line + 4 + size)).toBe("\r\n");
    at = line + 4 + size;
    if (size === 0) return { body: Buffer.concat(chunks).toString(), end: at };
  }
}

async function writeAll(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const writer = new BodyWriter(response);
  for (const piece of PIECES) await writer.write(piece);
  response.end();
}

test("a streamed body arrives byte by byte as it was written, whatever its characters", async () => {
  take = (response) => void writeAll(response);
  const bytes = await allOf(send("GET / HTTP/1.1\r\nhost: x\r\nconnection: close"));
  expect(readChunked(bytes).body).toBe(BODY);
});

test("a client of HTTP/1.0 gets the body without chunks", async () => {
  take = (response) => void writeAll(response);
  const bytes = await allOf(send("GET / HTTP/1.0"));
  expect(bytes.toString().split("\r\n\r\n")[1]).toBe(BODY);
});

test("a body that begins while an earlier response of its connection is open comes after that one", async () => {
  const open: ServerResponse[] = [];
  take = (response) => {
    open.push(response);
    if (open.length === 2) open.reverse().forEach((each) => void writeAll(each));
  };
  const first = "GET /1 HTTP/1.1\r\nhost: x";
  const bytes = await allOf(send(first, `${first}\r\nconnection: close`));
  const { body, end } = readChunked(bytes);
  expect([body, readChunked(bytes, end).body]).toEqual([BODY, BODY]);
});

/** More than the buffers of both sides of a connection take. */
const LARGE = "x".repeat(32 * 1_024 * 1_024);

/** A writer whose client has not read what was written, and its wait. */
function stalled(): Promise<{ writer: BodyWriter; waits: Promise<void> | null }> {
  return new Promise((resolve) => {
    take = (response) => {
      const writer = new BodyWriter(response);
      writer.write("head");
      resolve({ writer, waits: writer.write(LARGE) });
    };
  });
}

test("a writer waits for a client that does not read, and goes on when it reads again", async () => {
  const waiting = stalled();
  const socket = send("GET / HTTP/1.1\r\nhost: x").pause();
  const { writer, waits } = await waiting;
  expect([writer.isWaiting, waits]).toEqual([true, expect.any(Promise)]);
  socket.resume();
  await waits;
  expect(writer.isWaiting).toBe(false);
});

test("a client that takes nothing is disconnected, also while little waits for it; one that waits itself is not", async () => {
  const taken = new Promise<ServerResponse>((resolve) => {
    take = resolve;
  });
  const socket = send("GET / HTTP/1.1\r\nhost: x").pause();
  const response = await taken;
  const writer = new BodyWriter(response);
  writer.write("head");
  await sleep(10);
  writer.limitWait(50);
  await sleep(100);
  expect(response.destroyed).toBe(false);
  while (response.socket?.writableLength === 0) {
    writer.write("x".repeat(12_000));
    await sleep(0);
  }
  expect(writer.isWaiting).toBe(false);
  writer.limitWait(50);
  await vi.waitFor(() => expect(response.destroyed).toBe(true));
  socket.destroy();
});

test("a writer waits no longer for a client that has left, and writes nothing more", async () => {
  const waiting = stalled();
  const socket = send("GET / HTTP/1.1\r\nhost: x").pause();
  const { writer, waits } = await waiting;
  socket.destroy();
  await waits;
  expect(writer.write("more")).toBeNull();
});

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type SocketBounds, socketBounds } from "@/lib/gateway/websocket/bounds";
import { ClientSockets } from "@/lib/gateway/websocket/client-sockets";
import { handshakes } from "@/lib/gateway/websocket/handshake";
import { SECOND_MS } from "@/lib/kernel/durations";
import { takeUpgrades } from "@/lib/process/upgrades";
import { openSocket, RefusedHandshake, SocketClient } from "../../support/socket-client";
import type { FakeNode } from "./fake-node";
import { GenerationRig, settled } from "./generation-rig";

let rig: GenerationRig;
let server: Server;
let closes: number[];
let sockets: ClientSockets;

/** Serves sockets of a rig with some other bounds. */
async function serve(changes: Partial<SocketBounds> = {}): Promise<{ ageMs: number }> {
  rig = new GenerationRig(["chat"], { maxOutputTokens: 50_000_000, contextWindow: null });
  const codes: number[] = [];
  closes = codes;
  const { gateway } = rig;
  const counted = { socketRefused: () => {}, socketClosed: (code: number) => codes.push(code) };
  const parts = { ...gateway, metrics: { ...gateway.metrics, ...counted } };
  const bounds = { ...socketBounds, ...changes };
  sockets = new ClientSockets(parts, bounds);
  takeUpgrades(server, { handshake: handshakes(parts, sockets, { bounds, trustProxy: 0 }), pages: null });
  return bounds;
}

beforeEach(async () => {
  server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  for (const { socket } of opened.splice(0)) socket.terminate();
  server.removeAllListeners("upgrade");
  server.close();
  server.closeAllConnections();
});

function url(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const opened: SocketClient[] = [];

async function open(): Promise<SocketClient> {
  const socket = await openSocket(url(), rig.secret);
  opened.push(socket);
  return socket;
}

const chunk = (fields: object) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", ...fields })}\n\n`;
const delta = (content: string) =>
  chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const END = `${chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}${chunk({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 } })}data: [DONE]\n\n`;

/** Begins a turn and its answer. */
async function begin(socket: SocketClient, fields: Record<string, unknown> = {}): Promise<FakeNode> {
  const dialled = rig.dialled();
  socket.create({ model: "alias", input: "Hi", store: false, ...fields });
  const node = await dialled;
  node.open();
  node.send(delta("Hello"));
  await socket.next(({ type }) => type === "response.output_text.delta");
  return node;
}

function finish(node: FakeNode): void {
  node.send(END);
  node.end();
}

/** Source: docs/websocket.md#bounds. */
describe("a socket without a turn and without a message", () => {
  test("is closed after the bound, one with a turn is not", async () => {
    await serve({ idleMs: 10 * SECOND_MS });
    const [idle, busy] = [await open(), await open()];
    const node = await begin(busy);
    await rig.skip(8 * SECOND_MS);
    expect([idle.socket.readyState, busy.socket.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
    await rig.skip(3 * SECOND_MS);
    expect(await idle.closed).toBe(1001);
    finish(node);
    expect((await busy.next(({ type }) => type === "response.completed")).type).toBe("response.completed");
    expect(busy.socket.readyState).toBe(WebSocket.OPEN);
    expect(sockets.size).toBe(1);
  });
});

describe("pings", () => {
  test("are sent every half minute; a client that answers none for a minute is disconnected", async () => {
    await serve();
    const socket = await open();
    const silent = new SocketClient(
      new WebSocket(`${url()}/v1/responses`, { headers: { "x-api-key": rig.secret }, autoPong: false }),
    );
    await once(silent.socket, "open");
    const pinged = [once(socket.socket, "ping"), once(silent.socket, "ping")];
    await rig.skip(31 * SECOND_MS);
    await Promise.all(pinged);
    // The answers arrive before the next look.
    await answersRead();
    await rig.skip(61 * SECOND_MS);
    expect(await silent.closed).toBe(1006);
    expect(socket.socket.readyState).toBe(WebSocket.OPEN);
  });

  test("of a client that reads nothing are not answered without bound", async () => {
    await serve();
    const socket = await open();
    socket.socket.pause();
    const payload = Buffer.alloc(125);
    const sent = new Promise<void>((resolve) => {
      for (let ping = 0; ping < 100_000; ping += 1) socket.socket.ping(payload);
      socket.socket.ping(payload, true, () => resolve());
    });
    await sent;
    const other = await open();
    finish(await begin(other));
    await other.next(({ type }) => type === "response.completed");
    expect(closes).toEqual([]);
    socket.socket.terminate();
  });
});

/** Resolves when the server has read what clients have sent by now. */
async function answersRead(): Promise<void> {
  const probe = await open();
  probe.send({ type: "probe" });
  await probe.next(({ type }) => type === "error");
  await probe.close();
}

describe("a message", () => {
  test("that does not arrive whole within half a minute ends the socket", async () => {
    await serve();
    const socket = await open();
    socket.socket.send('{"type":', { fin: false });
    await answersRead();
    await rig.skip(SECOND_MS);
    await rig.skip(31 * SECOND_MS);
    expect(await socket.closed).toBe(1008);
  });

  test("in very many pieces ends the socket", async () => {
    await serve();
    const socket = await open();
    for (let piece = 0; piece <= 16 * 1024; piece += 1) socket.socket.send(" ", { fin: false });
    expect(await socket.closed).toBe(1008);
  });
});

describe("a socket beyond its age", () => {
  test("begins no turn, tells so in OpenAI's words, and closes after its last turn", async () => {
    const bounds = await serve();
    const socket = await open();
    const node = await begin(socket, { stream_id: "a" });
    bounds.ageMs = 0;
    socket.create({ model: "alias", input: "Hi", stream_id: "b" });
    const refused = await socket.next(({ stream_id }) => stream_id === "b");
    expect(refused).toMatchObject({
      type: "error",
      status: 400,
      error: { code: "websocket_connection_limit_reached" },
    });
    finish(node);
    expect(await socket.next(({ type }) => type === "response.completed")).toMatchObject({ stream_id: "a" });
    expect(await socket.closed).toBe(1000);
    expect(rig.settlements).toHaveLength(1);
  });
});

/** Source: docs/websocket.md#drain. */
describe("a shutdown", () => {
  test("closes idle sockets at once and others after their turns, and refuses handshakes", async () => {
    await serve();
    const [idle, busy] = [await open(), await open()];
    const node = await begin(busy);
    rig.drain.begin();
    expect(await idle.closed).toBe(1012);
    const refused = await open().catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 426 });
    expect(refused).toBeInstanceOf(RefusedHandshake);
    busy.create({ model: "alias", input: "Hi", stream_id: "x" });
    expect(await busy.next(({ stream_id }) => stream_id === "x")).toMatchObject({
      type: "error",
      status: 503,
    });
    finish(node);
    await busy.next(({ type }) => type === "response.completed");
    expect(await busy.closed).toBe(1012);
    expect(rig.drain.inFlight).toBe(0);
  });

  test("tells turns that do not end in time that nothing is billed", async () => {
    await serve();
    const socket = await open();
    await begin(socket);
    rig.drain.begin();
    rig.drain.abort();
    expect(await socket.next(({ type }) => type === "response.failed")).toBeDefined();
    expect(await socket.closed).toBe(1012);
    expect(rig.settlements).toMatchObject([{ status: "interrupted", costMicroCents: 0n }]);
  });
});

describe("a client that stops reading", () => {
  test("is disconnected, and pays for what it asked for, after its turns have waited for it", async () => {
    await serve({ stalledMs: 300 });
    const socket = await open();
    const node = await begin(socket, { max_output_tokens: 50_000_000 });
    socket.socket.pause();
    const text = delta("x".repeat(64 * 1024));
    for (let piece = 0; piece < 400 && !node.isPaused; piece += 1) {
      node.send(text);
      await settled();
    }
    expect(node.isPaused).toBe(true);
    await expect.poll(() => closes, { timeout: 10_000 }).toEqual([1006]);
    await expect.poll(() => rig.settlements.length).toBe(1);
    expect(rig.settlements).toMatchObject([{ status: "cancelled" }]);
    expect(rig.drain.inFlight).toBe(0);
  });
});

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, keyMoney, logEntries, reconcile } from "@/tests/support/gateway-fixtures";
import type { TestUser } from "@/tests/support/server";
import { cheapestDatabase } from "@/tests/support/server-databases";
import { openSocket, type SocketClient, type SocketEvent } from "@/tests/support/socket-client";
import { Rig } from "./support/rig";

/** 1,000 tokens at 100 and 500 at 300 cents a million. Units: cents. */
const COST = 0.25;
const SOCKETS = 200;
const PER_KEY = 16;
const IDLE = 1_000;
const TURNS = 2_000;
const TURN_SOCKETS = 100;
/** What an idle socket may take of the process's memory. Units: bytes. */
const MOST_PER_SOCKET = 60 * 1_024;

let rig: Rig;
beforeAll(async () => {
  rig = await Rig.start({
    database: await cheapestDatabase(),
    models: [
      { alias: "quick", routes: [["chat", "sim-usage-1000-500"]] },
      { alias: "long", routes: [["chat", "sim-chunks-500+every-20ms+usage-1000-500"]] },
    ],
  });
});
afterAll(() => rig.stop());

/** Opens sockets, 16 for a key. */
async function openMany(count: number): Promise<{ user: TestUser; socket: SocketClient }[]> {
  const opened: { user: TestUser; socket: SocketClient }[] = [];
  while (opened.length < count) {
    const user = await rig.gateway.key();
    const sockets = Array.from({ length: Math.min(PER_KEY, count - opened.length) }, () =>
      openSocket(rig.server.url, user.key),
    );
    for (const socket of await Promise.all(sockets)) opened.push({ user, socket });
  }
  return opened;
}

const PAUSE_MS = 200;

/** Asks until the first event that fits: a crowded machine refuses some turns with 503, as it may. */
async function ask(
  socket: SocketClient,
  body: Record<string, unknown>,
  fits: (event: SocketEvent) => boolean,
): Promise<SocketEvent> {
  for (;;) {
    const from = socket.events.length;
    socket.create(body);
    const lane = body.stream_id;
    const event = await socket.next(
      (one) => one.stream_id === lane && (fits(one) || one.type === "error"),
      from,
    );
    if (event.type !== "error") return event;
    expect(event).toMatchObject({ status: 503 });
    await sleep(PAUSE_MS);
  }
}

const isComplete = ({ type }: SocketEvent) => type === "response.completed";

function residentBytes(): number {
  const status = readFileSync(`/proc/${rig.server.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024;
}

/** Source: docs/websocket.md#turns, docs/reliability.md#s2-7. */
describe("WebSockets", () => {
  test(`of ${SOCKETS} clients, killed in the middle of turns: what clients saw complete is billed once, the rest is not`, async () => {
    const opened = await openMany(SOCKETS);
    const done = new Map<string, number>();
    await Promise.all(
      opened.map(async ({ user, socket }, index) => {
        if (index % 2 === 0) return;
        await ask(socket, { model: "quick", input: "Hi", store: false }, isComplete);
        done.set(user.keyId, (done.get(user.keyId) ?? 0) + 1);
      }),
    );
    const long = { model: "long", input: "Go on.", stream_id: "long" };
    await Promise.all(opened.map(({ socket }) => ask(socket, long, ({ delta }) => delta !== undefined)));
    await rig.server.stop("SIGKILL");
    expect(new Set(await Promise.all(opened.map(({ socket }) => socket.closed)))).toEqual(new Set([1006]));
    await rig.restart();
    const users = new Map(opened.map(({ user }) => [user.keyId, user]));
    // Another process's holds are released some at a time.
    for (const user of users.values())
      await eventually(async () => ((await keyMoney(rig.server, user)).held === 0 ? true : null), 95_000);
    for (const user of users.values()) {
      const money = await rig.settledBooks(user);
      const billed = done.get(user.keyId) ?? 0;
      expect([user.keyId, money.usedQuota, money.held]).toEqual([user.keyId, billed * COST, 0]);
    }
  });

  test(`that are idle take little memory: ${IDLE} of them`, async ({ annotate }) => {
    // What the first sockets load is not counted.
    const first = await openMany(PER_KEY);
    const before = residentBytes();
    const opened = await openMany(IDLE);
    const perSocket = Math.round((residentBytes() - before) / IDLE);
    await annotate(`${(perSocket / 1_024).toFixed(1)} KiB of resident memory for an idle socket`);
    expect(perSocket).toBeLessThan(MOST_PER_SOCKET);
    const metrics = await (await fetch(`${rig.server.url}/metrics`)).text();
    expect(metrics).toMatch(new RegExp(`^tollgate_websockets_open ${IDLE + PER_KEY}$`, "m"));
    expect(metrics).toMatch(/^tollgate_websocket_remembered_bytes 0$/m);
    await Promise.all([...first, ...opened].map(({ socket }) => socket.close()));
  });

  test(`of ${TURN_SOCKETS} clients with ${TURNS} turns: the ledger is the sum of the receipts, and nothing stays`, async () => {
    const opened = await openMany(TURN_SOCKETS);
    await Promise.all(
      opened.map(async ({ socket }) => {
        let previous: string | undefined;
        for (let turn = 0; turn < TURNS / TURN_SOCKETS; turn += 1) {
          const goOn = previous === undefined ? {} : { previous_response_id: previous };
          const body = { model: "quick", input: `${turn}`, store: false, ...goOn };
          const last = await ask(socket, body, isComplete);
          previous = last.response?.id;
        }
      }),
    );
    await Promise.all(opened.map(({ socket }) => socket.close()));
    const users = new Map(opened.map(({ user }) => [user.keyId, user]));
    let used = 0;
    for (const user of users.values()) {
      const { usedQuota, held } = await keyMoney(rig.server, user);
      expect(held).toBe(0);
      used += usedQuota;
    }
    expect(used).toBeCloseTo(TURNS * COST, 6);
    const [user] = users.values();
    if (user !== undefined) expect((await logEntries(rig.server, user)).length).toBeGreaterThan(0);
    expect(await reconcile(rig.server)).toMatchObject({ ok: true, openHolds: 0, mismatches: [] });
    const metrics = await (await fetch(`${rig.server.url}/metrics`)).text();
    expect(metrics).toMatch(/^tollgate_websockets_open 0$/m);
    expect(metrics).toMatch(/^tollgate_websocket_remembered_bytes 0$/m);
  });
});

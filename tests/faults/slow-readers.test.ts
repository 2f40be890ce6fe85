import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, keyMoney, logEntries } from "@/tests/support/gateway-fixtures";
import { type ScriptedUpstream, startScriptedUpstream } from "@/tests/support/scripted-upstream";
import type { TestUser } from "@/tests/support/server";
import { FULL, heldMemory, openStreams, Rig } from "./support/rig";

/** Beyond some 250 the kernel has no room for what is on its way to them, and lets it trickle. */
const STREAMS = FULL ? 200 : 60;
const STREAMS_EACH = 20;
const STALLED_MS = 60_000;
/** What the process itself holds for a stream: pieces read from the node, text not yet taken by the client. */
const HELD_BYTES = 250 * 1024;
const FRAME = `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta: { content: "word ".repeat(20) }, finish_reason: null }] })}\n\n`;

let upstream: ScriptedUpstream;
let sentBytes = 0;
let open = 0;
let rig: Rig;
/** Each with its own account: a hold for ten million tokens is large. */
let users: TestUser[];
beforeAll(async () => {
  upstream = await startScriptedUpstream((response) => {
    open += 1;
    response.on("close", () => {
      open -= 1;
    });
    response.writeHead(200, { "content-type": "text/event-stream" });
    sendForEver(response);
  });
  rig = await Rig.start({
    database: "embedded",
    nodes: [{ name: "fast", url: upstream.url }],
    models: [
      { alias: "endless", maxOutputTokens: 10_000_000, routes: [["fast", "words"]] },
      { alias: "steady", routes: [["chat", "sim-chunks-20+every-50ms+usage-1000-500"]] },
    ],
  });
  users = await Promise.all(
    Array.from({ length: STREAMS / STREAMS_EACH }, async () => rig.server.key(await rig.server.user())),
  );
});
afterAll(async () => {
  await rig.stop();
  await upstream.close();
});

/** Source: docs/reliability.md#s2-10, #s2-11, #r-148. */
describe(`${STREAMS} clients that never read`, () => {
  const clients: Socket[] = [];
  let begunAt: number;
  afterAll(() => {
    for (const client of clients) client.destroy();
  });

  test("slow their nodes down to nothing, hold little memory, and hinder nobody else", async () => {
    const empty = await heldMemory(rig.server);
    begunAt = performance.now();
    // A crowd at once would be shed; what is shown is what those who are in hold.
    for (const { key } of users) {
      for (let index = 0; index < STREAMS_EACH; index++) clients.push(deafClient(rig.server.url, key));
      await eventually(async () => (open === clients.length ? true : null), 30_000);
    }
    const sent = await settledBytes();
    // Buffers are given back some time after their garbage was collected.
    const perStream = await eventually(async () => {
      const held = ((await heldMemory(rig.server)) - empty) / STREAMS;
      return held < HELD_BYTES ? held : null;
    }, 40_000);
    process.stdout.write(`memory per unread stream: ${Math.round(perStream / 1024)} KB of ${STREAMS}\n`);
    const { all } = await openStreams(rig.server, await rig.gateway.key(), "steady", 5);
    expect((await all).filter(({ terminal, broken }) => terminal && !broken)).toHaveLength(5);
    expect(sentBytes).toBe(sent);
  });

  test("are cut off after a minute: their nodes are let go, what came is billed, nothing stays held", async () => {
    expect(open).toBe(STREAMS);
    await eventually(async () => (open === 0 ? true : null), STALLED_MS + 30_000);
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(STALLED_MS);
    for (const user of users) {
      const { held, usedQuota } = await eventually(async () => {
        const money = await keyMoney(rig.server, user);
        return money.held === 0 ? money : null;
      });
      expect([held, usedQuota > 0]).toEqual([0, true]);
      const entries = (await logEntries(rig.server, user)).filter(({ model }) => model === "endless");
      expect(entries).toHaveLength(STREAMS_EACH);
      for (const { status, httpStatus, cost } of entries) {
        expect([status, httpStatus]).toEqual(["cancelled", 499]);
        expect(Number(cost)).toBeGreaterThan(0);
      }
      await rig.settledBooks(user);
    }
  });
});

/** Waits until the nodes can send no more. Units: bytes. */
async function settledBytes(): Promise<number> {
  return eventually(async () => {
    const before = sentBytes;
    await sleep(2_000);
    return before > 0 && before === sentBytes ? before : null;
  }, 45_000);
}

function deafClient(url: string, key: string): Socket {
  const body = JSON.stringify({
    model: "endless",
    stream: true,
    max_tokens: 10_000_000,
    messages: [{ role: "user", content: "Go on." }],
  });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => socket.destroy());
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  return socket.pause();
}

function sendForEver(response: ServerResponse): void {
  const write = () => {
    let more = true;
    while (more && !response.destroyed) {
      more = response.write(FRAME);
      sentBytes += FRAME.length;
    }
  };
  response.on("drain", write);
  write();
}

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { addListenerHandles } from "@/lib/process/signals";

const BACKLOG = 4_096;
const TURN_MS = 20;
const CROWD = 300;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server, and how many connections it has taken after each of some turns of 20 ms while a crowd comes. */
async function takenByTurn(wide: boolean): Promise<number[]> {
  let taken = 0;
  const server = createServer((_request, response) => response.end("here"));
  server.on("connection", () => {
    taken += 1;
  });
  await new Promise<void>((resolve) =>
    server.listen({ port: 0, host: "127.0.0.1", backlog: BACKLOG }, resolve),
  );
  const more = wide ? await addListenerHandles(server, BACKLOG) : [];
  const { port } = server.address() as AddressInfo;
  const crowd = spawn(process.execPath, [
    "--eval",
    `for (let i = 0; i < ${CROWD}; i += 1) require("node:net").connect(${port}, "127.0.0.1").on("error", () => {})`,
  ]);
  closing.push(() => {
    crowd.kill("SIGKILL");
    for (const listener of [server, ...more]) listener.close();
    server.closeAllConnections();
  });
  while (taken === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const turns: number[] = [];
  while (turns.length < 10) {
    const end = performance.now() + TURN_MS;
    while (performance.now() < end);
    turns.push(taken);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return turns;
}

test("a server takes one connection in a turn of the loop, and eight when its listener is widened", async () => {
  const narrow = await takenByTurn(false);
  expect((narrow.at(-1) ?? 0) - (narrow[0] ?? 0)).toBeLessThanOrEqual(12);
  const wide = await takenByTurn(true);
  expect((wide.at(-1) ?? 0) - (wide[0] ?? 0)).toBeGreaterThan(50);
});

test("what comes by any of the listeners is answered as before, and nothing is taken once all are closed", async () => {
  const server = createServer((_request, response) => response.end("here"));
  await new Promise<void>((resolve) => server.listen({ port: 0, host: "127.0.0.1" }, resolve));
  const { port } = server.address() as AddressInfo;
  const listeners = [server, ...(await addListenerHandles(server, BACKLOG))];
  expect(listeners.length).toBe(8);
  const ask = async () =>
    (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } })).text();
  expect(new Set(await Promise.all(Array.from({ length: 64 }, ask)))).toEqual(new Set(["here"]));
  for (const listener of listeners) listener.close();
  await expect(ask()).rejects.toThrow("fetch failed");
});

test("a server that does not listen is left alone", async () => {
  expect(await addListenerHandles(createServer(), BACKLOG)).toEqual([]);
});

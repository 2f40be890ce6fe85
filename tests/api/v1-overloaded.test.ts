import { once } from "node:events";
import { rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { POST as chat } from "@/app/v1/chat/completions/route";
import { POST as messages } from "@/app/v1/messages/route";
import { Admission } from "@/lib/admission/admission";
import { FloodGuard } from "@/lib/admission/flood-guard";
import { nodeHandler } from "@/lib/gateway/node-adapter";
import { setRuntime } from "@/lib/gateway/runtime";
import { type BootedProcess, boot } from "@/lib/process/boot";
import { createHttpServer } from "@/lib/process/http-server";
import { embeddedDirectory } from "../support/database";
import { chatBody } from "../support/gateway-fixtures";
import { expectFetchRefusal } from "../support/v1-refusal";

const ORIGIN = "https://app.example";

// Both hosts of the gateway core in this process, which has more to do than it can from the beginning.
let booted: BootedProcess;
let random = 0;
let dataDir = "";
let url = "";
const nobody = async () => {
  throw new Error("nothing but /v1 is asked here");
};
const server = createHttpServer({
  gateway: (...call) => nodeHandler(booted.runtime, { maxBodyBytes: 65_536, trustProxy: 0 })(...call),
  metrics: nobody,
  api: nobody,
  pages: nobody,
  failed: () => {},
  refused: () => {},
  signInRefusal: () => null,
});
beforeAll(async () => {
  dataDir = await embeddedDirectory();
  booted = await boot({ DATA_DIR: dataDir, LOG_LEVEL: "silent", CORS_ORIGINS: ORIGIN }, null);
  const { maxBodyBytes } = booted.runtime.settings;
  booted.runtime.admission = new Admission({
    ...booted.runtime,
    flood: new FloodGuard(),
    maxBodyBytes,
    capacity: -1,
    random: () => random,
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: "127.0.0.1" }, resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await booted.stop();
  setRuntime(undefined);
  rmSync(dataDir, { recursive: true, force: true });
});

/** The same request to both hosts; nobody's key, because whose it is is not looked at. */
async function ask(
  path: string,
  post: (request: Request) => Promise<Response>,
  body: string,
): Promise<Response[]> {
  const init = { method: "POST", headers: { origin: ORIGIN, "content-type": "application/json" }, body };
  return [await fetch(url + path, init), await post(new Request(url + path, init))];
}

/** Source: docs/reliability.md#s2-11. */
describe.each([
  ["/v1/chat/completions", chat],
  ["/v1/messages", messages],
] as const)("a process with too much to do", (path, post) => {
  test(`refuses ${path} in its protocol's words and with a time to wait, alike on both hosts, and counts it`, async () => {
    const counted = () =>
      booted.runtime.refusals.recent().find(({ reason }) => reason === "overload")?.count ?? 0;
    const before = counted();
    for (const answer of await ask(path, post, JSON.stringify(chatBody("any")))) {
      expect(["1", "2", "3"]).toContain(answer.headers.get("retry-after"));
      expect(answer.headers.get("access-control-allow-origin")).toBe(ORIGIN);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      await expectFetchRefusal(answer, path, "NO_AVAILABLE_NODE");
    }
    expect(counted() - before).toBe(2);
  });

  test(`takes the next request on a connection whose last one to ${path} had a large body`, async () => {
    const large = JSON.stringify(chatBody("any", { user: "x".repeat(5_000_000) }));
    const begun = vi.spyOn(booted.runtime.drain, "requestStarted");
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await fetch(url + path, { method: "POST", body: large });
      expect(answer.status).toBe(503);
      await answer.arrayBuffer();
    }
    expect(begun).not.toHaveBeenCalled(); // refused before anything was made for it
    begun.mockRestore();
  });
});

/** Source: docs/reliability.md#s2-11. */
test("a client that is refused and comes back at once is read when it may come back; others are not delayed", async () => {
  random = 0.5;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answered: string[] = [];
  const ask = (name: string, own?: Agent) =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${url}/v1/messages`, { method: "POST", ...(own && { agent: own }) }, (answer) => {
        answered.push(name);
        answer.resume().once("close", () => resolve(Number(answer.headers["retry-after"])));
      });
      sent.once("error", reject).end(JSON.stringify(chatBody("any")));
    });
  const seconds = await ask("first", agent);
  const refusedAt = performance.now();
  const again = ask("again", agent);
  await ask("another connection");
  await again;
  expect(answered).toEqual(["first", "another connection", "again"]);
  expect(performance.now() - refusedAt).toBeGreaterThan(seconds * 1_000 - 50);
  agent.destroy();
  random = 0;
});

/** Source: docs/reliability.md#s2-11. */
test("a connection that is held back is closed when its client leaves", async () => {
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  const before = await connections();
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const body = JSON.stringify(chatBody("any"));
  socket.write(`POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  await once(socket, "data");
  expect(await connections()).toBe(before + 1);
  socket.destroy();
  await vi.waitFor(async () => expect(await connections()).toBe(before), { timeout: 10_000 });
});

test("what costs nothing is answered nevertheless, and the refusals are counted", async () => {
  expect((await fetch(`${url}/v1`, { method: "HEAD" })).status).toBe(200);
  expect((await fetch(`${url}/v1/models`)).status).toBe(401);
  expect((await fetch(`${url}/v1/chat/completions`)).status).toBe(405);
  const metrics = await booted.runtime.metrics.text();
  expect(metrics).toMatch(/refus[^\n]*reason="overload"\} (?:[89]|1\d)/);
  expect(booted.runtime.drain.inFlight).toBe(0);
});

import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chatBody } from "@/tests/support/gateway-fixtures";
import type { TestUser } from "@/tests/support/server";
import { startTcpProxy, type TcpProxy } from "@/tests/support/tcp-proxy";
import { Rig } from "./support/rig";

const CLIENTS = 30;
/** Shorter than the time in which new calls are still taken. */
const PAUSE_MS = 300;
/** As a client on a new connection sees a port that is closed, directly or by the relay. */
const MOVED_ON = "moved on";

let rig: Rig;
let user: TestUser;
let relay: TcpProxy;
beforeAll(async () => {
  rig = await Rig.start({
    database: "embedded",
    models: [{ alias: "quick", routes: [["chat", "sim-usage-10-10"]] }],
    env: { DRAIN_SECONDS: "20", DRAIN_ACCEPT_SECONDS: "3" },
  });
  user = await rig.gateway.key();
  relay = await startTcpProxy({ host: "127.0.0.1", port: Number(new URL(rig.server.url).port) });
});
afterAll(async () => {
  await relay?.close();
  await rig.stop();
});

/** What became of a call: the status and the `connection` header of its answer, or the error. */
interface Call {
  status: number | null;
  connection: string | undefined;
  error: string | null;
  /** It was sent on a connection that had served a call before. */
  reused: boolean;
}

function call(agent: Agent): Promise<Call> {
  return new Promise((resolve) => {
    const body = JSON.stringify(chatBody("quick"));
    const sent = request(
      {
        host: "127.0.0.1",
        port: relay.port,
        path: "/v1/chat/completions",
        method: "POST",
        agent,
        headers: { "content-type": "application/json", authorization: `Bearer ${user.key}` },
      },
      (answer) => {
        answer.resume();
        answer.once("end", () => {
          const { connection } = answer.headers;
          resolve({ status: answer.statusCode ?? null, connection, error: null, reused: sent.reusedSocket });
        });
      },
    );
    sent.once("error", (error: NodeJS.ErrnoException) => {
      resolve({
        status: null,
        connection: undefined,
        error: error.code ?? error.message,
        reused: sent.reusedSocket,
      });
    });
    sent.end(body);
  });
}

/** Source: docs/reliability.md#s2-11. */
test("a client on a kept connection is told that it ends before it is closed: no call on one is reset", async () => {
  const reset: string[] = [];
  const kept: Call[] = [];
  let stopping = false;
  const client = async (): Promise<string> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      const wasStopping = stopping;
      const result = await call(agent);
      if (result.error !== null) {
        if (!result.reused) return MOVED_ON;
        reset.push(result.error);
        return result.error;
      }
      expect(result.status).toBe(200);
      if (wasStopping) kept.push(result);
      await sleep(PAUSE_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  await sleep(2 * PAUSE_MS);
  stopping = true;
  const exit = rig.server.stop("SIGTERM");
  expect(await Promise.all(clients)).toEqual(Array(CLIENTS).fill(MOVED_ON));
  expect(await exit).toBe(0);
  expect(reset).toEqual([]);
  // The first answers after the signal may have been under way before it.
  const late = kept.slice(CLIENTS);
  expect(late.length).toBeGreaterThan(0);
  expect(late.filter(({ connection }) => connection !== "close")).toEqual([]);
});

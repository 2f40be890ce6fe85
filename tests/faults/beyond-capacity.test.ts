import { execFile, spawn, spawnSync } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, eventually, Gateway, reconcile } from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";
import { forEachServerDatabase } from "../support/server-databases";
import { FULL, listenTo } from "./support/rig";

const LOAD = path.resolve(import.meta.dirname, "support/paced-load.mjs");
const LOAD_MS = FULL ? 60_000 : 6_000;
const PEAK_MS = FULL ? 8_000 : 3_000;
const PEAK_CONNECTIONS = 64;
const CONNECTIONS = FULL ? 3_000 : 1_000;
const BACK_WITHIN_MS = 5_000;
const DRAINED_WITHIN_MS = 30_000;
/** Of the peak, during the load: what makes it, some ten thousand calls a second, uses the same two cores. */
const SERVED_SHARE = 0.2;
/** Of the peak, after the load. Clients, node, database and gateway share the machine, perhaps with others. */
const BACK_SHARE = FULL ? 0.7 : 0.4;
const BACK_TRIES = 3;

const STREAMS = FULL ? 2_000 : 800;
/** Processes that do nothing but use up the gateway's core. */
const BURNERS = 3;
const canPin = spawnSync("taskset", ["--version"]).error === undefined;

/** What the load generator heard. */
interface LoadResult {
  statuses: Record<string, number>;
  /** Connections that ended without an answer. */
  broken: number;
  /** Answers 429 and 503 that did not say when to come back. */
  withoutWait: number;
  /** The text of an answer of any other status. */
  example: string | null;
  p50Ms: number;
  p99Ms: number;
}

await forEachServerDatabase((database) => {
  /** Source: docs/reliability.md#s2-11, #r-149, docs/contract.md#b5. */
  describe("a process that is asked far more than it can do", () => {
    const gateway = new Gateway();
    let users: TestUser[];
    let keys: string[];
    beforeAll(async () => {
      const open = { qps: null, rpm: null, tpm: null, keyQuotaCents: 1_000_000_000, selfService: true };
      await gateway.start({
        database,
        models: [
          { alias: "quick", routes: [["chat", "sim-usage-1000-100"]] },
          { alias: "calm", routes: [["chat", "sim-chunks-10+every-1000ms+usage-1000-100"]] },
        ],
        plans: [
          { ...open, id: 1, name: "Open" },
          { ...open, id: 2, name: "Slow", qps: 5 },
        ],
      });
      const fields = [{}, {}, {}, {}, {}, {}, { planId: 2 }, { quota: 0 }];
      users = [];
      for (const field of fields) users.push(await gateway.key(field));
      keys = users.map(({ key }) => key);
    });
    afterAll(() => gateway.stop());

    /** Six keys without limits, one with few requests a second, one without money. */
    async function load(
      connections: number,
      pauseMs: number,
      forMs: number,
      few = keys,
    ): Promise<LoadResult> {
      const { port, host } = new URL(gateway.server.url);
      const body = JSON.stringify(chatBody("quick"));
      const requests = few.map(
        (key) =>
          `POST /v1/chat/completions HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      const told = JSON.stringify({ port: Number(port), requests, connections, pauseMs, forMs });
      const { stdout } = await promisify(execFile)(process.execPath, [LOAD, told]);
      return JSON.parse(stdout);
    }

    /** Calls served a second when as many are asked as can be. */
    async function peak(): Promise<number> {
      const { statuses, broken } = await load(PEAK_CONNECTIONS, 0, PEAK_MS, keys.slice(0, 6));
      expect([Object.keys(statuses), broken]).toEqual([["200"], 0]);
      return (statuses[200] ?? 0) / (PEAK_MS / 1_000);
    }

    test.each([3, 10])(
      "at %d times the peak answers 200, 402, 429 and 503 only, says when to come back, and is as before 5 s later",
      async (times) => {
        await load(PEAK_CONNECTIONS, 0, PEAK_MS); // the first seconds compile
        const most = await peak();
        const pauseMs = (CONNECTIONS / (most * times)) * 1_000;
        const heard = await load(CONNECTIONS, pauseMs, LOAD_MS);
        const ended = performance.now();
        const all = Object.values(heard.statuses).reduce((sum, count) => sum + count, 0);
        const share = (count = 0) => (count / (LOAD_MS / 1_000) / most).toFixed(2);
        process.stdout.write(
          `${database}, ${times} times: peak ${most.toFixed(0)}/s; asked ${share(all)}, served ${share(heard.statuses[200])} of it; ${JSON.stringify(heard)}\n`,
        );
        const allowed = ["200", "402", "429", "503"];
        const others = Object.keys(heard.statuses).filter((status) => !allowed.includes(status));
        expect([others, heard.example, heard.broken, heard.withoutWait]).toEqual([[], null, 0, 0]);
        expect((heard.statuses[200] ?? 0) / (LOAD_MS / 1_000)).toBeGreaterThan(most * SERVED_SHARE);
        await eventually(async () => ((await isCalm()) ? true : null), BACK_WITHIN_MS);
        process.stdout.write(`calm after ${(performance.now() - ended).toFixed(0)} ms\n`);
        const after: number[] = [];
        while (after.length < BACK_TRIES && Math.max(0, ...after) < most * BACK_SHARE)
          after.push(await peak());
        expect(Math.max(...after)).toBeGreaterThan(most * BACK_SHARE);
        expect(await reconcile(gateway.server)).toMatchObject({ ok: true, openHolds: 0, mismatches: [] });
      },
    );

    test.skipIf(!canPin)(
      `of ${STREAMS} streams at once on a core that others use as well serves every one`,
      async () => {
        const { server } = gateway;
        const core = ["-a", "-c", "-p", "0"];
        spawnSync("taskset", [...core, String(server.pid)]);
        const burners = Array.from({ length: BURNERS }, () =>
          spawn("taskset", ["-c", "0", process.execPath, "--eval", "for (;;);"]),
        );
        try {
          const opened = users
            .slice(0, 4)
            .flatMap((user) => Array.from({ length: STREAMS / 4 }, () => listenTo(server, user, "calm")));
          const heard = await Promise.all(opened);
          const refused = heard.filter(({ status }) => status !== 200);
          expect(refused.map(({ status, text }) => `${status} ${text.slice(0, 200)}`)).toEqual([]);
          expect(heard.filter(({ terminal, broken }) => terminal && !broken)).toHaveLength(STREAMS);
        } finally {
          for (const burner of burners) burner.kill("SIGKILL");
        }
        // A settlement that the crowded machine is late with is spooled, and the answer ends without it.
        await eventually(
          async () => ((await reconcile(server)).openHolds === 0 ? true : null),
          DRAINED_WITHIN_MS,
        );
        expect(await reconcile(server)).toMatchObject({ ok: true, openHolds: 0, mismatches: [] });
      },
    );

    /** Nothing runs, waits or is held, and the nodes are in use. */
    async function isCalm(): Promise<boolean> {
      const { server } = gateway;
      const { openHolds } = await reconcile(server);
      const nodes = await server.api<{ data: { health: { state: string; inFlight: number } }[] }>(
        "GET",
        "/api/admin/nodes",
        await server.adminToken(),
      );
      const ready = (await fetch(`${server.url}/api/health/ready`)).ok;
      const isUsed = nodes.body.data.every(
        ({ health }) => health.state === "healthy" && health.inFlight === 0,
      );
      return openHolds === 0 && ready && isUsed;
    }
  });
});

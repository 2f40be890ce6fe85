import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody } from "@/tests/support/gateway-fixtures";
import { postgresServer } from "@/tests/support/postgres";
import type { TestUser } from "@/tests/support/server";
import { FULL, Rig } from "./support/rig";

const CLIENTS = 6;
const LASTS_MS = FULL ? 60_000 : 15_000;
/** How long a starved process runs, and how long it then waits for its next turn. Units: milliseconds. */
const RUNS_MS = 40;
const WAITS_MS = 300;

const postgres = await postgresServer();
const without = "unavailable" in postgres ? ` (${postgres.unavailable})` : "";

/** Source: docs/reliability.md#s2-11. */
describe.skipIf(without !== "")(`on a machine that gives a process little time${without}`, () => {
  let rig: Rig;
  let user: TestUser;
  beforeAll(async () => {
    rig = await Rig.start({
      database: "postgres",
      models: [{ alias: "quick", routes: [["chat", "sim-usage-10-10"]] }],
    });
    user = await rig.gateway.key();
  });
  afterAll(() => rig.stop());

  /** The processes of PostgreSQL that serve the gateway. */
  async function backends(): Promise<number[]> {
    const rows = await rig.sql<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'tollgate' AND datname = current_database()",
    );
    return rows.map(({ pid }) => pid);
  }

  /** Calls until the time is over while the processes are stopped most of the time. Counts the statuses. */
  async function callsWhileStarved(pids: () => Promise<number[]>): Promise<Record<string, number>> {
    const statuses: Record<string, number> = {};
    const endsMs = performance.now() + LASTS_MS;
    const client = async () => {
      while (performance.now() < endsMs) {
        const answer = await rig.server.gateway("/v1/chat/completions", user.key, chatBody("quick"));
        await answer.arrayBuffer();
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, client));
    while (performance.now() < endsMs) {
      const starved = await pids();
      signal(starved, "SIGSTOP");
      await sleep(WAITS_MS);
      signal(starved, "SIGCONT");
      await sleep(RUNS_MS);
    }
    await clients;
    return statuses;
  }

  async function refusals(): Promise<unknown[]> {
    const token = await rig.server.adminToken();
    return (await rig.server.api<{ data: unknown[] }>("GET", "/api/admin/refusals", token)).body.data;
  }

  test.each([
    ["the gateway", async () => [rig.server.pid]],
    ["its database", backends],
    ["both", async () => [rig.server.pid, ...(await backends())]],
  ])(`${CLIENTS} calls at once are slow, and none is refused: %s`, async (_, pids) => {
    const statuses = await callsWhileStarved(pids);
    const counted = await refusals();
    process.stdout.write(`${JSON.stringify(statuses)}, refused: ${JSON.stringify(counted)}\n`);
    expect(statuses).toEqual({ 200: expect.any(Number) });
    expect(counted).toEqual([]);
  });
});

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}

import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { MINUTE_MS } from "@/lib/kernel/durations";
import { chatBody, logEntry } from "@/tests/support/gateway-fixtures";
import { postgresServer } from "@/tests/support/postgres";
import type { TestUser } from "@/tests/support/server";
import { openStreams, Rig } from "./support/rig";

/** 2,200 tokens at 100 and 100 at 300 cents a million. Units: cents. */
const COST = 0.25;
const postgres = await postgresServer();
const without = "unavailable" in postgres ? ` (${postgres.unavailable})` : "";

/** A machine whose wall clock is wrong; the database's is right. Source: docs/reliability.md#r-51, #r-52. */
describe.skipIf(without !== "")(`a process whose clock${without}`, () => {
  let rig: Rig;
  let account: TestUser;
  beforeAll(async () => {
    rig = await Rig.start({
      database: "postgres",
      models: [
        { alias: "quick", routes: [["chat", "sim-usage-2200-100"]] },
        { alias: "steady", routes: [["chat", "sim-chunks-40+every-100ms+usage-2200-100"]] },
      ],
      plans: [
        { id: 1, name: "Five", qps: null, rpm: 5, tpm: null, keyQuotaCents: 1_000_000, selfService: true },
      ],
    });
    account = await rig.gateway.key();
  });
  afterAll(() => rig.stop());
  afterEach(() => startAt(0));

  async function startAt(shiftMs: number): Promise<void> {
    await rig.server.stop("SIGINT");
    const shim = pathToFileURL(path.resolve("tests/faults/support/wrong-clock.mjs")).href;
    rig.server.env.NODE_OPTIONS = shiftMs === 0 ? "" : `--import=${shim}`;
    rig.server.env.CLOCK_SHIFT_MS = String(shiftMs);
    await rig.server.start();
  }

  async function statusOf(user: TestUser): Promise<number> {
    const answer = await rig.server.gateway("/v1/chat/completions", user.key, chatBody("quick"));
    await answer.arrayBuffer();
    return answer.status;
  }

  test.each([10, -10])(
    "is wrong by %d minutes keeps keys, sessions, limits and holds as the database says",
    async (minutes) => {
      const expiresAt = (inMs: number) => new Date(Date.now() + inMs).toISOString();
      const lasting = await rig.gateway.key({ expiresAt: expiresAt(5 * MINUTE_MS) });
      const ending = await rig.gateway.key({ expiresAt: expiresAt(1_500) });
      await startAt(minutes * MINUTE_MS);
      await sleep(1_500);
      expect(await statusOf(ending)).toBe(401);
      const statuses = [];
      for (let call = 0; call < 6; call++) statuses.push(await statusOf(lasting));
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
      expect((await rig.server.api("GET", "/api/user/self", account.token)).status).toBe(200);
      expect(await rig.settledBooks(lasting)).toMatchObject({ usedQuota: 5 * COST, held: 0 });
    },
  );

  test("is set back by an hour in mid-stream measures no negative time and ends no hold early", async () => {
    await startAt(1);
    const user = await rig.gateway.key();
    const { all } = await openStreams(rig.server, user, "steady", 1);
    process.kill(rig.server.pid, "SIGWINCH");
    const [heard] = await all;
    expect(heard).toMatchObject({ terminal: true, broken: false });
    const entry = await logEntry(rig.server, user, heard?.requestId ?? "");
    const { latencyMs, ttftMs } = entry as typeof entry & { latencyMs: number; ttftMs: number }; // asserted next
    expect(latencyMs).toBeGreaterThan(3_000);
    expect(latencyMs).toBeLessThan(MINUTE_MS);
    expect(ttftMs).toBeGreaterThan(0);
    expect(await statusOf(user)).toBe(200);
    expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: 2 * COST, held: 0 });
  });
});

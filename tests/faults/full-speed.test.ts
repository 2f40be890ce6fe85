import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody } from "@/tests/support/gateway-fixtures";
import { postgresServer } from "@/tests/support/postgres";
import type { TestUser } from "@/tests/support/server";
import { Rig } from "./support/rig";

const CALLS = 10_000;
const AT_ONCE = 64;
/** 2,200 tokens at 100 and 100 at 300 cents a million. Units: cents. */
const COST = 0.25;
const found = await postgresServer();
const without = "unavailable" in found ? ` (${found.unavailable})` : "";

/** Source: docs/reliability.md#r-9. */
describe.skipIf(without !== "")(`at full speed on PostgreSQL${without}`, () => {
  let rig: Rig;
  let user: TestUser;
  beforeAll(async () => {
    rig = await Rig.start({
      database: "postgres",
      models: [{ alias: "quick", routes: [["chat", "sim-usage-2200-100"]] }],
    });
    user = await rig.gateway.key();
  });
  afterAll(() => rig.stop());

  test(`${CALLS} calls leave ${CALLS} rows in the ledger, and each that a node answered is billed once`, async () => {
    const before = rig.gateway.upstream.counters().requests;
    const counts: Record<number, number> = {};
    let left = CALLS;
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        const answer = await rig.server.gateway("/v1/chat/completions", user.key, chatBody("quick"));
        await answer.arrayBuffer();
        counts[answer.status] = (counts[answer.status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    // A machine with too much to do sheds some; such a call asks no node, is not billed and leaves no row.
    const { 200: served = 0, 503: shed = 0, ...others } = counts;
    process.stdout.write(`${CALLS} calls: ${served} served, ${shed} shed\n`);
    expect(others).toEqual({});
    expect(served).toBeGreaterThan(CALLS * 0.95);
    expect(rig.gateway.upstream.counters().requests - before).toBe(served);
    expect((await rig.settledBooks(user)).usedQuota).toBeCloseTo(served * COST, 4);
    const [row] = await rig.sql<{ rows: string; billed: string }>(
      "SELECT count(*) AS rows, count(*) FILTER (WHERE cost_micro_cents > 0) AS billed FROM usage_ledger WHERE key_id = $1",
      [user.keyId],
    );
    expect(Number(row?.billed)).toBe(served);
    expect(Number(row?.rows)).toBe(served);
  });
});

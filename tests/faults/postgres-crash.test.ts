import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, eventually } from "@/tests/support/gateway-fixtures";
import { pgCtl, postgresServer } from "@/tests/support/postgres";
import type { TestUser } from "@/tests/support/server";
import { Rig } from "./support/rig";

/** 2,200 tokens at 100 and 100 at 300 cents a million. Units: cents. */
const COST = 0.25;
const postgres = await postgresServer();
const dataDirectory = "unavailable" in postgres ? null : postgres.dataDirectory;
const durable = process.env.TEST_DATABASE_DURABLE === "1";
const without = dataDirectory && durable ? "" : " (needs a private PostgreSQL and TEST_DATABASE_DURABLE=1)";

/** Source: docs/reliability.md#r-35. */
describe.skipIf(without !== "")(`PostgreSQL that crashes in a storm of settlements${without}`, () => {
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

  test("has, once it is back, exactly one ledger row for every answer that was seen", async () => {
    const seen: string[] = [];
    let running = true;
    const caller = async () => {
      while (running) {
        const answer = await rig.server.gateway("/v1/chat/completions", user.key, chatBody("quick"));
        await answer.arrayBuffer();
        if (answer.status === 200) seen.push(answer.headers.get("x-request-id") ?? "");
      }
    };
    const callers = Promise.all(Array.from({ length: 20 }, caller));
    const enough = (count: number) => eventually(async () => (seen.length >= count ? true : null), 30_000);
    for (let crash = 1; crash <= 3; crash++) {
      await enough(seen.length + 100);
      const log = path.join(dataDirectory ?? "", "..", "log");
      pgCtl(["restart", "-m", "immediate", "-D", dataDirectory ?? "", "-l", log]);
    }
    await enough(seen.length + 100);
    running = false;
    await callers;
    const billed = () =>
      rig.sql<{ request_id: string }>("SELECT request_id FROM usage_ledger WHERE cost_micro_cents > 0");
    const ids = new Set(seen);
    await eventually(async () => {
      const rows = new Set((await billed()).map((row) => row.request_id));
      return [...ids].every((id) => rows.has(id)) ? true : null;
    }, 30_000);
    const { usedQuota } = await rig.settledBooks(user);
    expect(usedQuota).toBeCloseTo((await billed()).length * COST, 6);
    expect((await billed()).length).toBeGreaterThanOrEqual(seen.length);
  });
});

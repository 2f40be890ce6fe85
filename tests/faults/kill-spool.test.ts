import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Failpoint } from "@/lib/kernel/failpoint";
import { isComplete } from "@/tests/support/complete";
import { eventually, keyMoney, type ModelSpec, PRICES } from "@/tests/support/gateway-fixtures";
import { postgresServer } from "@/tests/support/postgres";
import { TestServer, type TestUser } from "@/tests/support/server";
import { FAULTY_SERVER } from "./support/build-faulty";
import { type Heard, listenTo, openStreams, Rig } from "./support/rig";

/** 1,000 tokens at 100 and 500 at 300 cents a million. Units: cents. */
const COST = 0.25;
const DEATHS = isComplete ? 5 : 2;
const postgres = await postgresServer();
const without = "unavailable" in postgres ? ` (${postgres.unavailable})` : "";

/**
 * Kill -9 around the local disk, the reaper and the database's own transaction. Source: docs/reliability.md#r-30,
 * #r-32, #r-33, #r-34, #r-36, #r-37, #r-38.
 */
describe.skipIf(without !== "")(`killed${without}`, () => {
  let rig: Rig;
  let user: TestUser;
  beforeAll(async () => {
    const route: [string, string][] = [["chat", "sim-chunks-20+every-50ms+usage-1000-500"]];
    const searching: ModelSpec = {
      alias: "searching",
      prices: {
        ...PRICES,
        perCall: { webSearch: 7_200_001 },
        windows: [{ from: "00:00", to: "24:00", timeZone: "UTC", factor: 0.5 }],
      },
      routes: [["responses", "sim-hosted-2+chunks-20+every-50ms+usage-1000-500"]],
    };
    rig = await Rig.start({ database: "postgres", models: [{ alias: "steady", routes: route }, searching] });
  });
  afterAll(() => rig.stop());

  /** Streams that end while the database is out; the server may have been told to die. */
  async function endWithoutDatabase(count: number, failpoint?: Failpoint): Promise<Heard[]> {
    user = await rig.gateway.key();
    if (failpoint) rig.armFailpoint(failpoint);
    const { all } = await openStreams(rig.server, user, "steady", count);
    rig.proxy.fail("refuse");
    const heard = await all;
    if (failpoint) expect(await rig.server.ended()).toBe("SIGKILL");
    else await rig.server.stop("SIGKILL");
    rig.proxy.heal();
    return heard;
  }

  async function ledgerRows(requestId: string): Promise<number> {
    const rows = await rig.sql("SELECT 1 FROM usage_ledger WHERE request_id = $1", [requestId]);
    return rows.length;
  }

  test("inside the settlement before its commit: neither used nor held has moved, and nothing is billed", async () => {
    user = await rig.gateway.key();
    const heard = listenTo(rig.server, user, "steady");
    await eventually(async () => ((await keyMoney(rig.server, user)).held > 0 ? true : null));
    // Who holds the key's row keeps the settlement inside its transaction.
    await rig.sql("BEGIN");
    await rig.sql("SELECT 1 FROM api_keys WHERE id = $1 FOR UPDATE", [user.keyId]);
    const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%ledger_batch%'`;
    await eventually(async () => ((await rig.sql(waiting)).length > 0 ? true : null), 10_000);
    await rig.server.stop("SIGKILL");
    await rig.sql(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS w`);
    await rig.sql("COMMIT");
    expect(await heard).toMatchObject({ terminal: false, broken: true });
    await rig.restart();
    expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: 0, held: 0 });
  });

  test("after writing to the spool, before it is on the disk: no terminal event was seen, at most one charge", async () => {
    const heard = await endWithoutDatabase(1, "spool-written");
    expect(heard).toMatchObject([{ terminal: false, broken: true }]);
    await rig.restart();
    const { usedQuota } = await rig.settledBooks(user);
    expect([0, COST]).toContain(usedQuota);
    expect(await ledgerRows(heard[0]?.requestId ?? "")).toBeLessThanOrEqual(1);
  });

  test("after the record is on the disk: billed exactly once, before the next process is ready", async () => {
    const heard = await endWithoutDatabase(1, "spool-synced");
    expect(heard).toMatchObject([{ terminal: false, broken: true }]);
    await rig.restart();
    expect(await ledgerRows(heard[0]?.requestId ?? "")).toBe(1);
    expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: COST, held: 0 });
  });

  /** Source: docs/responses.md#s3-6, docs/prices.md#receipt. */
  test("after the record is on the disk: calls of tools and what decided the price are kept, and billed once to the micro-cent", async () => {
    user = await rig.gateway.key();
    await rig.sql(
      `INSERT INTO budgets (name, scope, key_id, unit, period, time_zone, limit_amount)
       VALUES ('r', 'key', $1, 'money', 'month', 'UTC', 1000000000000)`,
      [user.keyId],
    );
    const answer = await rig.server.gateway("/v1/responses", user.key, {
      model: "searching",
      stream: true,
      store: false,
      input: "Go on.",
      max_output_tokens: 1_000,
      tools: [{ type: "web_search" }],
    });
    rig.proxy.fail("refuse");
    expect(await answer.text()).toContain("data: [DONE]");
    await rig.server.stop("SIGKILL");
    rig.proxy.heal();
    await rig.restart();
    const requestId = answer.headers.get("x-request-id") ?? "";
    for (const table of ["usage_ledger", "request_log"]) {
      const kept = `SELECT hosted_calls, priced_as FROM ${table} WHERE request_id = $1`;
      expect(await rig.sql(kept, [requestId])).toEqual([
        { hosted_calls: { webSearch: 2 }, priced_as: { window: 0 } },
      ]);
    }
    expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: COST / 2 + 14.400_002, held: 0 });
    const windows = `SELECT w.used::text, w.held::text FROM budget_windows w JOIN budgets b ON b.id = w.budget_id WHERE b.key_id = $1`;
    expect(await rig.sql(windows, [user.keyId])).toEqual([{ used: "14525002", held: "0" }]);
  });

  test("during the replay, again and again: each record is applied once", async () => {
    const heard = await endWithoutDatabase(30);
    expect(heard.filter(({ terminal }) => terminal)).toHaveLength(30);
    for (let time = 0; time < DEATHS; time++) {
      await rig.startWithFailpoint("spool-replayed");
      expect(await rig.server.ended()).toBe("SIGKILL");
    }
    await rig.restart();
    for (const { requestId } of heard) expect(await ledgerRows(requestId)).toBe(1);
    expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: 30 * COST, held: 0 });
  });

  test("and one byte of the spool's last record turned: the earlier ones are applied, and the loss is reported", async () => {
    const heard = await endWithoutDatabase(3);
    const file = path.join(rig.server.env.DATA_DIR ?? "", "spool", "spool-0.bin");
    const bytes = readFileSync(file);
    const at = Math.max(...heard.map(({ requestId }) => bytes.lastIndexOf(requestId)));
    expect(at).toBeGreaterThan(0);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    await rig.restart();
    expect(rig.server.output).toContain("torn");
    expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: 2 * COST, held: 0 });
  });

  test("with its spool found by two processes at once: each record is applied once", async () => {
    const heard = await endWithoutDatabase(20);
    rig.disarmFailpoint();
    const other = new TestServer({ ...rig.server.env }, FAULTY_SERVER);
    await Promise.all([rig.server.start(), other.start()]);
    for (const { requestId } of heard) expect(await ledgerRows(requestId)).toBe(1);
    await other.stop("SIGKILL");
    expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: 20 * COST, held: 0 });
  });

  test("in the middle of the reaper's sweep, twice: no hold is freed twice", async () => {
    user = await rig.gateway.key();
    const { all } = await openStreams(rig.server, user, "steady", 5);
    await rig.server.stop("SIGKILL");
    await all;
    await rig.sql("UPDATE instances SET heartbeat_at = now() - interval '2 minutes'");
    for (let time = 1; time <= 2; time++) {
      await rig.startWithFailpoint("reaper-swept");
      expect(await rig.server.ended()).toBe("SIGKILL");
      const expired = "SELECT 1 FROM usage_holds WHERE key_id = $1 AND state = 'expired'";
      expect(await rig.sql(expired, [user.keyId])).toHaveLength(time);
    }
    await rig.restart();
    expect(await rig.settledBooks(user)).toMatchObject({ usedQuota: 0, held: 0 });
  });
});

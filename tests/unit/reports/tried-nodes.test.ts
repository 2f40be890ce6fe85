import { afterAll, beforeAll, expect, test } from "vitest";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import type { StoredAttempt } from "@/lib/db/schema/usage";
import { HOUR_MS } from "@/lib/kernel/durations";
import { newRequestId } from "@/lib/kernel/request-id";
import { readAdminStats } from "@/lib/reports/admin-stats";
import { listAllLogs, walkAllLogs } from "@/lib/reports/all-logs";
import { listLogs } from "@/lib/reports/logs";
import {
  makeAccount,
  openTestLedger,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

const now = new Date("2026-11-21T10:07:30.000Z");
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
const all = { page: 1, pageSize: 100 };
const broken = "0a4bd1c0-1111-4111-8111-000000000001";
const spare = "0a4bd1c0-1111-4111-8111-000000000002";
const unused = "0a4bd1c0-1111-4111-8111-000000000003";

function attempt(n: number, nodeId: string, result: string): StoredAttempt {
  const nodeName = nodeId === broken ? "broken" : "spare";
  return {
    n,
    nodeId,
    nodeName,
    result,
    protocol: "chat",
    upstreamModel: "m",
    upstreamStatus: null,
    startedMs: 0,
    headersMs: null,
    firstEventMs: null,
    totalMs: 10,
    reason: "",
  };
}

await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  let ledger: TestLedger;
  let account: TestAccount;
  const ids: Record<string, string> = {};

  async function settle(name: string, fields: Partial<Settlement>) {
    const settlement = settlementOf(account, { requestId: newRequestId(), ...fields });
    ids[name] = settlement.requestId;
    await ledger.settle(settlement);
  }
  const namesOf = (rows: readonly { requestId: string }[]) =>
    rows.map((row) => Object.keys(ids).find((name) => ids[name] === row.requestId));

  beforeAll(async () => {
    db = await open();
    await makePartitions(db, ago(24 * 40), now);
    ledger = await openTestLedger(db);
    account = await makeAccount(db, { account: 10_000_000n, keys: [5_000_000n] });
    const failure = { status: "error", httpStatus: 502, errorCode: "UPSTREAM_ERROR" } as const;
    const unpaid = { costMicroCents: 0n, billingSource: "none" } as const;
    await settle("old", { createdAt: ago(24 * 30), attempts: [attempt(1, broken, "ok")], nodeId: broken });
    await settle("plain", { createdAt: ago(5), attempts: [attempt(1, spare, "ok")], nodeId: spare });
    await settle("rescued", {
      createdAt: ago(4),
      attempts: [attempt(1, broken, "connect"), attempt(2, spare, "ok")],
      nodeId: spare,
    });
    await settle("failed", {
      ...failure,
      ...unpaid,
      createdAt: ago(3),
      attempts: [attempt(1, broken, "connect"), attempt(2, broken, "timeout")],
    });
    await settle("left", {
      createdAt: ago(2),
      status: "cancelled",
      attempts: [attempt(1, spare, "cancelled")],
      nodeId: spare,
    });
    await settle("refused", { ...failure, ...unpaid, errorCode: "RATE_LIMITED", createdAt: ago(1) });
  });
  afterAll(() => ledger.drain());

  test("the log of a node has each request that tried it, answered or not", async () => {
    const of = async (nodeId: string, more = {}) =>
      namesOf((await listLogs(db, { nodeId, ...more }, all)).data);
    expect(await of(broken)).toEqual(["failed", "rescued", "old"]);
    expect(await of(broken.toUpperCase())).toEqual(["failed", "rescued", "old"]);
    expect(await of(spare)).toEqual(["left", "rescued", "plain"]);
    expect(await of(broken, { from: ago(10), to: ago(3.5) })).toEqual(["rescued"]);
    expect(await of(broken, { outcome: "failed" })).toEqual(["failed"]);
    expect(await of(unused)).toEqual([]);
    expect(await of("no id")).toEqual([]);
  });

  test("it can be narrowed to the requests with a failed attempt at it, as many as the roll-ups count", async () => {
    const failed = { attempt: "failed" } as const;
    const of = async (nodeId: string) => namesOf((await listLogs(db, { nodeId, ...failed }, all)).data);
    expect(await of(broken)).toEqual(["failed", "rescued"]);
    expect(await of(broken.toUpperCase())).toEqual(["failed", "rescued"]);
    expect(await of(spare)).toEqual([]);
    expect(namesOf((await listLogs(db, failed, all)).data)).toEqual(["failed", "rescued"]);
    const page = await listLogs(db, { nodeId: broken, ...failed }, { page: 1, pageSize: 1 });
    expect([namesOf(page.data), page.total]).toEqual([["failed"], 2]);
    const { topNodes } = await readAdminStats(db, { period: "30d", timeZone: "UTC" }, now);
    const counts = topNodes.map(({ nodeId, failureCount }) => [nodeId, failureCount]);
    expect(counts).toEqual(
      expect.arrayContaining([
        [broken, 3],
        [spare, 0],
      ]),
    );
  });

  test("a page of it is followed by the next one, and does not count what it did not read", async () => {
    const first = await listLogs(db, { nodeId: broken }, { page: 1, pageSize: 2 });
    expect(namesOf(first.data)).toEqual(["failed", "rescued"]);
    expect(first.total).toBeNull();
    const cursor = first.nextCursor ?? "";
    const second = await listLogs(db, { nodeId: broken }, { page: 1, pageSize: 2, cursor });
    expect([namesOf(second.data), second.nextCursor]).toEqual([["old"], null]);
  });

  test("requests with a failover are found by their number of attempts", async () => {
    const found = await listLogs(db, { minAttempts: 2 }, all);
    expect(namesOf(found.data)).toEqual(["failed", "rescued"]);
    expect(namesOf((await listLogs(db, { minAttempts: 1 }, all)).data)).not.toContain("refused");
  });

  test("admins see which nodes gave no answer", async () => {
    const { data } = await listAllLogs(db, {}, all);
    const byCost = (await listAllLogs(db, {}, { ...all, sort: "cost" })).data;
    expect(namesOf(byCost)).not.toEqual(namesOf(data));
    for (const row of byCost) expect(data).toContainEqual(row);
    const failedOf = (name: string) => data.find((row) => row.requestId === ids[name])?.failedAttempts;
    expect(failedOf("failed")).toEqual([
      { nodeId: broken, node: "broken", result: "connect" },
      { nodeId: broken, node: "broken", result: "timeout" },
    ]);
    expect(failedOf("rescued")).toEqual([{ nodeId: broken, node: "broken", result: "connect" }]);
    for (const name of ["old", "plain", "left", "refused"])
      expect([name, failedOf(name)]).toEqual([name, []]);
    for await (const batch of walkAllLogs(db, { nodeId: broken }, 10))
      expect(batch.map(({ failedAttempts }) => failedAttempts.length)).toEqual([2, 1, 0]);
  });
});

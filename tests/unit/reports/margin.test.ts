import { afterAll, beforeAll, expect, test } from "vitest";
import { compactRollups } from "@/lib/billing/rollups";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { HOUR_MS } from "@/lib/kernel/durations";
import { newRequestId } from "@/lib/kernel/request-id";
import { findLogEntry, findOwnLogEntry } from "@/lib/reports/logs";
import { readMargin } from "@/lib/reports/margin";
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
const cheap = "7b0f8f9e-1111-4222-8333-444455556661";
const dear = "7b0f8f9e-1111-4222-8333-444455556662";

function attemptAt(nodeId: string, n: number, result = "ok") {
  return {
    n,
    nodeId,
    nodeName: "a node",
    protocol: "chat" as const,
    upstreamModel: "m",
    result,
    upstreamStatus: 200,
    startedMs: 1,
    headersMs: 2,
    firstEventMs: 3,
    totalMs: 9,
    reason: "only node",
  };
}

await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  let ledger: TestLedger;
  let account: TestAccount;
  const settle = async (nodeId: string, hours: number, fields: Partial<Settlement> = {}) => {
    const settlement = settlementOf(account, {
      requestId: newRequestId(),
      createdAt: ago(hours),
      nodeId,
      attempts: [attemptAt(nodeId, 1)],
      ...fields,
    });
    await ledger.settle(settlement);
    return settlement.requestId;
  };
  const read = () => readMargin(db, { period: "7d", timeZone: "UTC" }, now);

  beforeAll(async () => {
    db = await open();
    await makePartitions(db, ago(24 * 70), now);
    ledger = await openTestLedger(db);
    account = await makeAccount(db, { account: 900_000_000n, keys: [900_000_000n] });
  });
  afterAll(() => ledger.drain());

  test("a margin without any known cost is null, not 0", async () => {
    await settle(dear, 1, { costMicroCents: 1_000_000n });
    const { totals, models } = await read();
    expect(totals).toEqual({ revenue: "1", covered: "0", cost: null, margin: null });
    expect(models).toEqual([{ model: "gpt-main", revenue: "1", covered: "0", cost: null, margin: null }]);
  });

  test("revenue, cost and margin add up to the micro-cent by model, node and day, and tell what they cover", async () => {
    await settle(cheap, 2, { costMicroCents: 5_000_001n, nodeCostMicroCents: 2_000_000n });
    await settle(cheap, 26, { costMicroCents: 3n, nodeCostMicroCents: 4n, model: "loss" });
    // Not billed, but the node charges for it.
    await settle(cheap, 2, { costMicroCents: 0n, billingSource: "none", nodeCostMicroCents: 7n });
    // Two nodes were asked; the cost is that of the one which answered.
    await settle(cheap, 3, {
      costMicroCents: 10n,
      nodeCostMicroCents: 1n,
      attempts: [attemptAt(dear, 1, "status"), attemptAt(cheap, 2)],
    });
    const found = await read();
    expect(found.totals).toEqual({
      revenue: "6.000014",
      covered: "5.000014",
      cost: "2.000012",
      margin: "3.000002",
    });
    expect(found.models).toEqual([
      { model: "gpt-main", revenue: "6.000011", covered: "5.000011", cost: "2.000008", margin: "3.000003" },
      { model: "loss", revenue: "0.000003", covered: "0.000003", cost: "0.000004", margin: "-0.000001" },
    ]);
    expect(found.nodes).toEqual([
      { nodeId: cheap, node: "", ...found.totals, revenue: "5.000014" },
      { nodeId: dear, node: "", revenue: "1", covered: "0", cost: null, margin: null },
    ]);
    expect(found.buckets.map(({ date, cost }) => [date, cost]).slice(-3)).toEqual([
      ["2026-11-19", null],
      ["2026-11-20", "0.000004"],
      ["2026-11-21", "2.000008"],
    ]);
  });

  test("the period before has sums of its own, null where no cost was known", async () => {
    const after = (days: number) =>
      readMargin(db, { period: "7d", timeZone: "UTC" }, new Date(now.getTime() + days * 24 * HOUR_MS));
    expect((await read()).previous).toMatchObject({ revenue: "0", covered: "0", cost: null, margin: null });
    const { totals, previous } = await after(7);
    expect(totals.revenue).toBe("0");
    expect(previous).toMatchObject((await read()).totals);
  });

  test("by account it adds up to the same, from roll-ups of both lengths, the highest revenue first", async () => {
    const [second, unknown] = [
      await makeAccount(db, { account: 900_000_000n, keys: [900_000_000n, 900_000_000n] }),
      await makeAccount(db, { account: 900_000_000n, keys: [900_000_000n] }),
    ];
    const of = ({ userId, keyIds }: TestAccount, key = 0) => ({ userId, keyId: keyIds[key] ?? "" });
    await settle(cheap, 3, { ...of(second), costMicroCents: 9_000_000n, nodeCostMicroCents: 1_000_000n });
    await settle(cheap, 30, { ...of(second, 1), costMicroCents: 2n, nodeCostMicroCents: 3n });
    await settle(dear, 3, { ...of(unknown), costMicroCents: 5n });
    const found = await read();
    expect(found.accounts.map(({ username: _, ...row }) => row)).toEqual([
      {
        userId: second.userId,
        deleted: false,
        revenue: "9.000002",
        covered: "9.000002",
        cost: "1.000003",
        margin: "7.999999",
      },
      {
        userId: account.userId,
        deleted: false,
        revenue: "6.000014",
        covered: "5.000014",
        cost: "2.000012",
        margin: "3.000002",
      },
      {
        userId: unknown.userId,
        deleted: false,
        revenue: "0.000005",
        covered: "0",
        cost: null,
        margin: null,
      },
    ]);
    expect(found.accountCount).toBe(3);
    expect(found.totals.cost).toBe("3.000015");
    await compactRollups(db);
    expect((await read()).accounts).toEqual(found.accounts);
    await settle(cheap, 30, { ...of(second, 1), costMicroCents: 0n, nodeCostMicroCents: 1n });
    expect((await read()).accounts[0]).toMatchObject({ cost: "1.000004" });
  });

  test("a settlement that is sent twice counts its cost once", async () => {
    const before = await read();
    const settlement = settlementOf(account, {
      requestId: newRequestId(),
      createdAt: ago(4),
      nodeId: cheap,
      attempts: [attemptAt(cheap, 1)],
      nodeCostMicroCents: 50n,
    });
    await ledger.settle(settlement);
    await ledger.settle(settlement);
    const after = await read();
    expect(before.totals.cost).toBe("3.000016");
    expect(after.totals.cost).toBe("3.000066");
    expect(after.accounts.find(({ userId }) => userId === account.userId)?.cost).toBe("2.000062");
  });

  test("the log keeps the exact cost for admins, and its owner is told none of it", async () => {
    const requestId = await settle(cheap, 5, { nodeCostMicroCents: 987_654_321n });
    expect(await findLogEntry(db, requestId)).toMatchObject({ nodeCost: "987.654321" });
    const own = JSON.stringify(await findOwnLogEntry(db, account.userId, requestId));
    expect(own).not.toMatch(/nodeCost|987[._]?654/);
    const unknown = await settle(dear, 5);
    expect(await findLogEntry(db, unknown)).toMatchObject({ nodeCost: null });
  });
});

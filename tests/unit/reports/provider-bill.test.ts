import { afterAll, beforeAll, expect, test } from "vitest";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { models, nodes, routes } from "@/lib/db/schema/catalog";
import { newRequestId } from "@/lib/kernel/request-id";
import { NO_USAGE } from "@/lib/kernel/usage";
import { readProviderBill } from "@/lib/reports/provider-bill";
import {
  makeAccount,
  openTestLedger,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

const now = new Date("2026-11-21T10:07:30.000Z");
const first = "7b0f8f9e-1111-4222-8333-444455556661";
const second = "7b0f8f9e-1111-4222-8333-444455556662";

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

/** Source: docs/contract.md#provider-bill. */
await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  let ledger: TestLedger;
  let account: TestAccount;
  const settle = (nodeId: string, at: string, fields: Partial<Settlement> = {}) =>
    ledger.settle(
      settlementOf(account, {
        requestId: newRequestId(),
        createdAt: new Date(at),
        nodeId,
        attempts: [attemptAt(nodeId, 1)],
        ...fields,
      }),
    );
  const read = (from: string, to: string, nodes?: string[]) => readProviderBill(db, { from, to, nodes }, now);

  beforeAll(async () => {
    db = await open();
    await makePartitions(db, new Date("2026-11-01T00:00:00Z"), now);
    ledger = await openTestLedger(db);
    account = await makeAccount(db, { account: 900_000_000n, keys: [900_000_000n] });
    const usage = { ...NO_USAGE, inputUncached: 100, cacheRead: 50, output: 7 };
    await settle(first, "2026-11-19T23:59:59.999Z", { usage, nodeCostMicroCents: 1_000_001n });
    await settle(first, "2026-11-20T00:00:00.000Z", { usage, nodeCostMicroCents: null });
    await settle(first, "2026-11-20T12:00:00.000Z", { usage, nodeCostMicroCents: 2n });
    await settle(second, "2026-11-20T12:00:00.000Z", {
      usage,
      nodeCostMicroCents: null,
      attempts: [attemptAt(first, 1, "status"), attemptAt(second, 2)],
    });
  });
  afterAll(() => ledger.drain());

  const row = {
    node: "",
    model: "gpt-main",
    upstreamModels: [],
    failureCount: 0,
    promptTokens: 150,
    completionTokens: 7,
  };

  test("days are those of UTC, tokens include cached ones, and costs are exact or not known", async () => {
    const { from, to, rows } = await read("2026-11-19", "2026-11-20");
    expect([from, to]).toEqual(["2026-11-19", "2026-11-20"]);
    expect(rows).toEqual([
      { ...row, day: "2026-11-19", nodeId: first, attemptCount: 1, costedCount: 1, cost: "1.000001" },
      {
        ...row,
        day: "2026-11-20",
        nodeId: first,
        attemptCount: 3,
        failureCount: 1,
        costedCount: 1,
        promptTokens: 300,
        completionTokens: 14,
        cost: "0.000002",
      },
      { ...row, day: "2026-11-20", nodeId: second, attemptCount: 1, costedCount: 0, cost: null },
    ]);
  });

  test("it can be of some nodes alone, and of a day alone; without days it is of the last 30", async () => {
    const days = async (...args: Parameters<typeof read>) =>
      (await read(...args)).rows.map(({ day, nodeId }) => [day, nodeId]);
    expect(await days("2026-11-19", "2026-11-20", [second])).toEqual([["2026-11-20", second]]);
    expect(await days("2026-11-19", "2026-11-19")).toEqual([["2026-11-19", first]]);
    expect(await days("2026-11-18", "2026-11-18")).toEqual([]);
    expect(await readProviderBill(db, {}, now)).toMatchObject({
      from: "2026-10-23",
      to: "2026-11-21",
      rows: [{ day: "2026-11-19" }, { nodeId: first }, { nodeId: second }],
    });
  });

  test.each([
    ["2026-11-20", "2026-11-19"],
    ["2026-11-20", "2026-11-22"],
    ["2026-01-01", "2026-11-20"],
  ])("days from %s to %s are refused", async (from, to) => {
    await expect(read(from, to)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });

  test("upstream models are those that the routes of the alias to the node have now", async () => {
    await db.orm
      .insert(nodes)
      .values({ id: first, name: "billed", protocol: "chat", baseUrl: "https://api.openai.com/v1" });
    const [model] = await db.orm.insert(models).values({ alias: "gpt-main" }).returning();
    const modelId = model?.id ?? "";
    for (const [priority, upstreamModel] of ["gpt-5.2", "gpt-5.1", "gpt-5.2"].entries())
      await db.orm.insert(routes).values({ modelId, nodeId: first, upstreamModel, priority });
    const { rows } = await read("2026-11-20", "2026-11-20");
    expect(rows).toMatchObject([
      { nodeId: first, node: "billed", upstreamModels: ["gpt-5.1", "gpt-5.2"] },
      { nodeId: second, node: "", upstreamModels: [] },
    ]);
  });
});

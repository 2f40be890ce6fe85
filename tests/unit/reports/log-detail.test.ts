import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { modelPrices, models } from "@/lib/db/schema/catalog";
import { HOUR_MS } from "@/lib/kernel/durations";
import { newRequestId } from "@/lib/kernel/request-id";
import { findLogEntry, findOwnLogEntry } from "@/lib/reports/logs";
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

await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  let ledger: TestLedger;
  let account: TestAccount;
  let other: TestAccount;

  const settle = async (fields: Partial<Settlement>) => {
    const settlement = settlementOf(account, { requestId: newRequestId(), ...fields });
    await ledger.settle(settlement);
    return settlement;
  };

  beforeAll(async () => {
    db = await open();
    await makePartitions(db, ago(24 * 70), now);
    ledger = await openTestLedger(db);
    account = await makeAccount(db, { account: 100_000_000n, keys: [50_000_000n] });
    other = await makeAccount(db, { account: 10_000_000n, keys: [5_000_000n] });
  });
  afterAll(() => ledger.drain());

  describe("an entry of the log", () => {
    test("holds the exact arithmetic of its cost, and names no node to its owner", async () => {
      const [model] = await db.orm.insert(models).values({ alias: "priced" }).returning();
      await db.orm.insert(modelPrices).values({
        modelId: model?.id ?? "",
        version: 3,
        inputNanoCents: 12_500n,
        outputNanoCents: 300_001n,
        cacheReadNanoCents: 1_250n,
        webSearchMicroCents: 7_200_000n,
      });
      const attempt = {
        n: 1,
        nodeId: "7b0f8f9e-1111-4222-8333-444455556666",
        nodeName: "secret-node",
        protocol: "chat" as const,
        upstreamModel: "secret-upstream",
        result: "ok",
        upstreamStatus: 200,
        startedMs: 1,
        headersMs: 2,
        firstEventMs: 3,
        totalMs: 9,
        reason: "only node",
      };
      const { requestId } = await settle({
        createdAt: ago(24 * 20),
        model: "priced",
        priceVersion: 3,
        usage: {
          inputUncached: 100,
          cacheRead: 40,
          cacheWrite: 0,
          output: 7,
          reasoning: 0,
          calls: { webSearch: 2 },
        },
        costMicroCents: 14_403_401n,
        attempts: [attempt],
        timeline: { admitted: 4, sent: 9 },
      });
      const mine = await findOwnLogEntry(db, account.userId, requestId);
      expect(mine.receipt).toMatchObject({
        billed: true,
        priceVersion: 3,
        sum: "14.403400007",
        total: "14.403401",
        lines: [
          { kind: "input", tokens: 100, centsPerMillion: 12.5, amount: "0.00125" },
          { kind: "cacheRead", tokens: 40, centsPerMillion: 1.25, amount: "0.00005" },
          { kind: "output", tokens: 7, centsPerMillion: 300.001, amount: "0.002100007" },
          { kind: "webSearch", calls: 2, centsPerCall: "7.2", amount: "14.4" },
        ],
      });
      expect(mine.timeline).toEqual([
        { stage: "admitted", startMs: 0, endMs: 4 },
        { stage: "sent", startMs: 4, endMs: 9 },
      ]);
      expect(JSON.stringify(mine)).not.toContain("secret");
      expect(mine.attempts).toMatchObject([{ node: "node 1", upstreamModel: "priced" }]);
      const admins = await findLogEntry(db, requestId);
      expect(admins.attempts).toMatchObject([{ node: "secret-node", upstreamModel: "secret-upstream" }]);
    });

    test("names the limit that refused it beside its stages, and none where that is not stored", async () => {
      const refused = {
        createdAt: ago(2),
        status: "error",
        httpStatus: 429,
        errorCode: "RATE_LIMITED",
      } as const;
      const stages = { auth: 1, limits: 4 };
      const named = await settle({ ...refused, timeline: { ...stages, "limit.rpm": 2 } });
      const { limit, timeline } = await findOwnLogEntry(db, account.userId, named.requestId);
      expect(limit).toEqual({ name: "rpm", allowed: 2 });
      expect(timeline.map(({ stage }) => stage)).toEqual(["auth", "limits"]);
      const before = await settle({ ...refused, timeline: stages });
      expect(await findLogEntry(db, before.requestId)).toMatchObject({ limit: null });
    });

    test("of another account is not found, like one that does not exist", async () => {
      const { requestId } = await settle({ createdAt: ago(1) });
      await expect(findOwnLogEntry(db, other.userId, requestId)).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      for (const id of [newRequestId(), "nonsense"]) {
        await expect(findOwnLogEntry(db, other.userId, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
        await expect(findLogEntry(db, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
      }
    });
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { HOUR_MS } from "@/lib/kernel/durations";
import { FairSemaphore } from "@/lib/kernel/fair-semaphore";
import { newRequestId } from "@/lib/kernel/request-id";
import { NO_USAGE, promptTokens } from "@/lib/kernel/usage";
import { csvStream } from "@/lib/reports/csv";
import type { LogFilter } from "@/lib/reports/log-filter";
import { readLogVolume } from "@/lib/reports/log-volume";
import { listLogs, walkLogs } from "@/lib/reports/logs";
import { readStats } from "@/lib/reports/stats";
import {
  makeAccount,
  microCentsOf,
  openTestLedger,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

const now = new Date("2026-11-21T10:07:30.000Z");
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
const whole = { period: "7d", timeZone: "UTC" } as const;

await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  let ledger: TestLedger;
  let account: TestAccount;
  let other: TestAccount;
  const written: Settlement[] = [];

  const settle = async (fields: Partial<Settlement>, owner = account) => {
    const settlement = settlementOf(owner, { requestId: newRequestId(), ...fields });
    await ledger.settle(settlement);
    if (owner === account) written.push(settlement);
    return settlement;
  };

  beforeAll(async () => {
    db = await open();
    await makePartitions(db, ago(24 * 70), now);
    ledger = await openTestLedger(db);
    account = await makeAccount(db, { account: 10_000_000n, keys: [5_000_000n, 5_000_000n] });
    other = await makeAccount(db, { account: 10_000_000n, keys: [5_000_000n] });
    await settle({ createdAt: ago(0.01), costMicroCents: 250n, latencyMs: 100 });
    await settle({ createdAt: ago(1), model: "other", keyId: account.keyIds[1], costMicroCents: 1_000_000n });
    await settle({
      createdAt: ago(2),
      status: "error",
      httpStatus: 502,
      errorCode: "UPSTREAM_ERROR",
      costMicroCents: 0n,
      billingSource: "none",
      latencyMs: 4_000,
    });
    const large = { ...NO_USAGE, inputUncached: 500, output: 7 };
    await settle({ createdAt: ago(30), costMicroCents: 70n, usage: large });
    await settle({ createdAt: ago(24 * 6 + 9), costMicroCents: 30n });
    await settle({ createdAt: ago(24 * 10), costMicroCents: 5n });
    await settle({ createdAt: ago(1) }, other);
    await settle({ createdAt: ago(40), model: "=evil", status: "cancelled", warnings: ["dropped:seed"] });
  });
  afterAll(() => ledger.drain());

  const volume = async (filter: LogFilter, timeZone = "UTC") => {
    const found = await readLogVolume(db, { userId: account.userId, ...filter }, timeZone, now);
    const total = (name: "requestCount" | "failedCount" | "refusedCount") =>
      found.buckets.reduce((sum, bucket) => sum + bucket[name], 0);
    return { ...found, counts: [total("requestCount"), total("failedCount"), total("refusedCount")] };
  };

  describe("the requests over time", () => {
    test("agree with the log for every filter, whether the roll-ups can answer it or not", async () => {
      const keyId = account.keyIds[1] ?? "";
      const filters: LogFilter[] = [
        {},
        { model: "other" },
        { tokenId: keyId },
        { tokenId: "nonsense" },
        ...([{ outcome: "failed" }, { outcome: "refused" }, { outcome: "unanswered" }] as const),
        ...([{ errorCode: "UPSTREAM_ERROR" }, { errorCode: "UPSTREAM_ERROR", outcome: "refused" }] as const),
        ...([{ status: "cancelled" }, { status: "error", outcome: "unanswered" }] as const),
        ...([{ minLatencyMs: 4_000 }, { minCost: 1_000_000n }, { operation: "embed" }] as const),
        { requestId: written[0]?.requestId },
      ];
      for (const filter of filters) {
        const { data } = await listLogs(
          db,
          { userId: account.userId, ...filter },
          { page: 1, pageSize: 100 },
        );
        const failed = data.filter(({ errorCode }) => errorCode !== null).length;
        expect((await volume(filter)).counts, String(Object.entries(filter))).toEqual([
          data.length,
          failed,
          0,
        ]);
      }
    });

    test("begin with the first request or the filter's time, in hours when that is near, and last until now", async () => {
      const all = await volume({});
      expect(all).toMatchObject({ bucket: "day", to: now.toISOString(), counts: [7, 1, 0] });
      expect(all.buckets.map(({ requestCount }) => requestCount)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 3]);
      const near = await volume({ from: ago(24) });
      expect(near).toMatchObject({ bucket: "hour", counts: [3, 1, 0] });
      expect(await volume({ from: ago(24.8) }), "last 24 h, chosen a while ago").toMatchObject({
        bucket: "hour",
      });
      expect(await volume({ from: ago(24.8), to: now })).toMatchObject({ bucket: "day" });
      const week = await volume({ from: ago(60), to: ago(50) }, "Asia/Shanghai");
      expect(week.buckets).toHaveLength(7);
      expect((await volume({ from: ago(24 * 4000) })).buckets).toHaveLength(92);
      expect((await volume({ userId: newRequestId() })).buckets).toHaveLength(7);
    });
  });

  describe("statistics", () => {
    test("cover every day of the range, oldest first, and agree with the log to the last micro-cent", async () => {
      const stats = await readStats(db, { ...whole, userId: account.userId }, now);
      expect(stats.dailyBreakdown.map(({ date }) => date)).toEqual([
        "2026-11-15",
        "2026-11-16",
        "2026-11-17",
        "2026-11-18",
        "2026-11-19",
        "2026-11-20",
        "2026-11-21",
      ]);
      const { data } = await listLogs(
        db,
        { userId: account.userId, from: new Date(stats.from), to: new Date(stats.to) },
        { page: 1, pageSize: 100 },
      );
      expect(stats.totalRequests).toBe(data.length);
      expect(sum(stats.dailyBreakdown)).toEqual(sum(stats.modelBreakdown));
      expect(sum(stats.series)).toEqual(sum(stats.modelBreakdown));
      expect(sum(stats.buckets)).toEqual(sum(stats.modelBreakdown));
      expect(sum(data.map((entry) => ({ ...entry, requestCount: 1 })))).toEqual(sum(stats.dailyBreakdown));
      expect(stats.totals).toMatchObject({ requestCount: 6, errorCount: 1, cost: "1.00045" });
      expect(stats.totals.errors).toEqual({ UPSTREAM_ERROR: 1 });
      expect(stats.previous).toMatchObject({ requestCount: 1, cost: "0.000005", partial: true });
      const day = await readStats(db, { userId: account.userId, period: "24h", timeZone: "UTC" }, now);
      expect(day.previous, "there was usage days before").toMatchObject({ requestCount: 2, partial: false });
    });

    test("of 24 hours come in local hours on the roll-ups' grid", async () => {
      const stats = await readStats(
        db,
        { period: "24h", timeZone: "Asia/Kathmandu", userId: account.userId },
        now,
      );
      expect(stats.from).toBe("2026-11-20T10:00:00.000Z");
      expect(stats.to).toBe(now.toISOString());
      expect(stats.buckets.slice(0, 3).map(({ bucketStart }) => bucketStart)).toEqual([
        "2026-11-20T10:00:00.000Z",
        "2026-11-20T10:15:00.000Z",
        "2026-11-20T11:15:00.000Z",
      ]);
      expect(stats.dailyBreakdown.map(({ date }) => date)).toEqual(["2026-11-20", "2026-11-21"]);
      expect(stats.totalRequests).toBe(3);
    });

    test("narrow to a key, a model and an account, and are zero where nothing was", async () => {
      const narrowed = (filter: object) => readStats(db, { ...whole, ...filter }, now);
      expect((await narrowed({ tokenId: account.keyIds[1] })).totalRequests).toBe(1);
      expect((await narrowed({ userId: account.userId, model: "other" })).totalRequests).toBe(1);
      expect((await narrowed({})).totalRequests).toBe(7);
      const nothing = await narrowed({ model: "none" });
      expect(nothing.totals).toMatchObject({ requestCount: 0, cost: "0", p50Ms: null, p95Ms: null });
      expect(nothing.dailyBreakdown).toHaveLength(7);
    });

    test("give percentiles of what was answered, without the failure after four seconds", async () => {
      const { totals } = await readStats(db, { ...whole, userId: account.userId }, now);
      expect(totals.p50Ms).toBeGreaterThan(60);
      expect(totals.p50Ms).toBeLessThan(190);
      expect(totals.p95Ms).toBeGreaterThan(60);
      expect(totals.p95Ms).toBeLessThan(190);
    });
  });

  describe("the log", () => {
    test("walks by cursor through every entry once, newest first", async () => {
      const seen: string[] = [];
      let cursor: string | null | undefined;
      for (let steps = 0; steps < 20 && cursor !== null; steps += 1) {
        const page = await listLogs(
          db,
          { userId: account.userId },
          { page: 1, pageSize: 2, ...(cursor ? { cursor } : {}) },
        );
        seen.push(...page.data.map(({ requestId }) => requestId));
        cursor = page.nextCursor;
      }
      const newestFirst = [...written].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
      expect(seen).toEqual(newestFirst.map(({ requestId }) => requestId));
    });

    test.each([
      ["cost", (entry: Settlement) => Number(entry.costMicroCents)],
      ["latencyMs", (entry: Settlement) => entry.latencyMs],
      ["totalTokens", (entry: Settlement) => promptTokens(entry.usage) + entry.usage.output],
    ] as const)(
      "sorted by %s has the largest first, and walks through every entry once",
      async (sort, of) => {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const request = { page: 1, pageSize: 2, sort, cursor };
          const { data, nextCursor } = await listLogs(db, { userId: account.userId }, request);
          seen.push(...data.map(({ requestId }) => requestId));
          cursor = nextCursor ?? undefined;
        } while (cursor !== undefined && seen.length < 20);
        const largestFirst = [...written].sort(
          (a, b) => of(b) - of(a) || b.createdAt.getTime() - a.createdAt.getTime(),
        );
        expect(seen).toEqual(largestFirst.map(({ requestId }) => requestId));
      },
    );

    test("counts exactly and pages by number", async () => {
      const page = await listLogs(db, { userId: account.userId }, { page: 4, pageSize: 2 });
      expect(page).toMatchObject({ page: 4, pageSize: 2, total: 7, nextCursor: null });
      expect(page.data).toHaveLength(1);
    });

    test("narrows by each filter", async () => {
      const count = async (filter: object) =>
        (await listLogs(db, { userId: account.userId, ...filter }, { page: 1, pageSize: 100 })).data.length;
      expect(await count({ tokenId: account.keyIds[1] })).toBe(1);
      expect(await count({ model: "other" })).toBe(1);
      expect(await count({ status: "error" })).toBe(1);
      expect(await count({ errorCode: "UPSTREAM_ERROR" })).toBe(1);
      expect(await count({ minLatencyMs: 4_000 })).toBe(1);
      expect(await count({ requestId: written[0]?.requestId })).toBe(1);
      expect(await count({ requestId: "no-id" })).toBe(0);
      expect(await count({ from: ago(3), to: ago(0.5) })).toBe(2);
    });

    test("refuses a cursor that is not its own and pages beyond the counted rows", async () => {
      const list = (request: object) => listLogs(db, {}, { page: 1, pageSize: 20, ...request });
      await expect(list({ cursor: "x" })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
      const { nextCursor } = await listLogs(db, {}, { page: 1, pageSize: 2, sort: "cost" });
      for (const sort of ["createdAt", "latencyMs"] as const)
        await expect(list({ cursor: nextCursor, sort })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
      const row = Buffer.from(nextCursor ?? "", "base64url")
        .toString()
        .split(" ")
        .slice(0, 2)
        .join(" ");
      for (const end of [" cost", " cost x", " cost 9999999999999999999"])
        await expect(
          list({ cursor: Buffer.from(row + end).toString("base64url"), sort: "cost" }),
        ).rejects.toMatchObject({ code: "INVALID_REQUEST" });
      await expect(list({ page: 501 })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    });

    test("goes out as CSV in batches, with formulas made harmless", async () => {
      const bounds = { reports: new FairSemaphore(), accountId: account.userId };
      const csv = await csvStream(walkLogs(db, { userId: account.userId }, 100, 3), bounds);
      const text = await new Response(csv).text();
      const lines = text.split("\r\n");
      expect(lines[0]).toMatch(/^requestId,createdAt,.*,usageSource,costCents,latencyMs,/);
      expect(lines).toHaveLength(written.length + 2);
      expect(text).toContain(",'=evil,");
    });
  });
});

interface Counted {
  requestCount: number;
  promptTokens: number;
  completionTokens: number;
  cost: string;
}

function sum(entries: readonly Counted[]) {
  return {
    requests: entries.reduce((total, entry) => total + entry.requestCount, 0),
    prompt: entries.reduce((total, entry) => total + entry.promptTokens, 0),
    completion: entries.reduce((total, entry) => total + entry.completionTokens, 0),
    cost: entries.reduce((total, entry) => total + microCentsOf(entry.cost), 0n),
  };
}

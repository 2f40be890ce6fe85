import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listUsers } from "@/lib/admin/user-records";
import { compactRollups } from "@/lib/billing/rollups";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { HOUR_MS } from "@/lib/kernel/durations";
import { histogramQuantile } from "@/lib/kernel/latency-histogram";
import { centsDecimal } from "@/lib/kernel/money";
import { newRequestId } from "@/lib/kernel/request-id";
import { readAdminStats } from "@/lib/reports/admin-stats";
import { boundRollups, coveringRollups } from "@/lib/reports/covering-rollups";
import { statsRange } from "@/lib/reports/stats-range";
import { addUsage, figuresOf, noUsage, sumUsage } from "@/lib/reports/usage-sums";
import {
  makeAccount,
  openTestLedger,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { forEachDatabase } from "@/tests/support/database";

const DAYS = 5;
const QUARTER_HOUR_MS = HOUR_MS / 4;

await forEachDatabase((_kind, open) => {
  let db: Database;
  let ledger: TestLedger;
  let account: TestAccount;
  let other: TestAccount;
  let serial = 0;
  const saved = new Map<string, { microCents: bigint; tokens: number }>();
  const now = Date.now();

  /** Something of everything that is summed up, spread over the days. */
  const settle = (hoursAgo: number, owner = account) => {
    serial += 1;
    const failed = serial % 5 === 0;
    const fields: Partial<Settlement> = {
      createdAt: new Date(now - hoursAgo * HOUR_MS),
      keyId: owner.keyIds[serial % owner.keyIds.length],
      model: serial % 3 === 0 ? "small" : "large",
      costMicroCents: failed ? 0n : BigInt(serial),
      latencyMs: 7 * serial,
      usage: { inputUncached: 10, cacheRead: serial % 4, cacheWrite: serial % 3, output: 5, reasoning: 0 },
      cacheSavingMicroCents: BigInt((serial % 4) * 9 - (serial % 3) * 7),
      ...(failed
        ? { status: "error", httpStatus: 502, errorCode: "UPSTREAM_ERROR", billingSource: "none" }
        : {}),
    };
    const before = saved.get(owner.userId) ?? { microCents: 0n, tokens: 0 };
    saved.set(owner.userId, {
      microCents: before.microCents + (fields.cacheSavingMicroCents ?? 0n),
      tokens: before.tokens + (serial % 4) + (serial % 3),
    });
    return ledger.settle(settlementOf(owner, { requestId: newRequestId(), ...fields }));
  };
  const spread = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) => settle(((n + 1) * DAYS * 24) / count, n % 4 ? account : other)),
    );

  /** What the log itself says of the same buckets. */
  const fromLog = async (userId: string | null, starts: readonly number[], to: number) => {
    const rows = await db.query<{ index: number; model: string; requests: bigint; cost: string; ms: string }>(
      `SELECT width_bucket(created_at, string_to_array($1::text, ',')::timestamptz[]) - 1 AS index, model,
         count(*) AS requests, sum(cost_micro_cents)::text AS cost, coalesce(sum(latency_ms) FILTER (WHERE error_code IS NULL), 0)::text AS ms
       FROM request_log WHERE created_at >= $2 AND created_at < $3 AND ($4::uuid IS NULL OR user_id = $4::uuid)
       GROUP BY 1, 2 ORDER BY 1, 2`,
      [
        starts.map((start) => new Date(start).toISOString()).join(","),
        new Date(starts[0] ?? to),
        new Date(to),
        userId,
      ],
    );
    return rows.map((row) => [row.index, row.model, Number(row.requests), BigInt(row.cost), Number(row.ms)]);
  };
  const expectSumsOfLog = async () => {
    for (const zone of ["UTC", "Asia/Shanghai", "Asia/Kathmandu", "America/New_York"]) {
      for (const userId of [account.userId, null]) {
        const { starts, to } = statsRange("7d", zone, now);
        const filter = userId === null ? {} : { userId };
        const found = await sumUsage(db, filter, starts, to);
        const sums = found.map(({ index, model, sums }) => [
          index,
          model,
          sums.requestCount,
          sums.costMicroCents,
          sums.latencySumMs,
        ]);
        expect(sums).toEqual(await fromLog(userId, starts, to));
        for (const { sums } of found) {
          const answered = sums.requestCount - sums.errorCount;
          expect(sums.latencyHistogram.reduce((a, b) => a + b)).toBe(answered);
          expect(sums.errorCounts.reduce((a, b) => a + b)).toBe(sums.errorCount);
          if (answered > 0) expect(histogramQuantile(sums.latencyHistogram, 1)).toBeGreaterThan(0);
        }
      }
    }
  };
  /** Of each account, over all its buckets. */
  const expectSavings = async () => {
    for (const [userId, { microCents, tokens }] of saved) {
      const { starts, to } = statsRange("30d", "UTC", now);
      const found = await sumUsage(db, { userId }, starts, to);
      const sum = found.reduce((all, { sums }) => addUsage(all, sums), noUsage());
      expect([sum.cacheSavingMicroCents, sum.cacheSavingTokens]).toEqual([microCents, tokens]);
      expect(figuresOf(sum).cacheSaving).toBe(centsDecimal(microCents));
    }
  };
  /** The leading accounts are summed from the same roll-ups. */
  const expectLeadersOfLog = async () => {
    const { starts, to } = statsRange("7d", "UTC", now);
    const leaders = await db.query<{ id: string; requests: bigint; cost: string }>(
      `SELECT user_id AS id, count(*) AS requests, sum(cost_micro_cents)::text AS cost FROM request_log
       WHERE created_at >= $1 AND created_at < $2 GROUP BY 1 ORDER BY sum(cost_micro_cents) DESC`,
      [new Date(starts[0] ?? to), new Date(to)],
    );
    const stats = await readAdminStats(db, { period: "7d", timeZone: "UTC" }, new Date(now));
    expect(stats.activeUsers).toBe(2);
    expect(stats.topUsers.map(({ userId, requestCount, cost }) => [userId, requestCount, cost])).toEqual(
      leaders.map(({ id, requests, cost }) => [id, Number(requests), centsDecimal(BigInt(cost))]),
    );
  };
  /** What accounts were billed is summed from them too, from any quarter of an hour on. */
  const expectBilledOfLog = async () => {
    const since = new Date(Math.floor((now - 50 * HOUR_MS) / QUARTER_HOUR_MS) * QUARTER_HOUR_MS);
    const billed = await db.query<{ id: string; cost: string }>(
      `SELECT user_id AS id, sum(cost_micro_cents)::text AS cost FROM request_log WHERE created_at >= $1 GROUP BY 1
       ORDER BY sum(cost_micro_cents) DESC`,
      [since],
    );
    const order = { sort: "billed30d", order: "desc" } as const;
    const rollups = boundRollups(await coveringRollups(db, [since.getTime()], now));
    const { data } = await listUsers(db, { ...order, rollups }, { page: 1, pageSize: billed.length });
    expect(billed).toHaveLength(2);
    expect(data.map(({ id, billed30d }) => [id, billed30d])).toEqual(
      billed.map(({ id, cost }) => [id, centsDecimal(BigInt(cost))]),
    );
  };
  const longRows = async () => {
    const [row] = await db.query<{ rows: bigint }>("SELECT count(*) AS rows FROM usage_rollups_4h");
    return Number(row?.rows);
  };

  beforeAll(async () => {
    db = await open();
    await makePartitions(db, new Date(now - 10 * 24 * HOUR_MS), new Date(now));
    ledger = await openTestLedger(db);
    account = await makeAccount(db, { account: 10_000_000n, keys: [5_000_000n, 5_000_000n] });
    other = await makeAccount(db, { account: 10_000_000n, keys: [5_000_000n] });
  });
  afterAll(() => ledger.drain());

  describe("roll-ups of four hours", () => {
    test("give the same sums as the log before they are made, and after", async () => {
      await spread(240);
      expect(await longRows()).toBe(0);
      await expectSumsOfLog();
      await expectSavings();
      await expectBilledOfLog();
      const done = await compactRollups(db);
      expect(done.getTime()).toBeLessThanOrEqual(now - 2 * HOUR_MS);
      expect(done.getTime()).toBeGreaterThan(now - 7 * HOUR_MS);
      expect(await longRows()).toBeGreaterThan(50);
      await expectSumsOfLog();
      await expectSavings();
      await expectLeadersOfLog();
      await expectBilledOfLog();
    });

    test("follow settlements that come late, of buckets that were there and of new ones", async () => {
      await spread(130);
      await settle(DAYS * 24 + 30);
      await expectSumsOfLog();
      await expectSavings();
    });

    test("are right however late settlements and several folds meet", async () => {
      await db.query("UPDATE rollup_progress SET folded_until = '1970-01-01T00:00:00Z'");
      await db.query("DELETE FROM usage_rollups_4h");
      const folds = Array.from({ length: 4 }, () => compactRollups(db));
      await Promise.all([...folds, spread(200), spread(90)]);
      await expectSumsOfLog();
      await expectSavings();
      expect(await compactRollups(db)).toEqual(await compactRollups(db));
    });
  });
});

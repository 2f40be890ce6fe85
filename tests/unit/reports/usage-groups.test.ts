import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { HOUR_MS } from "@/lib/kernel/durations";
import { newRequestId } from "@/lib/kernel/request-id";
import { readStats, type StatsRequest } from "@/lib/reports/stats";
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

await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  let ledger: TestLedger;
  let account: TestAccount;
  let other: TestAccount;
  const settle = (owner: TestAccount, key: number, hours: number, fields: Partial<Settlement> = {}) =>
    ledger.settle(
      settlementOf(owner, {
        requestId: newRequestId(),
        keyId: owner.keyIds[key] ?? "",
        createdAt: ago(hours),
        ...fields,
      }),
    );
  const read = (request: Partial<StatsRequest>) =>
    readStats(db, { period: "7d", timeZone: "UTC", userId: account.userId, ...request }, now);

  beforeAll(async () => {
    db = await open();
    await makePartitions(db, ago(24 * 70), now);
    ledger = await openTestLedger(db);
    account = await makeAccount(db, { account: 90_000_000n, keys: Array(7).fill(9_000_000n) });
    other = await makeAccount(db, { account: 90_000_000n, keys: [9_000_000n] });
    for (const [key] of account.keyIds.entries()) {
      await settle(account, key, 1 + 20 * key, { costMicroCents: BigInt(1_000 * (key + 1) + 1) });
      await settle(account, key, 3, { model: "second", costMicroCents: 7n });
    }
    await settle(account, 6, 2, { status: "error", httpStatus: 502, errorCode: "UPSTREAM_ERROR" });
    await settle(account, 0, 24 * 20, { costMicroCents: 123n });
    await settle(other, 0, 1, { costMicroCents: 5_000_000n });
    await db.query("UPDATE api_keys SET status = 'disabled', deleted_at = now() WHERE id = $1", [
      account.keyIds[5] ?? "",
    ]);
  });
  afterAll(() => ledger.drain());

  describe("usage by key", () => {
    test("has every key, the dearest first, whose sums are the totals; a deleted key keeps its name", async () => {
      const { groups, totals } = await read({ groupBy: "key" });
      expect(groups).toMatchObject({ by: "key", others: null });
      expect(sum(groups?.rows ?? [])).toEqual(sum([totals]));
      expect(groups?.rows.map(({ id }) => id)).toEqual([...account.keyIds].reverse());
      const deleted = groups?.rows.find(({ id }) => id === account.keyIds[5]);
      expect(deleted).toMatchObject({ deleted: true, keyPrefix: "tgw-test", owner: null });
      expect(deleted?.name).toMatch(/-5$/);
      expect(groups?.rows[0]).toMatchObject({ deleted: false, requestCount: 3, errorCount: 1 });
    });

    test("has a series of the first five, which is no more than the buckets", async () => {
      const { groups, buckets } = await read({ groupBy: "key" });
      const ids = groups?.rows.slice(0, 5).map(({ id }) => id) ?? [];
      expect(new Set(groups?.series.map(({ id }) => id))).toEqual(new Set(ids));
      for (const id of ids) {
        const row = groups?.rows.filter((one) => one.id === id) ?? [];
        expect(sum(groups?.series.filter((point) => point.id === id) ?? [])).toEqual(sum(row));
      }
      const starts = new Set(buckets.map(({ bucketStart }) => bucketStart));
      expect(groups?.series.every(({ bucketStart }) => starts.has(bucketStart))).toBe(true);
    });

    test("narrows like the totals, and is null when it is not asked for", async () => {
      const { groups, totals } = await read({ groupBy: "key", model: "second" });
      expect(totals.requestCount).toBe(7);
      expect(sum(groups?.rows ?? [])).toEqual(sum([totals]));
      expect((await read({ groupBy: "key", model: "none" })).groups).toEqual({
        by: "key",
        rows: [],
        others: null,
        series: [],
      });
      expect((await read({})).groups).toBeNull();
    });

    test("of all accounts names the account of each key", async () => {
      const { groups } = await read({ groupBy: "key", userId: undefined });
      expect(groups?.rows).toHaveLength(8);
      expect(new Set(groups?.rows.map(({ owner }) => owner)).size).toBe(2);
      expect(groups?.rows[0]?.id).toBe(other.keyIds[0]);
    });
  });

  test("usage by account has every account, whose sums are the totals", async () => {
    const { groups, totals } = await read({ groupBy: "user", userId: undefined });
    expect(groups?.rows.map(({ id }) => id)).toEqual([other.userId, account.userId]);
    expect(groups?.rows.map(({ keyPrefix }) => keyPrefix)).toEqual([null, null]);
    expect(sum(groups?.rows ?? [])).toEqual(sum([totals]));
  });

  /** Source: docs/projects.md#sums: G-29. */
  describe("usage by project and member", () => {
    const zones = ["UTC", "Asia/Shanghai", "America/St_Johns", "Pacific/Apia"];
    let payer: TestAccount;
    let projectIds: string[];

    beforeAll(async () => {
      payer = await makeAccount(db, { account: 90_000_000n, keys: Array(6).fill(9_000_000n) });
      projectIds = await Promise.all(
        ["Search", "Archived"].map(async (name) => {
          const sql = "INSERT INTO projects (user_id, name, archived_at) VALUES ($1, $2, $3) RETURNING id";
          const [row] = await db.query<{ id: string }>(sql, [
            payer.userId,
            name,
            name === "Archived" ? now : null,
          ]);
          return row?.id ?? "";
        }),
      );
      const keysOf = [
        [0, projectIds[0], payer.userId],
        [1, projectIds[0], other.userId],
        [2, projectIds[0], other.userId],
        [3, projectIds[1], account.userId],
      ] as const;
      for (const [key, project = "", maker] of keysOf)
        await db.query("UPDATE api_keys SET project_id = $2, created_by = $3 WHERE id = $1", [
          payer.keyIds[key] ?? "",
          project,
          maker,
        ]);
      for (const key of payer.keyIds.keys())
        for (const hours of [1, 9 * key + 2, 30])
          await settle(payer, key, hours, { costMicroCents: BigInt(10 ** key) });
    });

    test.each(zones)("adds up to the totals and to what was used, in %s", async (timeZone) => {
      for (const userId of [payer.userId, undefined])
        for (const groupBy of ["project", "member", "key"] as const) {
          const { groups, totals } = await read({ groupBy, userId, timeZone });
          expect(sum(groups?.rows ?? [])).toEqual(sum([totals]));
          const seen = new Set(groups?.series.map(({ id }) => id));
          const rows = groups?.rows.filter(({ id }) => seen.has(id)) ?? [];
          expect(sum(groups?.series ?? [])).toEqual(sum(rows));
          if (userId === undefined) continue;
          const [used] = await db.query<{ used: string }>(
            "SELECT used_micro_cents::text AS used FROM users WHERE id = $1",
            [userId],
          );
          expect(sum([totals]).cost).toBe(BigInt(used?.used ?? 0));
        }
    });

    test("has a row for keys of no project, and one for each maker, the payer of personal keys too", async () => {
      const byProject = (await read({ groupBy: "project", userId: payer.userId })).groups?.rows ?? [];
      expect(byProject).toMatchObject([
        { id: "personal", name: "", requestCount: 6, deleted: false },
        { id: projectIds[1], name: "Archived", requestCount: 3, deleted: true },
        { id: projectIds[0], name: "Search", requestCount: 9, deleted: false },
      ]);
      const byMember = (await read({ groupBy: "member", userId: payer.userId })).groups?.rows ?? [];
      expect(byMember.map(({ id, requestCount }) => [id, requestCount])).toEqual([
        [payer.userId, 9],
        [account.userId, 3],
        [other.userId, 6],
      ]);
    });

    test("narrows to a project, to personal keys and to a maker, as the rows say", async () => {
      for (const groupBy of ["project", "member"] as const) {
        const { groups } = await read({ groupBy, userId: payer.userId });
        for (const row of groups?.rows ?? []) {
          const narrowed = groupBy === "project" ? { projectId: row.id } : { createdBy: row.id };
          const { totals } = await read({ userId: payer.userId, ...narrowed });
          expect(sum([totals])).toEqual(sum([row]));
        }
      }
      const everywhere = await read({ userId: undefined, projectId: projectIds[0], createdBy: other.userId });
      expect(everywhere.totals.requestCount).toBe(6);
      expect((await read({ projectId: "nothing" })).totals.requestCount).toBe(0);
    });
  });

  test("a key that only fails has a series beside those of the dearest five, and buckets tell the period before", async () => {
    const many = await makeAccount(db, { account: 90_000_000n, keys: Array(7).fill(1_000_000n) });
    for (const key of [0, 1, 2, 3, 4, 5]) await settle(many, key, 1, { costMicroCents: 900n });
    await settle(many, 6, 1, {
      costMicroCents: 0n,
      status: "error",
      httpStatus: 502,
      errorCode: "UPSTREAM_ERROR",
    });
    await settle(many, 0, 1 + 7 * 24, { costMicroCents: 5_000_000n });
    const { groups, buckets, previous } = await read({ groupBy: "key", userId: many.userId });
    const ids = new Set(groups?.series.map(({ id }) => id));
    expect(ids.size).toBe(6);
    expect(ids).toContain(many.keyIds[6]);
    const before = buckets.map((bucket) => bucket.previous?.requestCount);
    expect(before).toEqual([0, 0, 0, 0, 0, 0, 1]);
    expect(buckets.at(-1)?.previous?.cost).toBe(previous.cost);
  });

  test("a key has its own latencies: the average exactly, the percentiles as the totals of that key alone", async () => {
    const both = await makeAccount(db, { account: 90_000_000n, keys: Array(2).fill(9_000_000n) });
    for (const latencyMs of [90, 100, 110]) await settle(both, 0, 1, { latencyMs });
    for (const latencyMs of [100, 200, 9_900]) await settle(both, 1, 30, { latencyMs });
    const { groups } = await read({ groupBy: "key", userId: both.userId });
    const averages = [100, 3_400];
    for (const [key, averageLatencyMs] of averages.entries()) {
      const tokenId = both.keyIds[key];
      const { p50Ms, p95Ms } = (await read({ userId: both.userId, tokenId })).totals;
      expect(p95Ms).not.toBeNull();
      expect(groups?.rows.find(({ id }) => id === tokenId)).toMatchObject({ averageLatencyMs, p50Ms, p95Ms });
    }
    expect(groups?.series.every(({ p50Ms, p95Ms }) => p50Ms !== null && p95Ms !== null)).toBe(true);
  });

  test("the percentiles of a single request are what it took", async () => {
    const one = await makeAccount(db, { account: 90_000_000n, keys: [9_000_000n] });
    await settle(one, 0, 1, { latencyMs: 2_900 });
    expect((await read({ userId: one.userId })).totals).toMatchObject({
      averageLatencyMs: 2_900,
      p50Ms: 2_900,
      p95Ms: 2_900,
    });
  });

  test("more than 200 keys are 200 and the sum of the others, to the last micro-cent", async () => {
    const many = await makeAccount(db, { account: 90_000_000n, keys: Array(203).fill(1_000_000n) });
    await Promise.all(many.keyIds.map((_, key) => settle(many, key, 1, { costMicroCents: BigInt(key + 1) })));
    const { groups, totals } = await read({ groupBy: "key", userId: many.userId });
    expect(groups?.rows).toHaveLength(200);
    expect(groups?.others).toMatchObject({ count: 3, requestCount: 3, cost: "0.000006" });
    const { averageLatencyMs, p50Ms, p95Ms } = totals;
    expect(groups?.others, "all take as long").toMatchObject({ averageLatencyMs, p50Ms, p95Ms });
    expect(sum([...(groups?.rows ?? []), ...(groups?.others ? [groups.others] : [])])).toEqual(sum([totals]));
  });

  describe("chosen days", () => {
    test("are whole local days, both included, and agree with the sums of each day", async () => {
      const days = { from: "2026-11-16", to: "2026-11-20" };
      const stats = await read({ period: days, timeZone: "Asia/Shanghai", groupBy: "key" });
      expect(stats).toMatchObject({
        period: "custom",
        bucket: "day",
        inProgress: false,
        from: "2026-11-15T16:00:00.000Z",
        to: "2026-11-20T16:00:00.000Z",
        previous: { from: "2026-11-10T16:00:00.000Z", to: "2026-11-15T16:00:00.000Z" },
      });
      let requests = 0;
      for (const { date, requestCount } of stats.dailyBreakdown) {
        const day = await read({ period: { from: date, to: date }, timeZone: "Asia/Shanghai" });
        expect(day).toMatchObject({ bucket: "hour", totalRequests: requestCount });
        expect(day.buckets).toHaveLength(24);
        requests += day.totalRequests;
      }
      expect(stats.totalRequests).toBe(requests);
      expect(sum(stats.groups?.rows ?? [])).toEqual(sum([stats.totals]));
    });

    test("up to today end now", async () => {
      const stats = await read({ period: { from: "2026-11-15", to: "2026-11-21" } });
      const week = await read({});
      expect(stats).toEqual({ ...week, period: "custom" });
    });

    test.each([
      [{ from: "2026-11-20", to: "2026-11-19" }, "from"],
      [{ from: "2026-11-20", to: "2026-11-22" }, "to"],
      [{ from: "2026-08-20", to: "2026-11-20" }, "to"],
      [{ from: "2026-11-20", to: "" }, "from"],
      [{ from: "2026-02-30", to: "2026-03-02" }, "from"],
    ])("are refused as %j", async (period, param) => {
      await expect(read({ period })).rejects.toMatchObject({
        code: "INVALID_REQUEST",
        details: { param },
      });
    });
  });
});

interface Counted {
  requestCount: number;
  errorCount: number;
  promptTokens: number;
  completionTokens: number;
  cacheReadTokens: number;
  cost: string;
}

function sum(entries: readonly Counted[]) {
  const total = (read: (entry: Counted) => number) => entries.reduce((all, entry) => all + read(entry), 0);
  return {
    requests: total((entry) => entry.requestCount),
    errors: total((entry) => entry.errorCount),
    prompt: total((entry) => entry.promptTokens),
    completion: total((entry) => entry.completionTokens),
    cached: total((entry) => entry.cacheReadTokens),
    cost: entries.reduce((all, entry) => all + microCentsOf(entry.cost), 0n),
  };
}

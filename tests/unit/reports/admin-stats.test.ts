import { expect, test } from "vitest";
import { MAX_RANGE_DAYS } from "@/lib/kernel/day-range";
import { readAdminStats } from "@/lib/reports/admin-stats";
import { forEachDatabaseInAll } from "@/tests/support/database";

const NODES = 40;

await forEachDatabaseInAll((_kind, open) => {
  test("the calls of many nodes over the longest range are all there", async () => {
    const db = await open();
    await db.query(
      `INSERT INTO node_rollups (bucket, node_id, model, attempt_count, failure_count, prompt_tokens,
         completion_tokens, cost_micro_cents, latency_sum_ms, latency_histogram)
       SELECT day, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'm', 1, 0, 0, 0, 0, 5, '{}'
       FROM generate_series('2026-08-22T00:00:00Z'::timestamptz, '2026-11-21T00:00:00Z', '24 hours') day,
         generate_series(1, ${NODES}) n`,
    );
    const period = { from: "2026-08-22", to: "2026-11-21" };
    const now = new Date("2026-11-21T10:07:30.000Z");
    const { nodeSeries } = await readAdminStats(db, { period, timeZone: "UTC" }, now);
    expect(nodeSeries).toHaveLength(NODES);
    for (const { points } of nodeSeries)
      expect(points.filter(({ attemptCount }) => attemptCount === 1)).toHaveLength(MAX_RANGE_DAYS);
  });
});

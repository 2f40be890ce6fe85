import { beforeAll, expect, test } from "vitest";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { HOUR_MS } from "@/lib/kernel/durations";
import { newRequestId } from "@/lib/kernel/request-id";
import type { LogFilter } from "@/lib/reports/log-filter";
import { readLogVolume } from "@/lib/reports/log-volume";
import { makeAccount, openTestLedger, settlementOf } from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

const now = new Date("2026-11-21T10:07:30.000Z");
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);

/** Source: docs/contract.md#log-volume. */
await forEachDatabaseInAll((_kind, open) => {
  let db: Database;

  beforeAll(async () => {
    db = await open();
    await makePartitions(db, ago(24 * 7), now);
  });

  test("requests with an error are counted from the roll-ups without the interrupted ones; the log of errors is not read", async () => {
    const ledger = await openTestLedger(db);
    const owner = await makeAccount(db, { account: 10_000_000n, keys: [5_000_000n] });
    const settle = (fields: Partial<Settlement>) =>
      ledger.settle(settlementOf(owner, { requestId: newRequestId(), ...fields }));
    const lost = {
      costMicroCents: 0n,
      billingSource: "none",
      httpStatus: 502,
      errorCode: "UPSTREAM_ERROR",
    } as const;
    await settle({ createdAt: ago(1), status: "error", ...lost });
    await settle({ createdAt: ago(50), status: "error", ...lost, errorCode: "RATE_LIMITED" });
    await settle({ createdAt: ago(1), status: "interrupted", ...lost });
    await settle({ createdAt: ago(1), status: "cancelled" });
    const countsOf = async (filter: LogFilter) => {
      const { buckets } = await readLogVolume(db, { userId: owner.userId, ...filter }, "UTC", now);
      const names = ["requestCount", "failedCount", "refusedCount"] as const;
      return names.map((name) => buckets.reduce((sum, bucket) => sum + bucket[name], 0));
    };
    expect(await countsOf({})).toEqual([4, 2, 1]);
    const checkErrors = async () => {
      expect(await countsOf({ status: "error" })).toEqual([2, 1, 1]);
      expect(await countsOf({ status: "error", outcome: "failed" })).toEqual([1, 1, 0]);
      expect(await countsOf({ status: "error", errorCode: "RATE_LIMITED" })).toEqual([1, 0, 1]);
      expect(await countsOf({ status: "error", from: ago(24) })).toEqual([1, 1, 0]);
    };
    await checkErrors();
    expect(await countsOf({ status: "interrupted" })).toEqual([1, 1, 0]);
    await db.query("DELETE FROM request_log WHERE user_id = $1 AND status = 'error'", [owner.userId]);
    await checkErrors();
    await ledger.drain();
  });
});

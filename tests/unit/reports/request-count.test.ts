import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { users } from "@/lib/db/schema/accounts";
import { newRequestId } from "@/lib/kernel/request-id";
import { readLedgerMonths } from "@/lib/reports/ledger";
import { listLogs } from "@/lib/reports/logs";
import { readStats } from "@/lib/reports/stats";
import {
  makeAccount,
  openTestLedger,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

const now = new Date("2026-11-21T10:07:30.000Z");
/** In Shanghai it is November from 16:00 UTC on, in New York from 04:00 UTC on. */
const moments = [
  "2026-10-31T15:59:00Z",
  "2026-10-31T16:01:00Z",
  "2026-11-01T03:59:00Z",
  "2026-11-01T04:01:00Z",
];
const refused = { status: "error", httpStatus: 429, errorCode: "RATE_LIMITED", costMicroCents: 0n } as const;
const outcomes: Partial<Settlement>[] = [
  { costMicroCents: 70n },
  { ...refused, httpStatus: 502, errorCode: "UPSTREAM_ERROR" },
  refused,
  { status: "cancelled", costMicroCents: 0n },
];

/** Source: docs/contract.md#request-count. */
await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  let ledger: TestLedger;
  let account: TestAccount;
  beforeAll(async () => {
    db = await open();
    await makePartitions(db, new Date("2026-10-01T00:00:00Z"), now);
    ledger = await openTestLedger(db);
    account = await makeAccount(db, { account: 10_000_000n, keys: [5_000_000n, 5_000_000n] });
    const settle = (moment: string, fields: Partial<Settlement>, keyId = account.keyIds[0]) =>
      ledger.settle(
        settlementOf(account, { requestId: newRequestId(), createdAt: new Date(moment), keyId, ...fields }),
      );
    for (const moment of moments) for (const fields of outcomes) await settle(moment, fields);
    // A key whose whole day costs nothing.
    for (const moment of moments) await settle(moment, refused, account.keyIds[1]);
  });
  afterAll(() => ledger.drain());

  test.each([
    ["UTC", 10, 10],
    ["Asia/Shanghai", 5, 15],
    ["America/New_York", 15, 5],
  ])(
    "a month's requests are one number in ledger, statistics, log and profile: in %s",
    async (zone, october, november) => {
      const { userId } = account;
      const months = await readLedgerMonths(db, { userId, zone });
      expect(months.map(({ month, requestCount }) => [month, requestCount])).toEqual([
        ["2026-11", november],
        ["2026-10", october],
      ]);
      const offsets: Record<string, string> = {
        UTC: "Z",
        "Asia/Shanghai": "+08:00",
        "America/New_York": "-04:00",
      };
      const startOf = (day: string) => new Date(`${day}T00:00:00${offsets[zone]}`);
      const all = [
        {
          from: "2026-10-01",
          to: "2026-10-31",
          start: startOf("2026-10-01"),
          end: startOf("2026-11-01"),
          count: october,
        },
        { from: "2026-11-01", to: "2026-11-21", start: startOf("2026-11-01"), end: now, count: november },
      ];
      for (const { from, to, start, end, count } of all) {
        const stats = await readStats(db, { userId, period: { from, to }, timeZone: zone }, now);
        expect(stats.totalRequests).toBe(count);
        const log = await listLogs(db, { userId, from: start, to: end }, { page: 1, pageSize: 1 });
        expect(log.total).toBe(count);
        const days = await readLedgerMonths(db, { userId, zone, from, to });
        expect(days.reduce((sum, { requestCount }) => sum + requestCount, 0)).toBe(count);
      }
      const [row] = await db.orm
        .select({ requestCount: users.requestCount })
        .from(users)
        .where(eq(users.id, userId));
      expect(Number(row?.requestCount)).toBe(october + november);
    },
  );
});

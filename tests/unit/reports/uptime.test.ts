import { afterAll, beforeAll, expect, test } from "vitest";
import { compactRollups } from "@/lib/billing/rollups";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/migrate";
import { HOUR_MS } from "@/lib/kernel/clock";
import { type ErrorCode, errorCodeOrder, faultCodes } from "@/lib/kernel/errors";
import { newRequestId } from "@/lib/kernel/http";
import { listLogs } from "@/lib/reports/logs";
import { readUptime, type Uptime, uptimeRecord } from "@/lib/reports/outcomes";
import {
  makeAccount,
  openTestLedger,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { forEachDatabase } from "@/tests/support/database";

const now = new Date("2026-11-21T10:07:30.000Z");
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
const all = { page: 1, pageSize: 100 };

await forEachDatabase((_kind, open) => {
  let db: Database;
  let ledger: TestLedger;
  let accounts: TestAccount[];
  let uptime: Uptime;

  const settle = (fields: Partial<Settlement>, owner = accounts[0]) => {
    if (owner === undefined) throw new Error("no account was made");
    return ledger.settle(settlementOf(owner, { requestId: newRequestId(), ...fields }));
  };
  const fail = (errorCode: ErrorCode, fields: Partial<Settlement>, owner?: TestAccount) =>
    settle(
      { status: "error", httpStatus: 500, errorCode, costMicroCents: 0n, billingSource: "none", ...fields },
      owner,
    );

  beforeAll(async () => {
    db = await open();
    await makePartitions(db, ago(24 * 91), now);
    ledger = await openTestLedger(db);
    const quotas = { account: 10_000_000n, keys: [5_000_000n] };
    accounts = [await makeAccount(db, quotas), await makeAccount(db, quotas)];
    const [, other] = accounts;
    // Two accounts share "shared": 2 of 3 were answered; the refusals do not count.
    await settle({ model: "shared", createdAt: ago(30) });
    await settle({ model: "shared", createdAt: ago(30), status: "cancelled" }, other);
    await fail("UPSTREAM_ERROR", { model: "shared", createdAt: ago(30) }, other);
    for (const code of errorCodeOrder.filter((one) => !faultCodes.some((fault) => fault === one)))
      await fail(code, { model: "shared", createdAt: ago(30) });
    await settle({ model: "shared", createdAt: ago(0.2) });
    // Well a day ago, broken in the last hour.
    for (let count = 0; count < 3; count += 1) await settle({ model: "breaking", createdAt: ago(5) });
    await fail("NO_AVAILABLE_NODE", { model: "breaking", createdAt: ago(0.1) });
    await fail("INTERNAL_ERROR", { model: "breaking", createdAt: ago(0.1) });
    // 43 of 100 failed.
    for (let count = 0; count < 100; count += 1) {
      const fields = { model: "most", createdAt: ago(50) };
      await (count < 43 ? fail("UPSTREAM_ERROR", fields) : settle(fields));
    }
    // Only refused.
    await fail("QUOTA_EXCEEDED", { model: "refused", createdAt: ago(2) });
    // At both ends of the 90 days.
    await settle({ model: "edges", createdAt: new Date("2026-08-24T00:00:00.000Z") });
    await fail("UPSTREAM_ERROR", { model: "edges", createdAt: new Date("2026-08-23T23:59:59.000Z") });
    await compactRollups(db);
    uptime = await readUptime(db, "UTC", now);
  });
  afterAll(() => ledger.drain());

  test("a model's share is that of the requests that had to be answered, of all accounts, by day", () => {
    const { days, ninetyDays, lastDay, state } = uptime.of("shared");
    expect(days).toHaveLength(90);
    expect(days.at(-2)).toBe(0.6666);
    expect(days.filter((share) => share !== null)).toEqual([0.6666, 1]);
    expect([ninetyDays, lastDay, state]).toEqual([0.75, 1, "operational"]);
  });

  test("a share that is exact is not rounded down", () => {
    expect(uptime.of("most").ninetyDays).toBe(0.57);
  });

  test("the state is that of the last hour, where it was asked something", () => {
    expect(uptime.of("breaking")).toMatchObject({ state: "down", stateOver: "hour", lastDay: 0.6 });
  });

  test("a model that was only refused, or never asked, is idle and has no share", () => {
    for (const model of ["refused", "unknown"])
      expect(uptime.of(model)).toMatchObject({
        state: "idle",
        stateOver: "day",
        lastDay: null,
        ninetyDays: null,
      });
  });

  test("ninety days begin at midnight of the first one, and no request before it counts", () => {
    expect(uptime.from).toBe("2026-08-24");
    const { days, ninetyDays } = uptime.of("edges");
    expect([days[0], ninetyDays]).toEqual([1, 1]);
  });

  test("the record names the given models only, and has no counts", () => {
    const record = uptimeRecord(uptime, ["shared"]);
    expect(record.models.map(({ id }) => id)).toEqual(["shared"]);
    expect(Object.keys(record.models[0] ?? {}).sort()).toEqual([
      "days",
      "id",
      "lastDay",
      "ninetyDays",
      "state",
      "stateOver",
    ]);
  });

  test("days are those of the time zone", async () => {
    const { from, of } = await readUptime(db, "Pacific/Kiritimati", now);
    expect(from).toBe("2026-08-25");
    // 30 hours ago is two days before in Kiritimati, fourteen hours ahead, where today has begun 7 minutes ago.
    expect(of("shared").days.slice(-3)).toEqual([0.6666, 1, null]);
  });

  test("the log finds failures by the codes that lower a share, and refusals by the others", async () => {
    const failed = await listLogs(db, { outcome: "failed" }, all);
    expect(new Set(failed.data.map(({ errorCode }) => errorCode))).toEqual(new Set(faultCodes));
    const refused = await listLogs(db, { outcome: "refused", model: "shared" }, all);
    expect(refused.total).toBe(errorCodeOrder.length - faultCodes.length);
    expect(refused.data.every(({ status }) => status === "error")).toBe(true);
  });

  test("the log finds what cost at least so much, to the micro-cent", async () => {
    await settle({ model: "dear", createdAt: ago(1), costMicroCents: 1_000_001n });
    const atLeast = async (minCost: bigint) => (await listLogs(db, { minCost, model: "dear" }, all)).total;
    expect([await atLeast(1_000_001n), await atLeast(1_000_002n)]).toEqual([1, 0]);
  });
});

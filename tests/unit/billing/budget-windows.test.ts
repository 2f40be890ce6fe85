import { beforeAll, describe, expect, test } from "vitest";
import type { BudgetSet } from "@/lib/billing/budget-sets";
import { executeLedgerBatch, type LedgerWork } from "@/lib/billing/ledger-batch";
import { reconcile, repairHeldTotals } from "@/lib/billing/reconcile";
import { settlementRow } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { NO_MEMBER } from "@/lib/db/schema/budgets";
import { monthsBetween } from "@/lib/reports/statements/calendar";
import { makeAccount, requestId, settlementOf, type TestAccount } from "@/tests/support/billing";
import { isComplete } from "@/tests/support/complete";
import { forEachDatabase } from "@/tests/support/database";

const SETTINGS = { instanceId: "this", quotaStrict: false, holdSeconds: 60 };
const PLENTY = 10n ** 15n;
const LIMIT = 777;

interface Window {
  id: string;
  used: string;
  held: string;
}

await forEachDatabase((_kind, open) => {
  let database: Database;
  let account: TestAccount;
  beforeAll(async () => {
    database = await open();
    account = await makeAccount(database, { account: PLENTY, keys: [PLENTY, PLENTY] });
  });

  const run = (items: LedgerWork[], settings = SETTINGS) => executeLedgerBatch(database, settings, items);

  async function makeRule(
    limit: number | bigint,
    mode: string,
    period = "month",
    unit = "money",
  ): Promise<string> {
    const [row] = await database.query<{ id: string }>(
      `INSERT INTO budgets (name, scope, user_id, unit, period, time_zone, limit_amount, mode)
       VALUES ('r', 'account', $1, $2, $3, 'UTC', $4, $5) RETURNING id`,
      [account.userId, unit, period, BigInt(limit), mode],
    );
    return row?.id ?? "";
  }

  const setOf = (...ids: string[]): BudgetSet => ids.map((budgetId) => ({ budgetId, member: NO_MEMBER }));

  function holdOf(set: BudgetSet, amount: bigint, id = requestId(), key = 0): LedgerWork & { kind: "hold" } {
    const budgets = { set, expectedMicroCents: amount, mostTokens: 1, expectedTokens: 1 };
    const hold = {
      requestId: id,
      keyId: account.keyIds[key] ?? "",
      userId: account.userId,
      amountMicroCents: amount,
    };
    return { kind: "hold", hold: { ...hold, budgets } };
  }

  function settleOf(id: string, cost: bigint): LedgerWork {
    const settlement = settlementOf(account, { requestId: id, costMicroCents: cost });
    return { kind: "settle", settlement, row: settlementRow(settlement) };
  }

  const windowsOf = (rule: string) =>
    database.query<Window>(
      "SELECT id::text, used::text, held::text FROM budget_windows WHERE budget_id = $1 ORDER BY id",
      [rule],
    );

  /** Source: docs/budgets.md#batch. */
  test(`of 2,000 holds at once on a hard limit of ${LIMIT} exactly ${LIMIT} are made`, async () => {
    const set = setOf(await makeRule(LIMIT, "hard"));
    const batches = Array.from({ length: 100 }, () =>
      Array.from({ length: 20 }, (_, n) => holdOf(set, 1n, undefined, n % 2)),
    );
    const outcomes = (
      await Promise.all(batches.map((items, lane) => run(items).then((done) => [lane, done] as const)))
    ).flatMap(([, done]) => done);
    const made = outcomes.filter((one) => typeof one === "object" && one.held);
    expect(made).toHaveLength(LIMIT);
    expect(await reconcile(database)).toMatchObject({ mismatches: [] });
  });

  test("a request is charged to the window in which it was held, after that has ended too", async () => {
    const rule = await makeRule(1_000, "stop", "day");
    const [id, late] = [requestId(), requestId()];
    await run([holdOf(setOf(rule), 10n, id), holdOf(setOf(rule), 5n, late)]);
    await database.query(
      "UPDATE budget_windows SET starts_at = starts_at - interval '1 day', ends_at = now() WHERE budget_id = $1",
      [rule],
    );
    await database.query("SELECT quota_expire($1)", [late]);
    await run([holdOf(setOf(rule), 7n)]);
    await run([settleOf(id, 4n), settleOf(late, 3n)]);
    expect(await windowsOf(rule)).toMatchObject([
      { used: "7", held: "0" },
      { used: "0", held: "7" },
    ]);
    expect(await reconcile(database)).toMatchObject({ mismatches: [] });
  });

  test("with one unit left and nothing reserved `stop` lets one pass, `hard` and QUOTA_STRICT none", async () => {
    const refused = { held: false, reason: "budget", limit: 1n, used: 0n };
    const [stop, hard, strict] = [
      await makeRule(1, "stop"),
      await makeRule(1, "hard"),
      await makeRule(1, "stop"),
    ];
    expect(await run([holdOf(setOf(stop), 5n), holdOf(setOf(stop), 5n)])).toMatchObject([
      { held: true, heldMicroCents: 5n },
      { ...refused, reserved: 5n },
    ]);
    expect(await run([holdOf(setOf(hard), 5n)])).toMatchObject([{ ...refused, reserved: 0n }]);
    expect(await run([holdOf(setOf(strict), 5n)], { ...SETTINGS, quotaStrict: true })).toMatchObject([
      refused,
    ]);
  });

  test("of five rules of which one is full none moves, and the one that starts again last is told", async () => {
    const open = [await makeRule(100, "stop"), await makeRule(100, "hard"), await makeRule(100, "warn")];
    const [day, ever] = [await makeRule(0, "stop", "day"), await makeRule(0, "stop", "total")];
    const [outcome] = await run([holdOf(setOf(...open, day, ever), 1n)]);
    expect(outcome).toMatchObject({ held: false, reason: "budget", budgetId: ever, resetsAtMs: null });
    for (const rule of [...open, day, ever])
      expect(await windowsOf(rule)).toMatchObject([{ used: "0", held: "0" }]);
    const [next] = await run([holdOf(setOf(...open, day), 1n)]);
    expect(next).toMatchObject({
      budgetId: day,
      resetsAtMs: new Date(new Date().setUTCHours(24, 0, 0, 0)).getTime(),
    });
  });

  test("what is not billed counts nothing, and a repeated settlement nothing twice", async () => {
    const rule = await makeRule(100, "stop", "month", "requests");
    const [free, paid] = [requestId(), requestId()];
    await run([holdOf(setOf(rule), 1n, free), holdOf(setOf(rule), 1n, paid)]);
    const settlement = settlementOf(account, { requestId: free, costMicroCents: 0n, billingSource: "none" });
    await run([
      { kind: "settle", settlement, row: settlementRow(settlement) },
      settleOf(paid, 3n),
      settleOf(paid, 3n),
    ]);
    expect(await windowsOf(rule)).toMatchObject([{ used: "1", held: "0" }]);
  });

  test("a reserved total that is wrong is found and set to the sum of the open holds; a used one is only found", async () => {
    const rule = await makeRule(1_000, "stop");
    await run([holdOf(setOf(rule), 9n)]);
    const [{ id = "" } = {}] = await windowsOf(rule);
    await database.query("UPDATE budget_windows SET held = 5, used = 2 WHERE id = $1", [id]);
    const found = (await reconcile(database)).mismatches.filter((one) => one.id === id);
    expect(found.map(({ kind }) => kind)).toEqual(["window_held", "window_used"]);
    expect(await repairHeldTotals(database)).toContain(id);
    expect(await windowsOf(rule)).toMatchObject([{ used: "2", held: "9" }]);
    await database.query("UPDATE budget_windows SET used = 0 WHERE id = $1", [id]);
  });

  /** Source: docs/budgets.md#windows. */
  describe("periods", () => {
    const zones = [
      "Europe/Berlin",
      "America/Havana",
      "America/Santiago",
      "Pacific/Apia",
      "Australia/Lord_Howe",
      "Asia/Kathmandu",
    ];
    const days = isComplete ? 20 * 365 : 2 * 365;

    test.each(zones)(
      "of %s tile the time, none of them empty, over each change of the clock",
      async (zone) => {
        for (const period of ["day", "week", "month", "quarter", "year"]) {
          const [row] = await database.query<{ broken: number; tried: number }>(
            `WITH RECURSIVE tiles AS (
             SELECT p.starts, p.ends FROM budget_period($1, $2, '2010-12-30 11:17+00') p
             UNION ALL
             SELECT p.starts, p.ends FROM tiles t CROSS JOIN LATERAL budget_period($1, $2, t.ends) p
             WHERE t.ends < '2010-12-30'::timestamptz + make_interval(days => $3)
           ), next AS (SELECT starts, ends, lead(starts) OVER (ORDER BY starts) AS after FROM tiles)
           SELECT count(*)::int AS tried, count(*) FILTER (WHERE ends <= starts OR after <> ends
             OR (SELECT p.starts <> next.starts FROM budget_period($1, $2, ends - interval '1 microsecond') p)
             OR extract(second FROM starts AT TIME ZONE $2) <> 0)::int AS broken FROM next`,
            [period, zone, days],
          );
          expect(row?.broken, `${period} in ${zone}`).toBe(0);
          expect(row?.tried).toBeGreaterThan(1);
        }
      },
    );

    test.each(zones)("of %s are the months of statements", async (zone) => {
      const months = monthsBetween(new Date("2010-01-15"), new Date("2030-01-15"), zone);
      const rows = await database.query<{ starts: Date }>(
        `SELECT p.starts FROM unnest(string_to_array($1, ',')) AS at
         CROSS JOIN LATERAL budget_period('month', $2, at::timestamptz) p`,
        [months.map(({ startsAt }) => startsAt.toISOString()).join(), zone],
      );
      expect(rows.map(({ starts }) => starts)).toEqual(months.map(({ startsAt }) => startsAt));
    });
  });
});

import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { BudgetCounter } from "@/lib/billing/budget-sets";
import { executeLedgerBatch, type LedgerWork } from "@/lib/billing/ledger-batch";
import { reconcile } from "@/lib/billing/reconcile";
import { settlementRow } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { NO_MEMBER } from "@/lib/db/schema/budgets";
import { makeAccount, requestId, settlementOf, type TestAccount } from "@/tests/support/billing";
import { forEachDatabase } from "@/tests/support/database";
import { zoneWithMidnightAt } from "@/tests/support/midnight";

const SETTINGS = { instanceId: "this", quotaStrict: false, holdSeconds: 60 };
const PLENTY = 10n ** 15n;
const ACCOUNTS = 1_000;
const POLL_MS = 10;

/** Source: docs/budgets.md#windows. */
await forEachDatabase((kind, open) => {
  let database: Database;
  let account: TestAccount;
  beforeAll(async () => {
    database = await open();
    account = await makeAccount(database, { account: PLENTY, keys: [PLENTY] });
  });

  const run = (items: LedgerWork[]) => executeLedgerBatch(database, SETTINGS, items);

  async function makeRule(limit: number, timeZone = "UTC", unit = "requests"): Promise<string> {
    const [row] = await database.query<{ id: string }>(
      `INSERT INTO budgets (name, scope, user_id, unit, period, time_zone, limit_amount, mode)
       VALUES ('r', 'account', $1, $4, 'day', $2, $3, 'hard') RETURNING id`,
      [account.userId, timeZone, limit, unit],
    );
    return row?.id ?? "";
  }

  const common = (budgetId: string): BudgetCounter => ({ budgetId, member: NO_MEMBER });

  function holdOf(
    { userId, keyIds }: TestAccount,
    set: readonly BudgetCounter[],
    id = requestId(),
  ): LedgerWork {
    const budgets = { set, expectedMicroCents: 1n, mostTokens: 1, expectedTokens: 1 };
    return {
      kind: "hold",
      hold: { requestId: id, keyId: keyIds[0] ?? "", userId, amountMicroCents: 1n, budgets },
    };
  }

  const isHeld = (outcome: unknown) =>
    typeof outcome === "object" && outcome !== null && "held" in outcome && outcome.held === true;

  const windowsOf = (rule: string) =>
    database.query<{ member: string; used: bigint; held: bigint; starts_at: Date; ends_at: Date }>(
      "SELECT member, used, held, starts_at, ends_at FROM budget_windows WHERE budget_id = $1 ORDER BY ends_at",
      [rule],
    );

  async function untilDatabaseTime(atMs: number): Promise<void> {
    for (;;) {
      const [row] = await database.query<{ ms: number }>(
        "SELECT (1000 * extract(epoch FROM now()))::float8 AS ms",
      );
      if ((row?.ms ?? 0) >= atMs) return;
      await sleep(POLL_MS);
    }
  }

  describe("a rule with a counter for each account", () => {
    test(`gives ${ACCOUNTS} accounts that call at once a window each, follows its limit, and makes an exception for one`, async () => {
      const rule = await makeRule(2);
      const accounts = await manyAccounts();
      const call = async (): Promise<boolean[]> => {
        const batches = Array.from({ length: 20 }, (_, batch) =>
          accounts.filter((_account, index) => index % 20 === batch),
        );
        const outcomes = new Map<string, boolean>();
        await Promise.all(
          batches.map(async (members, lane) => {
            const items = members.map((each) => holdOf(each, [{ budgetId: rule, member: each.userId }]));
            const made = await executeLedgerBatch(database, SETTINGS, items, lane % database.batchLanes);
            for (const [index, each] of members.entries()) outcomes.set(each.userId, isHeld(made[index]));
          }),
        );
        return accounts.map(({ userId }) => outcomes.get(userId) === true);
      };
      const all = (passes: boolean) => accounts.map(() => passes);
      for (const passes of [true, true, false]) expect(await call()).toEqual(all(passes));
      const windows = await windowsOf(rule);
      expect(new Set(windows.map(({ member }) => member))).toEqual(
        new Set(accounts.map(({ userId }) => userId)),
      );
      expect(windows.map(({ held }) => held)).toEqual(Array(ACCOUNTS).fill(2n));

      await database.query("UPDATE budgets SET limit_amount = 3 WHERE id = $1", [rule]);
      for (const passes of [true, false]) expect(await call()).toEqual(all(passes));
      const alice = accounts[700]?.userId ?? "";
      await database.query("INSERT INTO budget_exceptions VALUES ($1, $2, 4)", [rule, alice]);
      expect(await call()).toEqual(accounts.map(({ userId }) => userId === alice));
      await database.query("UPDATE budget_exceptions SET limit_amount = NULL WHERE budget_id = $1", [rule]);
      expect(await call()).toEqual(accounts.map(({ userId }) => userId === alice));
    });

    async function manyAccounts(): Promise<TestAccount[]> {
      const rows = await database.query<{ user_id: string; id: string }>(
        `WITH made AS (
           INSERT INTO users (username, username_key, password_hash, plan_id, quota_micro_cents, invite_code)
           SELECT 'many' || n, 'many' || n, '', 1, $2, 'many' || n FROM generate_series(1, $1::int) AS n RETURNING id)
         INSERT INTO api_keys (user_id, key_hash, key_prefix, name, plan_id, quota_micro_cents)
         SELECT id, sha256(convert_to(id::text, 'UTF8')), 'tgw-test', 'k', 1, $2 FROM made RETURNING user_id, id`,
        [ACCOUNTS, PLENTY],
      );
      return rows.map(({ user_id: userId, id }) => ({ userId, keyIds: [id] }));
    }
  });

  test("of 500 holds of one batch that meet 24 rules those are refused, in order of arrival, that one full window is for", async () => {
    const rules: string[] = [];
    for (let index = 0; index < 24; index += 1) rules.push(await makeRule(index === 11 ? 100 : 1_000));
    const all = rules.map(common);
    const others = all.filter(({ budgetId }) => budgetId !== rules[11]);
    const outcomes = await run(
      Array.from({ length: 500 }, (_, n) => holdOf(account, n % 2 === 0 ? all : others)),
    );
    const refused = {
      held: false,
      reason: "budget",
      budgetId: rules[11],
      limit: 100n,
      used: 0n,
      reserved: 100n,
    };
    for (const [n, outcome] of outcomes.entries())
      expect(outcome).toMatchObject(n % 2 === 0 && n >= 200 ? refused : { held: true });
    for (const rule of rules)
      expect(await windowsOf(rule)).toMatchObject([{ used: 0n, held: rule === rules[11] ? 100n : 350n }]);
    expect((await reconcile(database)).mismatches).toEqual([]);
  });

  describe("at midnight of a rule's zone", () => {
    const nextSecond = () => 1_000 * Math.ceil(Date.now() / 1_000 + 1);

    test("a new window begins where the old one ends; what was held before it is charged to the old one, and nothing is carried", async () => {
      const midnight = nextSecond();
      const rule = await makeRule(1, zoneWithMidnightAt(midnight));
      const id = requestId();
      expect(await run([holdOf(account, [common(rule)], id)])).toMatchObject([{ held: true }]);
      expect(await run([holdOf(account, [common(rule)])])).toMatchObject([
        { held: false, resetsAtMs: midnight },
      ]);
      await untilDatabaseTime(midnight);
      expect(await run([holdOf(account, [common(rule)])])).toMatchObject([{ held: true }]);
      const settlement = settlementOf(account, { requestId: id });
      await run([{ kind: "settle", settlement, row: settlementRow(settlement) }]);
      expect(await windowsOf(rule)).toMatchObject([
        { used: 1n, held: 0n, ends_at: new Date(midnight) },
        { used: 0n, held: 1n, starts_at: new Date(midnight) },
      ]);
    });

    test.skipIf(kind === "embedded")(
      "a request whose batch has begun before it, and waited, belongs to the old day, though the new one has begun",
      async () => {
        const other = await makeAccount(database, { account: PLENTY, keys: [PLENTY] });
        const midnight = nextSecond();
        const rule = await makeRule(10, zoneWithMidnightAt(midnight));
        const early = requestId();
        let waiting: Promise<unknown> = Promise.resolve();
        await database.session(async (session) => {
          await session.query("BEGIN");
          await session.query("SELECT 1 FROM api_keys WHERE id = $1 FOR UPDATE", [account.keyIds[0] ?? ""]);
          await untilDatabaseTime(midnight - 300);
          waiting = executeLedgerBatch(database, SETTINGS, [holdOf(account, [common(rule)], early)], 0);
          await untilDatabaseTime(midnight);
          const late = holdOf(other, [common(rule)]);
          expect(await executeLedgerBatch(database, SETTINGS, [late], 1)).toMatchObject([{ held: true }]);
          await session.query("COMMIT");
        });
        await waiting;
        const held = await database.query(
          `SELECT h.created_at >= w.starts_at AND h.created_at < w.ends_at AS within
           FROM usage_holds h JOIN budget_windows w ON w.id = ANY(h.windows) WHERE w.budget_id = $1`,
          [rule],
        );
        expect(held).toEqual([{ within: true }, { within: true }]);
      },
    );
  });
});

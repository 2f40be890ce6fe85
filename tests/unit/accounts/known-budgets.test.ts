import { beforeAll, describe, expect, test } from "vitest";
import type { AskedBudgets } from "@/lib/accounts/budget-needs";
import { findKeyBudgets, type KeyBudget } from "@/lib/accounts/key-budgets";
import { KnownBudgets } from "@/lib/accounts/known-budgets";
import type { Database } from "@/lib/db/database";
import { makeAccount, type TestAccount } from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

const USE = { microCents: 30n, tokens: 12 };

/** Source: docs/budgets.md#known. */
await forEachDatabaseInAll((_kind, open) => {
  describe("what is known of rules", () => {
    let db: Database;
    let account: TestAccount;
    beforeAll(async () => {
      db = await open();
      account = await makeAccount(db, { account: 1n, keys: [1n, 1n] });
    });

    const keyId = () => account.keyIds[0] ?? "";

    async function rulesOf(...rules: Partial<Record<"unit" | "mode" | "time_zone" | "limit", string>>[]) {
      await db.query("UPDATE budgets SET ended_at = now()");
      const ids: string[] = [];
      for (const { unit = "money", mode = "stop", time_zone: zone = "UTC", limit = "100" } of rules) {
        const [row] = await db.query<{ id: string }>(
          `INSERT INTO budgets (name, scope, user_id, unit, period, time_zone, limit_amount, mode)
           VALUES ('r', 'account', $1, $2, 'day', $3, $4, $5) RETURNING id`,
          [account.userId, unit, zone, limit, mode],
        );
        ids.push(row?.id ?? "");
      }
      const found = await findKeyBudgets(db, keyId());
      return ids.flatMap((id) => found.find((rule) => rule.id === id) ?? []);
    }

    function asking(rules: readonly KeyBudget[], now = new Date()): AskedBudgets {
      const needs = { mostMicroCents: 80n, expectedMicroCents: 40n, mostTokens: 50, expectedTokens: 10 };
      return { rules, set: [], now, ...needs };
    }

    const amountsOf = (known: KnownBudgets, rules: readonly KeyBudget[]) =>
      rules.map((rule) => {
        const state = known.stateOf(rule, Date.now());
        return state && [state.used, state.held];
      });

    test("moves with holds and ends of requests, each rule by its unit and mode", async () => {
      const rules = await rulesOf(
        {},
        { mode: "hard" },
        { unit: "tokens" },
        { unit: "tokens", mode: "hard" },
        { unit: "requests" },
      );
      const known = new KnownBudgets();
      await known.refresh(db, rules);
      const asked = asking(rules);
      known.addHold(asked);
      expect(amountsOf(known, rules)).toEqual([
        [0n, 40n],
        [0n, 80n],
        [0n, 10n],
        [0n, 50n],
        [0n, 1n],
      ]);
      known.endHold(asked, USE);
      expect(amountsOf(known, rules)).toEqual([
        [30n, 0n],
        [30n, 0n],
        [12n, 0n],
        [12n, 0n],
        [1n, 0n],
      ]);
      known.addHold(asked);
      known.endHold(asked, null);
      expect(amountsOf(known, rules)).toEqual([
        [30n, 0n],
        [30n, 0n],
        [12n, 0n],
        [12n, 0n],
        [1n, 0n],
      ]);
    });

    test("tells how far a request passes a rule that refuses, and nothing of one that warns", async () => {
      const rules = await rulesOf({ limit: "50" }, { limit: "50", mode: "warn" }, { limit: "1000" });
      const known = new KnownBudgets();
      await known.refresh(db, rules);
      const overruns: [string, bigint][] = [];
      for (let n = 0; n < 3; n += 1)
        known.endHold(asking(rules), USE, ({ id }, amount) => overruns.push([id, amount]));
      expect(overruns).toEqual([
        [rules[0]?.id, 10n],
        [rules[0]?.id, 30n],
      ]);
    });

    test("is not moved by a request that was held in the period before", async () => {
      const rules = await rulesOf({});
      const known = new KnownBudgets();
      await known.refresh(db, rules);
      known.endHold(asking(rules, new Date(Date.now() - 2 * 86_400_000)), USE);
      expect(amountsOf(known, rules)).toEqual([[0n, 0n]]);
    });

    test("never holds less than nothing, also when a look-up has read the counter without the hold", async () => {
      const rules = await rulesOf({});
      const known = new KnownBudgets();
      await known.refresh(db, rules);
      known.addHold(asking(rules));
      await known.refresh(db, rules);
      known.endHold(asking(rules), USE);
      expect(amountsOf(known, rules)).toEqual([[30n, 0n]]);
    });

    test("is nothing once its period has ended", async () => {
      const rules = await rulesOf({});
      const known = new KnownBudgets();
      await known.refresh(db, rules);
      const [rule] = rules;
      expect(rule && known.stateOf(rule, Date.now() + 86_400_000)).toBeNull();
    });

    test("leaves out a rule whose zone the database does not know, and no other", async () => {
      const rules = await rulesOf({ time_zone: "Mars/Olympus" }, {});
      const known = new KnownBudgets();
      await known.refresh(db, rules);
      expect(amountsOf(known, rules)).toEqual([null, [0n, 0n]]);
    });

    test("is what the database has at the next look-up", async () => {
      const rules = await rulesOf({});
      const known = new KnownBudgets();
      await known.refresh(db, rules);
      await db.query(
        `INSERT INTO budget_windows (budget_id, starts_at, ends_at, used, held)
         SELECT $1::uuid, p.starts, p.ends, 70, 5 FROM budget_period('day', 'UTC', now()) AS p`,
        [rules[0]?.id ?? ""],
      );
      await known.refresh(db, rules);
      expect(amountsOf(known, rules)).toEqual([[70n, 5n]]);
    });
  });
});

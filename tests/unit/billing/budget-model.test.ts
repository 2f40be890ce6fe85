import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { BudgetSet } from "@/lib/billing/budget-sets";
import { executeLedgerBatch, type LedgerWork } from "@/lib/billing/ledger-batch";
import { settlementRow } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { NO_MEMBER } from "@/lib/db/schema/budgets";
import { makeAccount, requestId, settlementOf, type TestAccount } from "@/tests/support/billing";
import { BudgetModel, type ModelCost, type ModelNeeds, type ModelRule } from "@/tests/support/budget-model";
import { forEachDatabase } from "@/tests/support/database";

const RUNS = Number(process.env.LEDGER_MODEL_RUNS ?? 60);
const SETTINGS = { instanceId: "this", quotaStrict: false, holdSeconds: 60 };
const PLENTY = 10n ** 15n;
const RULES = 6;
const SETS = 3;

/** A rule and its row. */
interface StoredRule extends ModelRule {
  budgetId: string;
}

const amount = fc.bigInt({ min: 0n, max: 40n });
const anyRule = fc.record({
  unit: fc.constantFrom("money" as const, "tokens" as const, "requests" as const),
  mode: fc.constantFrom("stop" as const, "hard" as const, "warn" as const),
  limit: fc.bigInt({ min: 0n, max: 120n }),
});
const anyNeeds: fc.Arbitrary<ModelNeeds> = fc.record({
  mostMicroCents: amount,
  expectedMicroCents: amount,
  mostTokens: amount,
  expectedTokens: amount,
});
const anyCost: fc.Arbitrary<ModelCost> = fc.record({
  microCents: amount,
  tokens: amount,
  billed: fc.boolean(),
});
const place = fc.nat(30);
const anyWork = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("hold" as const), set: fc.nat(SETS), needs: anyNeeds }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("settle" as const), request: place, cost: anyCost }) },
);
const anyStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("batch" as const),
      work: fc.array(anyWork, { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("release" as const, "expire" as const), request: place }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("limit" as const),
      rule: fc.nat(RULES - 1),
      limit: fc.bigInt({ min: 0n, max: 200n }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("extra" as const), rule: fc.nat(RULES - 1), extra: amount }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("enabled" as const),
      rule: fc.nat(RULES - 1),
      enabled: fc.boolean(),
    }),
  },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;
type Work = typeof anyWork extends fc.Arbitrary<infer T> ? T : never;

/** One history on one key with some rules, in the database and in the model. */
class History {
  readonly #model = new BudgetModel();
  readonly #requests: string[] = [];
  readonly #settled = new Set<string>();

  constructor(
    readonly database: Database,
    readonly account: TestAccount,
    readonly rules: readonly StoredRule[],
    readonly sets: readonly BudgetSet[],
  ) {}

  async act(step: Step): Promise<void> {
    const rule = "rule" in step ? this.rules[step.rule] : undefined;
    switch (step.do) {
      case "batch":
        return this.#batch(step.work);
      case "release":
      case "expire": {
        const id = this.#requests[step.request % Math.max(1, this.#requests.length)];
        if (id === undefined) return;
        const { keyIds, userId } = this.account;
        if (step.do === "expire") await this.database.query("SELECT quota_expire($1)", [id]);
        else await this.database.query("SELECT quota_release($1, $2, $3)", [id, keyIds[0] ?? "", userId]);
        this.#model.end(id);
        return;
      }
      case "limit":
        if (rule !== undefined) rule.limit = step.limit;
        await this.#change("limit_amount", step.limit, rule);
        return;
      case "enabled":
        if (rule !== undefined) rule.enabled = step.enabled;
        await this.#change("enabled", step.enabled, rule);
        return;
      case "extra": {
        if (rule === undefined) return;
        const rows = await this.database.query<{ id: bigint }>(
          "UPDATE budget_windows SET extra = $2 WHERE budget_id = $1 RETURNING id",
          [rule.budgetId, step.extra],
        );
        if (rows.length > 0) rule.extra = step.extra;
      }
    }
  }

  /** Every window is the model's; a rule that no request has met has none. */
  async expectSame(): Promise<void> {
    const rows = await this.database.query<{ budget_id: string; used: string; held: string }>(
      "SELECT budget_id, used::text, held::text FROM budget_windows WHERE budget_id = ANY($1::uuid[])",
      [`{${this.rules.map(({ budgetId }) => budgetId).join(",")}}`],
    );
    const stored = new Map(rows.map(({ budget_id: id, used, held }) => [id, [used, held]]));
    for (const { budgetId, used, held } of this.rules) {
      expect(stored.get(budgetId) ?? ["0", "0"]).toEqual([String(used), String(held)]);
    }
  }

  async #change(column: string, value: bigint | boolean, rule: StoredRule | undefined): Promise<void> {
    if (rule === undefined) return;
    await this.database.query(`UPDATE budgets SET ${column} = $2 WHERE id = $1`, [rule.budgetId, value]);
  }

  /** Settlements come before holds in a batch, and each of them once. */
  async #batch(work: readonly Work[]): Promise<void> {
    const settles = work.flatMap((one) => (one.do === "settle" ? [one] : []));
    const holds = work.flatMap((one) => (one.do === "hold" ? [{ ...one, id: requestId() }] : []));
    const items: LedgerWork[] = [];
    for (const { request, cost } of settles) {
      const id = this.#requests[request % Math.max(1, this.#requests.length)];
      if (id === undefined || this.#settled.has(id)) continue;
      this.#settled.add(id);
      items.push(this.#settleOf(id, cost));
      this.#model.settle(id, cost);
    }
    const asked = holds.length;
    for (const { id, set, needs } of holds) items.push(this.#holdOf(id, set, needs));
    const outcomes = await executeLedgerBatch(this.database, SETTINGS, items);
    for (const [index, { id, set, needs }] of holds.entries()) {
      const outcome = outcomes[items.length - asked + index];
      const counters = this.sets[set] ?? [];
      const rules = this.rules.filter(({ budgetId }) =>
        counters.some((counter) => counter.budgetId === budgetId),
      );
      const refusing = this.#model.hold(id, rules, needs) as StoredRule[];
      if (refusing.length === 0) {
        expect(outcome).toMatchObject({ held: true });
        this.#requests.push(id);
        continue;
      }
      expect(outcome).toMatchObject({ held: false, reason: "budget" });
      const told = refusing.find(
        (rule) => typeof outcome === "object" && "budgetId" in outcome && rule.budgetId === outcome.budgetId,
      );
      expect(outcome).toMatchObject({
        limit: (told?.limit ?? 0n) + (told?.extra ?? 0n),
        used: told?.used,
        reserved: told?.held,
      });
    }
  }

  #holdOf(id: string, set: number, needs: ModelNeeds): LedgerWork {
    const counters = this.sets[set];
    const { keyIds, userId } = this.account;
    const hold = { requestId: id, keyId: keyIds[0] ?? "", userId, amountMicroCents: needs.mostMicroCents };
    if (counters === undefined || counters.length === 0) return { kind: "hold", hold };
    const budgets = {
      set: counters,
      expectedMicroCents: needs.expectedMicroCents,
      mostTokens: Number(needs.mostTokens),
      expectedTokens: Number(needs.expectedTokens),
    };
    return { kind: "hold", hold: { ...hold, budgets } };
  }

  #settleOf(id: string, { microCents, tokens, billed }: ModelCost): LedgerWork {
    const settlement = settlementOf(this.account, {
      requestId: id,
      costMicroCents: billed ? microCents : 0n,
      billingSource: billed ? "upstream" : "none",
      usage: { inputUncached: 0, cacheRead: Number(tokens), cacheWrite: 0, output: 0, reasoning: 0 },
    });
    return { kind: "settle", settlement, row: settlementRow(settlement) };
  }
}

await forEachDatabase((_kind, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  /** Source: docs/budgets.md#batch. */
  describe("the counters of rules", () => {
    test(`after ${RUNS} random histories are those of a single-threaded model`, async () => {
      const rules = fc.array(anyRule, { minLength: RULES, maxLength: RULES });
      const sets = fc.array(fc.uniqueArray(fc.nat(RULES - 1), { maxLength: RULES }), {
        minLength: SETS,
        maxLength: SETS,
      });
      await fc.assert(
        fc.asyncProperty(
          rules,
          sets,
          fc.array(anyStep, { maxLength: 25 }),
          async (declared, chosen, steps) => {
            const history = await makeHistory(declared, chosen);
            for (const step of steps) {
              await history.act(step);
              await history.expectSame();
            }
          },
        ),
        { numRuns: RUNS },
      );
    });
  });

  async function makeHistory(
    declared: readonly Pick<ModelRule, "unit" | "mode" | "limit">[],
    chosen: readonly (readonly number[])[],
  ): Promise<History> {
    const account = await makeAccount(database, { account: PLENTY, keys: [PLENTY] });
    const rules: StoredRule[] = [];
    for (const rule of declared) {
      const [row] = await database.query<{ id: string }>(
        `INSERT INTO budgets (name, scope, user_id, unit, period, time_zone, limit_amount, mode)
         VALUES ('r', 'account', $1, $2, 'total', 'UTC', $3, $4) RETURNING id`,
        [account.userId, rule.unit, rule.limit, rule.mode],
      );
      rules.push({ ...rule, extra: 0n, enabled: true, used: 0n, held: 0n, budgetId: row?.id ?? "" });
    }
    const sets = chosen.map((places) =>
      places.map((index) => ({ budgetId: rules[index]?.budgetId ?? "", member: NO_MEMBER })),
    );
    return new History(database, account, rules, sets);
  }
});

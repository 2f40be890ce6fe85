import fc from "fast-check";
import { beforeAll, describe, test } from "vitest";
import { executeLedgerBatch } from "@/lib/billing/ledger-batch";
import type { Database } from "@/lib/db/database";
import { BudgetHistory } from "@/tests/support/budget-history";
import { anyRules, anyStep, MOST_RULES } from "@/tests/support/budget-steps";
import { forEachDatabase } from "@/tests/support/database";

const RUNS = Number(process.env.LEDGER_MODEL_RUNS ?? 60);
const SETTINGS = { instanceId: "this", holdSeconds: 60 };

await forEachDatabase((_kind, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  /** Source: docs/budgets.md#batch. */
  describe("the counters of rules", () => {
    test(`after ${RUNS} random histories are those of a single-threaded model`, async () => {
      await fc.assert(
        fc.asyncProperty(
          // Few rules meet each other more often.
          fc.oneof(anyRules(1, 4), anyRules(1, MOST_RULES)),
          fc.boolean(),
          fc.array(anyStep, { minLength: 15, maxLength: 30 }),
          async (declared, strict, steps) => {
            const settings = { ...SETTINGS, quotaStrict: strict };
            const execute = (items: Parameters<typeof executeLedgerBatch>[2]) =>
              executeLedgerBatch(database, settings, items);
            const history = await BudgetHistory.make(database, { execute, strict }, declared);
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
});

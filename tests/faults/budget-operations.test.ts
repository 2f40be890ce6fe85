import { describe, expect, test } from "vitest";
import { runBudgetWorkers } from "@/tests/support/budget-workers";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";

const CAMPAIGN = { workers: 8, lanes: 12, operations: 100_000, steps: 150 };

const postgres = await postgresServer();
const without = "unavailable" in postgres ? ` (${postgres.unavailable})` : "";

/** Source: docs/budgets.md#batch. */
describe.skipIf(without !== "")(`the counters of rules on PostgreSQL${without}`, () => {
  const { workers, operations } = CAMPAIGN;
  test(`after ${operations} random operations by ${workers} ledgers, over midnights, are those of a single-threaded model`, async () => {
    const url = await createTestDatabase();
    try {
      const begun = performance.now();
      const done = await runBudgetWorkers(url, CAMPAIGN);
      expect(done.operations).toBeGreaterThanOrEqual(operations);
      const seconds = Math.round((performance.now() - begun) / 1_000);
      process.stdout.write(
        `${done.operations} operations in ${done.histories} histories, ${done.midnights} midnights, ${seconds} s: 0 differences from the model\n`,
      );
    } finally {
      await dropTestDatabase(url);
    }
  });
});

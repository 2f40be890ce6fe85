import { describe, expect, test } from "vitest";
import { runBudgetWorkers } from "@/tests/support/budget-workers";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";

const CAMPAIGN = { workers: 4, lanes: 4, operations: 2_000, steps: 40 };

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/** Source: docs/budgets.md#batch. */
describe.skipIf(without !== "")(`ledgers that share windows${without}`, () => {
  test("give every answer and every counter as a model does, over midnights, without a dead lock", async () => {
    const url = await createTestDatabase();
    try {
      const done = await runBudgetWorkers(url, CAMPAIGN);
      expect(done.operations).toBeGreaterThanOrEqual(CAMPAIGN.operations);
      expect(done.midnights).toBeGreaterThan(0);
    } finally {
      await dropTestDatabase(url);
    }
  });
});

import { describe, expect, test } from "vitest";
import { expectedMicroCents, type LedgerSummary, ledgerProblems, PRICES } from "@/bench/oracle";
import { costMicroCents } from "@/lib/shared/prices/cost";
import { STANDARD_TERMS } from "@/lib/shared/prices/price-version";
import { priceOf } from "@/tests/support/prices";

const exact: LedgerSummary = {
  usedMicroCents: 67_000n,
  ledgerMicroCents: 67_000n,
  heldMicroCents: 0n,
  openHolds: 0,
  consistent: true,
};

describe("the oracle of billing", () => {
  test("is the mock's tokens times the price, as the product itself would charge one request", () => {
    const expected = expectedMicroCents({ promptTokens: 70, completionTokens: 200 });
    const price = priceOf(PRICES);
    const usage = { inputUncached: 70, cacheRead: 0, cacheWrite: 0, output: 200, reasoning: 0 };
    expect(expected).toBe(67_000n);
    expect(costMicroCents(usage, price, STANDARD_TERMS)).toBe(expected);
  });

  test("accepts exact books", () => {
    expect(ledgerProblems(exact, 67_000n)).toEqual([]);
  });

  test("refuses a ledger that differs by one micro-cent either way", () => {
    expect(ledgerProblems({ ...exact, ledgerMicroCents: 66_999n }, 67_000n)).toHaveLength(1);
    expect(ledgerProblems({ ...exact, ledgerMicroCents: 67_001n }, 67_000n)).toHaveLength(1);
  });

  test("refuses counters that differ from the mock, open holds and inconsistent books", () => {
    expect(ledgerProblems({ ...exact, usedMicroCents: 0n }, 67_000n)).toHaveLength(1);
    expect(ledgerProblems({ ...exact, openHolds: 1, heldMicroCents: 5n }, 67_000n)).toHaveLength(1);
    expect(ledgerProblems({ ...exact, consistent: false }, 67_000n)).toHaveLength(1);
  });
});

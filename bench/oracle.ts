import type { MockCounts } from "./mock/counters";

/**
 * Prices of every alias of a run, chosen so that nothing is rounded. Units: cents per million tokens = micro-cents /
 * 1e-6.
 */
export const PRICES = { input: 100, output: 300 } as const;

/** A gateway's reconciliation. Units: micro-cents. */
export interface LedgerSummary {
  usedMicroCents: bigint;
  ledgerMicroCents: bigint;
  heldMicroCents: bigint;
  openHolds: number;
  /** Whether all its counters match their records. */
  consistent: boolean;
}

/** One cent per million tokens is one micro-cent per token. Units: micro-cents. */
export function expectedMicroCents(counts: Pick<MockCounts, "promptTokens" | "completionTokens">): bigint {
  return (
    BigInt(counts.promptTokens) * BigInt(PRICES.input) +
    BigInt(counts.completionTokens) * BigInt(PRICES.output)
  );
}

/** The differences between the ledger and the mock's counts; empty when it is exact. */
export function ledgerProblems(summary: LedgerSummary, expected: bigint): string[] {
  const problems: string[] = [];
  if (summary.ledgerMicroCents !== expected)
    problems.push(`the ledger has ${summary.ledgerMicroCents} micro-cents, the mock counted ${expected}`);
  if (summary.usedMicroCents !== expected)
    problems.push(
      `the accounts have used ${summary.usedMicroCents} micro-cents, the mock counted ${expected}`,
    );
  if (summary.heldMicroCents !== 0n || summary.openHolds !== 0)
    problems.push(`${summary.openHolds} holds are open, of ${summary.heldMicroCents} micro-cents`);
  if (!summary.consistent) problems.push("counters and their records differ");
  return problems;
}

import type { MockCounts } from "./mock/counters";

/** Prices of every alias of a run, chosen so that nothing is rounded. Units: cents per million tokens = micro-cents / 1e-6. */
export const PRICES = { input: 100, output: 300 } as const;

/** What a gateway says about its own money. Units: micro-cents. */
export interface Books {
  usedMicroCents: bigint;
  ledgerMicroCents: bigint;
  heldMicroCents: bigint;
  openHolds: number;
  /** Whether all its counters agree with each other. */
  consistent: boolean;
}

/** One cent per million tokens is one micro-cent per token. Units: micro-cents. */
export function expectedMicroCents(counts: Pick<MockCounts, "promptTokens" | "completionTokens">): bigint {
  return (
    BigInt(counts.promptTokens) * BigInt(PRICES.input) +
    BigInt(counts.completionTokens) * BigInt(PRICES.output)
  );
}

/** Everything that is wrong with the books after requests that the mock has counted; empty when they are exact. */
export function bookProblems(books: Books, expected: bigint): string[] {
  const problems: string[] = [];
  if (books.ledgerMicroCents !== expected)
    problems.push(`the ledger has ${books.ledgerMicroCents} micro-cents, the mock counted ${expected}`);
  if (books.usedMicroCents !== expected)
    problems.push(`the accounts have used ${books.usedMicroCents} micro-cents, the mock counted ${expected}`);
  if (books.heldMicroCents !== 0n || books.openHolds !== 0)
    problems.push(`${books.openHolds} holds are open, of ${books.heldMicroCents} micro-cents`);
  if (!books.consistent) problems.push("counters and their records differ");
  return problems;
}

import { fromScaled, toScaled } from "../decimal";
import type { BillRow } from "./bill";
import type { OurDay } from "./our-days";
import { addAmounts, addCounts } from "./sum-bill";

/** What the bill says of a model on a day. Null: it does not say. */
export interface TheirSide extends Omit<BillRow, "day" | "model"> {
  /** Tokens of input and output together. */
  tokens: number | null;
  /** The amount in cents of yuan, as decimal text; null also without a rate. */
  cents: string | null;
}

/** What this gateway knows of it. */
export interface OurSide {
  inputTokens: number;
  outputTokens: number;
  /** Together. */
  tokens: number;
  requests: number;
  /** Cents as decimal text; null: no cost is known. */
  cents: string | null;
  /** Answered requests without a known cost. */
  uncosted: number;
}

/** Both sides of a model on a day. Null: the side has nothing. */
export interface Side {
  theirs: TheirSide | null;
  ours: OurSide | null;
}

/** A day of which neither side has anything, such as a line of the bill with nothing but zeros. */
export function isNothing({ theirs, ours }: Side): boolean {
  return isNothingThere(theirs) && isNothingHere(ours);
}

/** The bill has neither tokens nor an amount. */
export function isNothingThere(theirs: TheirSide | null): boolean {
  return theirs === null || ((theirs.tokens ?? 0) === 0 && toScaled(theirs.amount ?? "0") === 0n);
}

/** No request was answered, and no token counted. */
export function isNothingHere(ours: OurSide | null): boolean {
  return ours === null || (ours.requests === 0 && ours.tokens === 0);
}

/** A side of the bill with one row more. */
export function addTheirs(sum: TheirSide | null, row: BillRow, rate: string | null): TheirSide {
  const inputTokens = addCounts(sum?.inputTokens ?? null, row.inputTokens);
  const outputTokens = addCounts(sum?.outputTokens ?? null, row.outputTokens);
  const amount = addAmounts(sum?.amount ?? null, row.amount);
  return {
    inputTokens,
    cachedInputTokens: addCounts(sum?.cachedInputTokens ?? null, row.cachedInputTokens),
    cacheWriteTokens: addCounts(sum?.cacheWriteTokens ?? null, row.cacheWriteTokens),
    outputTokens,
    requests: addCounts(sum?.requests ?? null, row.requests),
    amount,
    tokens: addCounts(inputTokens, outputTokens),
    cents: amount === null || rate === null ? null : centsOf(amount, rate),
  };
}

/** Our side with one row more. */
export function addOurs(sum: OurSide | null, row: OurDay): OurSide {
  const answered = row.attemptCount - row.failureCount;
  const inputTokens = (sum?.inputTokens ?? 0) + row.promptTokens;
  const outputTokens = (sum?.outputTokens ?? 0) + row.completionTokens;
  return {
    inputTokens,
    outputTokens,
    tokens: inputTokens + outputTokens,
    requests: (sum?.requests ?? 0) + answered,
    cents: addAmounts(sum?.cents ?? null, row.cost),
    uncosted: (sum?.uncosted ?? 0) + Math.max(0, answered - row.costedCount),
  };
}

const CENTS_PER_YUAN = 100n;

/** An amount in cents of yuan, exact to the digits that decimals keep. */
function centsOf(amount: string, rate: string): string {
  return fromScaled((toScaled(amount) * toScaled(rate) * CENTS_PER_YUAN) / toScaled("1"));
}

/** The origin of the token counts of a request. Source: docs/contract.md#s5. */
export type UsageSource = "upstream" | "estimated" | "none";

/**
 * Canonical token counts of one request, independent of protocols; metering and billing use them.
 * The four counts are disjoint; `reasoning` is a part of `output`. Source: docs/protocols.md#s11-1.
 */
export interface Usage {
  inputUncached: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
}

/** Zero tokens of every kind. */
export const NO_USAGE: Readonly<Usage> = Object.freeze({
  inputUncached: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
});

/** All prompt tokens, cached ones included. Source: docs/contract.md#s5 (`promptTokens`). */
export function promptTokens(usage: Usage): number {
  return usage.inputUncached + usage.cacheRead + usage.cacheWrite;
}

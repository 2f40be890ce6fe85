/** Where the token counts of a request come from. Source: docs/contract.md#s5. */
export type UsageSource = "upstream" | "estimated" | "none";

/**
 * Canonical token counts of one request; what is metered and billed whatever the protocols.
 * The four counts exclude each other; `reasoning` is a part of `output`. Source: docs/protocols.md#s11-1.
 */
export interface Usage {
  inputUncached: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
}

/** No tokens at all. */
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

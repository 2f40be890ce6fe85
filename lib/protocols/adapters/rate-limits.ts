/** How much of a caller's limits is used. */
export interface RateLimits {
  rpm: RateLimitUse;
  tpm: RateLimitUse;
}

/** One limit. Shape: `limit` null is none. */
export interface RateLimitUse {
  limit: number | null;
  used: number;
  resetMs: number;
}

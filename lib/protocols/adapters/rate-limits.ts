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

/** The remainder of a limit, as headers write it. */
export function remaining(limit: number, used: number): string {
  return String(Math.max(0, limit - used));
}

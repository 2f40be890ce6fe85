/** The used part of each limit of a caller. */
export interface RateLimits {
  rpm: RateLimitUse;
  tpm: RateLimitUse;
}

/** One limit. Shape: `limit` null: no limit. */
export interface RateLimitUse {
  limit: number | null;
  used: number;
  resetMs: number;
}

/** The remainder of a limit, in the form of headers. */
export function remaining(limit: number, used: number): string {
  return String(Math.max(0, limit - used));
}

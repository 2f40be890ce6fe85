import { type RateLimits, type RateLimitUse, remaining } from "@/lib/protocols/adapters/rate-limits";

/** The limit headers in the form of the vendor of chat and Responses. Source: docs/contract.md#s6. */
export function vendorLimitHeaders({ rpm, tpm }: RateLimits): Record<string, string> {
  const headers: Record<string, string> = {};
  addLimit(headers, requestNames, rpm);
  addLimit(headers, tokenNames, tpm);
  return headers;
}

/** Complete names: V8 would search its string table for a joined name again in each answer. */
const requestNames = {
  limit: "x-ratelimit-limit-requests",
  remaining: "x-ratelimit-remaining-requests",
  reset: "x-ratelimit-reset-requests",
};

const tokenNames = {
  limit: "x-ratelimit-limit-tokens",
  remaining: "x-ratelimit-remaining-tokens",
  reset: "x-ratelimit-reset-tokens",
};

function addLimit(headers: Record<string, string>, names: typeof requestNames, use: RateLimitUse): void {
  if (use.limit === null) return;
  headers[names.limit] = String(use.limit);
  headers[names.remaining] = remaining(use.limit, use.used);
  headers[names.reset] = durationText(use.resetMs);
}

/** A duration in the format of that vendor: `120ms`, `1s`, `8.64s`, `6m0s`, `1h0m0s`. Units: milliseconds in. */
export function durationText(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms));
  if (whole > 0 && whole < 1_000) return `${whole}ms`;
  const seconds = `${(whole % 60_000) / 1_000}s`;
  const minutes = Math.floor(whole / 60_000);
  if (minutes === 0) return seconds;
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`;
}

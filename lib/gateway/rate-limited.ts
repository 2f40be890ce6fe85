import { GatewayError } from "@/lib/kernel/errors";

/** A 429 with both forms of its wait. Units: milliseconds. Source: docs/reliability.md#s2-8. */
export function rateLimited(message: string, retryAfterMs: number): GatewayError {
  const seconds = retryAfterSeconds(retryAfterMs);
  return new GatewayError("RATE_LIMITED", `${message} Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
    retryAfterMs,
  });
}

/** Whole seconds for `Retry-After`, at least 1. Units: milliseconds in. Source: docs/reliability.md#s2-8. */
export function retryAfterSeconds(retryAfterMs: number): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1_000));
}

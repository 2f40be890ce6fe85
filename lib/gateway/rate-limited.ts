import { GatewayError } from "@/lib/errors";

/** A 429 with both forms of its wait. Units: milliseconds. Source: reliability 2.8. */
export function rateLimited(message: string, retryAfterMs: number): GatewayError {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return new GatewayError("RATE_LIMITED", `${message} Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
    retryAfterMs,
  });
}

import type { ErrorFormat, RateLimitUse } from "@/lib/protocols/adapter";
import { remaining } from "@/lib/protocols/generation/counts";

/** Errors and limits as chat clients read them. Source: docs/protocols.md#s12-7, #s13-2, docs/contract.md#s6. */
export const chatErrors: ErrorFormat = {
  types: {
    INVALID_REQUEST: "invalid_request_error",
    INVALID_API_KEY: "authentication_error",
    INVALID_CREDENTIALS: "authentication_error",
    UNAUTHORIZED: "authentication_error",
    QUOTA_EXCEEDED: "insufficient_quota",
    FORBIDDEN: "permission_error",
    MODEL_NOT_FOUND: "invalid_request_error",
    NOT_FOUND: "invalid_request_error",
    METHOD_NOT_ALLOWED: "invalid_request_error",
    CONFLICT: "invalid_request_error",
    PAYLOAD_TOO_LARGE: "invalid_request_error",
    UNSUPPORTED_MEDIA_TYPE: "invalid_request_error",
    RATE_LIMITED: "rate_limit_error",
    INTERNAL_ERROR: "server_error",
    UPSTREAM_ERROR: "server_error",
    NO_AVAILABLE_NODE: "server_error",
  },

  frame({ code, message, reason }) {
    const error = { message, type: this.types[code], code, param: null };
    return `data: ${JSON.stringify({ error: reason === undefined ? error : { ...error, reason } })}\n\n`;
  },

  limitHeaders({ rpm, tpm }) {
    const headers: Record<string, string> = {};
    addLimit(headers, "requests", rpm);
    addLimit(headers, "tokens", tpm);
    return headers;
  },
};

function addLimit(headers: Record<string, string>, family: string, use: RateLimitUse): void {
  if (use.limit === null) return;
  headers[`x-ratelimit-limit-${family}`] = String(use.limit);
  headers[`x-ratelimit-remaining-${family}`] = remaining(use.limit, use.used);
  headers[`x-ratelimit-reset-${family}`] = durationText(use.resetMs);
}

/** A duration in the words of the chat vendor: `120ms`, `1s`, `8.64s`, `6m0s`, `1h0m0s`. Units: milliseconds in. */
export function durationText(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms));
  if (whole > 0 && whole < 1_000) return `${whole}ms`;
  const seconds = `${(whole % 60_000) / 1_000}s`;
  const minutes = Math.floor(whole / 60_000);
  if (minutes === 0) return seconds;
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`;
}

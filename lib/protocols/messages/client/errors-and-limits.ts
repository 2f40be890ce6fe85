import type { ErrorFormat } from "@/lib/protocols/adapters/error-format";
import { type RateLimitUse, remaining } from "@/lib/protocols/adapters/rate-limits";

/**
 * The format of errors and limits for messages clients. Source: docs/protocols.md#s12-7, #s13-2, docs/contract.md#s6.
 */
export const messagesErrors: ErrorFormat = {
  vendorDetails: true,
  types: {
    INVALID_REQUEST: "invalid_request_error",
    INVALID_API_KEY: "authentication_error",
    INVALID_CREDENTIALS: "authentication_error",
    UNAUTHORIZED: "authentication_error",
    QUOTA_EXCEEDED: "billing_error",
    FORBIDDEN: "permission_error",
    MODEL_NOT_FOUND: "not_found_error",
    NOT_FOUND: "not_found_error",
    METHOD_NOT_ALLOWED: "invalid_request_error",
    CONFLICT: "invalid_request_error",
    PAYLOAD_TOO_LARGE: "request_too_large",
    UNSUPPORTED_MEDIA_TYPE: "invalid_request_error",
    RATE_LIMITED: "rate_limit_error",
    INTERNAL_ERROR: "api_error",
    UPSTREAM_ERROR: "api_error",
    NO_AVAILABLE_NODE: "overloaded_error",
  },

  frame({ code, message, reason, requestId }) {
    const details = reason === undefined ? { error_code: code } : { error_code: code, reason };
    const error = { type: this.types[code], message, details };
    return `event: error\ndata: ${JSON.stringify({ type: "error", error, request_id: requestId })}\n\n`;
  },

  limitHeaders({ rpm, tpm }, wallMs) {
    const headers: Record<string, string> = {};
    addLimit(headers, requestNames, rpm, wallMs);
    addLimit(headers, tokenNames, tpm, wallMs);
    return headers;
  },
};

/** Complete names: V8 would search its string table for a joined name again in each answer. */
const requestNames = {
  limit: "anthropic-ratelimit-requests-limit",
  remaining: "anthropic-ratelimit-requests-remaining",
  reset: "anthropic-ratelimit-requests-reset",
};
const tokenNames = {
  limit: "anthropic-ratelimit-tokens-limit",
  remaining: "anthropic-ratelimit-tokens-remaining",
  reset: "anthropic-ratelimit-tokens-reset",
};

function addLimit(
  headers: Record<string, string>,
  names: typeof requestNames,
  use: RateLimitUse,
  wallMs: number,
): void {
  if (use.limit === null) return;
  headers[names.limit] = String(use.limit);
  headers[names.remaining] = remaining(use.limit, use.used);
  const resetSeconds = Math.ceil((wallMs + use.resetMs) / 1_000);
  headers[names.reset] = new Date(resetSeconds * 1_000).toISOString().replace(".000Z", "Z");
}

import { databaseRefusal } from "@/lib/db/pool-errors";
import { type ErrorCode, GatewayError, isGatewayError } from "@/lib/kernel/errors";
import type { Protocol } from "@/lib/protocols/protocol";
import { jsonReply, type Reply } from "./reply";

/** The `type` words of each protocol's errors. Source: docs/protocols.md#s13-2. */
const typeWords: Record<ErrorCode, readonly [chat: string, messages: string]> = {
  INVALID_REQUEST: ["invalid_request_error", "invalid_request_error"],
  INVALID_API_KEY: ["authentication_error", "authentication_error"],
  INVALID_CREDENTIALS: ["authentication_error", "authentication_error"],
  UNAUTHORIZED: ["authentication_error", "authentication_error"],
  QUOTA_EXCEEDED: ["insufficient_quota", "billing_error"],
  FORBIDDEN: ["permission_error", "permission_error"],
  MODEL_NOT_FOUND: ["invalid_request_error", "not_found_error"],
  NOT_FOUND: ["invalid_request_error", "not_found_error"],
  METHOD_NOT_ALLOWED: ["invalid_request_error", "invalid_request_error"],
  CONFLICT: ["invalid_request_error", "invalid_request_error"],
  PAYLOAD_TOO_LARGE: ["invalid_request_error", "request_too_large"],
  UNSUPPORTED_MEDIA_TYPE: ["invalid_request_error", "invalid_request_error"],
  RATE_LIMITED: ["rate_limit_error", "rate_limit_error"],
  INTERNAL_ERROR: ["server_error", "api_error"],
  UPSTREAM_ERROR: ["server_error", "api_error"],
  NO_AVAILABLE_NODE: ["server_error", "overloaded_error"],
};

const NOT_WORTH_RETRYING: ReadonlySet<ErrorCode> = new Set(["INVALID_REQUEST", "INVALID_API_KEY"]);

/** The word an error of this code has in a protocol's vocabulary. Source: docs/protocols.md#s13-2. */
export function errorType(code: ErrorCode, protocol: Protocol): string {
  return typeWords[code][protocol === "chat" ? 0 : 1];
}

/** Any thrown value as an error a caller may see; what is not ours becomes INTERNAL_ERROR. */
export function asGatewayError(error: unknown): GatewayError {
  if (isGatewayError(error)) return error;
  const message = "Something went wrong on our side; the request was not billed.";
  return databaseRefusal(error) ?? new GatewayError("INTERNAL_ERROR", message, { cause: error });
}

/**
 * The one mapper from an error to a reply: one body that both SDKs read, in the path's vocabulary.
 * Source: docs/protocols.md#s13-1, docs/contract.md#s7.
 */
export function errorReply(
  error: GatewayError,
  protocol: Protocol,
  requestId: string,
  headers: Record<string, string> = {},
): Reply {
  const { details } = error;
  const body = {
    type: "error",
    error: {
      type: errorType(error.code, protocol),
      message: error.message,
      code: error.code,
      param: details.param ?? null,
      details: {
        error_code: error.code,
        ...(details.vendorCode === undefined ? {} : { vendor_code: details.vendorCode }),
        ...(details.reason === undefined ? {} : { reason: details.reason }),
      },
    },
    request_id: requestId,
  };
  return jsonReply(error.status, body, { ...headers, ...errorHeaders(error) });
}

function errorHeaders(error: GatewayError): Record<string, string> {
  const headers: Record<string, string> = {};
  const { retryAfterSeconds, retryAfterMs, allow } = error.details;
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(Math.max(1, retryAfterSeconds));
  if (retryAfterMs !== undefined) headers["retry-after-ms"] = String(Math.max(1, Math.ceil(retryAfterMs)));
  if (allow !== undefined) headers.allow = allow.join(", ");
  if (NOT_WORTH_RETRYING.has(error.code)) headers["x-should-retry"] = "false";
  return headers;
}

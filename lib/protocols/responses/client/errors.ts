import type { ErrorCode, GatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { ErrorFormat, StreamFailure, UsedWindow } from "@/lib/protocols/adapters/error-format";
import { vendorLimitHeaders } from "@/lib/protocols/wire/vendor-limits";

/** A quota has no window, but clients name it after one; this is the longest window that they know. */
const QUOTA_WINDOW_MINUTES = String(365 * 24 * 60);

const invalidType = "invalid_request_error";

/** The `code` of each error; clients decide by it whether they retry. Source: docs/responses.md#s2-7. */
const codes: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST: "invalid_request",
  INVALID_API_KEY: "invalid_api_key",
  INVALID_CREDENTIALS: "invalid_api_key",
  UNAUTHORIZED: "invalid_api_key",
  QUOTA_EXCEEDED: "insufficient_quota",
  FORBIDDEN: "permission_denied",
  MODEL_NOT_FOUND: "model_not_found",
  NOT_FOUND: "not_found",
  METHOD_NOT_ALLOWED: "method_not_allowed",
  CONFLICT: "conflict",
  PAYLOAD_TOO_LARGE: "request_too_large",
  UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
  RATE_LIMITED: "rate_limit_exceeded",
  INTERNAL_ERROR: "server_error",
  UPSTREAM_ERROR: "server_error",
  NO_AVAILABLE_NODE: "server_is_overloaded",
};

/** The codes that clients know inside a stream: they retry after any other. Source: docs/responses.md#s2-7. */
const streamCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_REQUEST: "invalid_prompt",
  PAYLOAD_TOO_LARGE: "invalid_prompt",
  QUOTA_EXCEEDED: codes.QUOTA_EXCEEDED,
  RATE_LIMITED: codes.RATE_LIMITED,
  MODEL_NOT_FOUND: codes.MODEL_NOT_FOUND,
};

/** The `error` member of a failed response. Source: docs/responses.md#s2-7. */
export function streamError({ code, message, vendorCode, reason }: StreamFailure): JsonObject {
  const own = reason === undefined ? (streamCodes[code] ?? "server_error") : "invalid_prompt";
  return { code: vendorCode ?? own, message };
}

/** The format of errors and limits for Responses clients. Source: docs/responses.md#s2-7, docs/contract.md#s6. */
export const responsesErrors: ErrorFormat = {
  types: {
    INVALID_REQUEST: invalidType,
    INVALID_API_KEY: "authentication_error",
    INVALID_CREDENTIALS: "authentication_error",
    UNAUTHORIZED: "authentication_error",
    QUOTA_EXCEEDED: "insufficient_quota",
    FORBIDDEN: "permission_error",
    MODEL_NOT_FOUND: invalidType,
    NOT_FOUND: invalidType,
    METHOD_NOT_ALLOWED: invalidType,
    CONFLICT: invalidType,
    PAYLOAD_TOO_LARGE: invalidType,
    UNSUPPORTED_MEDIA_TYPE: invalidType,
    RATE_LIMITED: "rate_limit_error",
    INTERNAL_ERROR: "server_error",
    UPSTREAM_ERROR: "server_error",
    NO_AVAILABLE_NODE: "server_error",
  },

  refusal: (error) => {
    const { code, message, status, details } = error;
    if (code !== "QUOTA_EXCEEDED") return { status, code: details.vendorCode ?? codes[code], message };
    return quotaRefusal(error);
  },

  frame(failure) {
    const response = { object: "response", status: "failed", error: streamError(failure), output: [] };
    const event = { type: "response.failed", sequence_number: 0, response };
    return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`;
  },

  limitHeaders: vendorLimitHeaders,

  quotaHeaders(used, [primary, secondary]) {
    if (primary !== undefined)
      return Object.assign(
        windowHeaders("primary", primary),
        secondary && windowHeaders("secondary", secondary),
      );
    return {
      "x-codex-primary-used-percent": String(used),
      "x-codex-primary-window-minutes": QUOTA_WINDOW_MINUTES,
    };
  },
};

function windowHeaders(place: "primary" | "secondary", window: UsedWindow): Record<string, string> {
  return {
    [`x-codex-${place}-used-percent`]: String(window.usedPercent),
    [`x-codex-${place}-window-minutes`]: String(window.minutes),
    [`x-codex-${place}-reset-at`]: String(window.resetsAtSeconds),
  };
}

/**
 * These clients do not support a 402. A quota that only running requests exceed is a temporary limit; an exhausted one
 * is final. Source: docs/responses.md#s2-7.
 */
function quotaRefusal({ message, details }: GatewayError): ReturnType<NonNullable<ErrorFormat["refusal"]>> {
  const wait = details.retryAfterSeconds;
  if (wait === undefined || details.final === true)
    return { status: 429, code: codes.QUOTA_EXCEEDED, message, final: true };
  const type = responsesErrors.types.RATE_LIMITED;
  return { status: 429, type, code: codes.RATE_LIMITED, message: `${message} Please try again in ${wait}s.` };
}

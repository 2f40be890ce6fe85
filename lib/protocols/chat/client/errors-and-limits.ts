import type { ErrorFormat } from "@/lib/protocols/adapters/error-format";
import { vendorLimitHeaders } from "@/lib/protocols/wire/vendor-limits";

/** The format of errors and limits for chat clients. Source: docs/protocols.md#s12-7, #s13-2, docs/contract.md#s6. */
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

  limitHeaders: vendorLimitHeaders,
};

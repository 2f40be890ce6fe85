import { type ErrorCode, errorStatus, type GatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { ErrorFormat, StreamFailure } from "@/lib/protocols/adapters/error-format";
import { vendorLimitHeaders } from "@/lib/protocols/wire/vendor-limits";
import { geminiFrame } from "./encode";

/** The vendor's word for each error. Source: docs/gemini.md#errors. */
const statuses: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST: "INVALID_ARGUMENT",
  INVALID_API_KEY: "UNAUTHENTICATED",
  INVALID_CREDENTIALS: "UNAUTHENTICATED",
  UNAUTHORIZED: "UNAUTHENTICATED",
  QUOTA_EXCEEDED: "FAILED_PRECONDITION",
  FORBIDDEN: "PERMISSION_DENIED",
  MODEL_NOT_FOUND: "NOT_FOUND",
  NOT_FOUND: "NOT_FOUND",
  METHOD_NOT_ALLOWED: "UNIMPLEMENTED",
  CONFLICT: "ABORTED",
  PAYLOAD_TOO_LARGE: "INVALID_ARGUMENT",
  UNSUPPORTED_MEDIA_TYPE: "INVALID_ARGUMENT",
  RATE_LIMITED: "RESOURCE_EXHAUSTED",
  INTERNAL_ERROR: "INTERNAL",
  UPSTREAM_ERROR: "UNAVAILABLE",
  NO_AVAILABLE_NODE: "UNAVAILABLE",
};

/** The reasons that programs evaluate beside the status; others are the gateway's own code. */
const reasons: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_API_KEY: "API_KEY_INVALID",
  QUOTA_EXCEEDED: "QUOTA_EXHAUSTED",
};

const type = (name: string) => `type.googleapis.com/google.rpc.${name}`;

/** The format of errors for Gemini clients. Source: docs/gemini.md#errors, docs/contract.md#s6. */
export const geminiErrors: ErrorFormat = {
  types: statuses,
  resets: true,

  body(error, requestId) {
    const { code, status, message, details } = error;
    const { retryAfterSeconds: seconds } = details;
    const hint = code === "RATE_LIMITED" && seconds !== undefined ? ` Please retry in ${seconds}s.` : "";
    return errorBody(status, statuses[code], message + hint, detailsOf(error, requestId));
  },

  frame({ code, message, requestId, reason }: StreamFailure) {
    const body = errorBody(errorStatus[code], statuses[code], message, [
      errorInfo(reason ?? reasons[code] ?? code, code),
      { "@type": type("RequestInfo"), requestId },
    ]);
    return geminiFrame(JSON.stringify(body));
  },

  limitHeaders: vendorLimitHeaders,
};

function errorBody(code: number, status: string, message: string, details: JsonObject[]): JsonObject {
  return { error: { code, message, status, details } };
}

function errorInfo(reason: string, code: string): JsonObject {
  return { "@type": type("ErrorInfo"), reason, domain: "tollgate", metadata: { error_code: code } };
}

function detailsOf({ code, message, details }: GatewayError, requestId: string): JsonObject[] {
  const { param, reason, vendorCode, retryAfterSeconds: seconds, budget } = details;
  const info = errorInfo(vendorCode ?? reason ?? reasons[code] ?? code, code);
  if (budget !== undefined) info.metadata = { error_code: code, budget: JSON.stringify(budget) };
  const found: JsonObject[] = [info];
  if (code === "INVALID_REQUEST" && param !== undefined)
    found.push({ "@type": type("BadRequest"), fieldViolations: [{ field: param, description: message }] });
  if (seconds !== undefined && code !== "QUOTA_EXCEEDED")
    found.push({ "@type": type("RetryInfo"), retryDelay: `${Math.max(1, seconds)}s` });
  found.push({ "@type": type("RequestInfo"), requestId });
  return found;
}

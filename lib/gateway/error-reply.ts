import { databaseRefusal } from "@/lib/db/pool-errors";
import { type ErrorCode, GatewayError, isGatewayError } from "@/lib/kernel/errors";
import type { Protocol } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";
import { jsonReply, type Reply } from "./reply";

const NOT_WORTH_RETRYING: ReadonlySet<ErrorCode> = new Set(["INVALID_REQUEST", "INVALID_API_KEY"]);

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
      type: protocols[protocol].errors.types[error.code],
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

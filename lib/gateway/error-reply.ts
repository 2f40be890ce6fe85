import { toGatewayError } from "@/lib/db/database-error";
import type { ErrorCode, GatewayError } from "@/lib/kernel/errors";
import type { Refusal } from "@/lib/protocols/adapters/error-format";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { clientAdapters } from "@/lib/protocols/registry";
import { jsonReply, type Reply } from "./reply";

/** Throws a refusal, if there is one. */
export function refuse(refusal: GatewayError | null): void {
  if (refusal !== null) throw refusal;
}

const NOT_WORTH_RETRYING: ReadonlySet<ErrorCode> = new Set(["INVALID_REQUEST", "INVALID_API_KEY"]);

/** Any thrown value as an error that a caller of the gateway may see. */
export function asGatewayError(error: unknown): GatewayError {
  return toGatewayError(error, "Something went wrong on our side; the request was not billed.");
}

/**
 * The one mapper from an error to a reply: one body that both SDKs read, in the path's vocabulary.
 * Source: docs/protocols.md#s13-1, docs/contract.md#s7.
 */
export function errorReply(
  error: GatewayError,
  protocol: ClientProtocol,
  requestId: string,
  headers: Record<string, string> = {},
): Reply {
  const { details } = error;
  const { errors } = clientAdapters[protocol];
  const refusal = refusalOf(error, protocol);
  const body = errors.body?.(error, requestId) ?? {
    type: "error",
    error: {
      type: refusal.type ?? errors.types[error.code],
      message: refusal.message,
      code: refusal.code,
      param: details.param ?? null,
      details: {
        error_code: error.code,
        ...(errors.vendorDetails ? details.vendorDetails : undefined),
        ...(details.vendorCode === undefined ? {} : { vendor_code: details.vendorCode }),
        ...(details.reason === undefined ? {} : { reason: details.reason }),
        ...(details.limit === undefined ? {} : { limit: details.limit }),
        ...(details.budget === undefined ? {} : { budget: details.budget }),
      },
    },
    request_id: requestId,
  };
  const reply = jsonReply(refusal.status, body, { ...headers, ...errorHeaders(error, refusal) });
  if (details.overload) reply.holdBackSeconds = details.retryAfterSeconds;
  return reply;
}

/** An error in the words of a protocol. */
export function refusalOf(error: GatewayError, protocol: ClientProtocol): Refusal {
  return clientAdapters[protocol].errors.refusal?.(error) ?? error;
}

function errorHeaders(error: GatewayError, { final }: Refusal): Record<string, string> {
  const headers: Record<string, string> = {};
  const { retryAfterSeconds, retryAfterMs, allow, budget } = error.details;
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(Math.max(1, retryAfterSeconds));
  if (retryAfterMs !== undefined) headers["retry-after-ms"] = String(Math.max(1, Math.ceil(retryAfterMs)));
  if (allow !== undefined) headers.allow = allow.join(", ");
  if (budget?.resetsAt != null) headers["x-tollgate-budget-reset"] = budget.resetsAt;
  if (final === true || error.details.final === true || NOT_WORTH_RETRYING.has(error.code))
    headers["x-should-retry"] = "false";
  // SDKs do not retry every status by themselves.
  else if (error.details.passesSoon === true) headers["x-should-retry"] = "true";
  return headers;
}

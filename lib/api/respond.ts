import { databaseRefusal } from "@/lib/db/database-error";
import { GatewayError, isGatewayError } from "@/lib/kernel/errors";

/** A JSON answer. Money must already be text or number: a bigint does not pass. */
export function json(status: number, value: unknown): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json" } });
}

/** 204. */
export function noContent(): Response {
  return new Response(null, { status: 204 });
}

/** Any thrown value as an error a caller may see; what is not ours becomes INTERNAL_ERROR. */
export function asApiError(thrown: unknown): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  return (
    databaseRefusal(thrown) ??
    new GatewayError("INTERNAL_ERROR", "Something went wrong on our side.", { cause: thrown })
  );
}

/** The one error body of `/api`. Source: docs/contract.md#s7. */
export function errorResponse(error: GatewayError, requestId: string): Response {
  const { fields, retryAfterSeconds, allow } = error.details;
  const response = json(error.status, {
    error: { code: error.code, message: error.message, requestId, ...(fields ? { fields } : {}) },
  });
  if (retryAfterSeconds !== undefined) response.headers.set("retry-after", String(retryAfterSeconds));
  if (allow !== undefined) response.headers.set("allow", allow.join(", "));
  return response;
}

/** A CSV file that is sent as it is made. */
export function csv(fileName: string, body: ReadableStream<Uint8Array>): Response {
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName}"`,
      "x-accel-buffering": "no",
    },
  });
}

import { databaseRefusal } from "@/lib/db/database-error";
import { GatewayError, isGatewayError } from "@/lib/kernel/errors";

/** A JSON response. Amounts must be text or numbers, because JSON has no bigint. */
export function json(status: number, value: unknown): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json" } });
}

/** 204. */
export function noContent(): Response {
  return new Response(null, { status: 204 });
}

/** Converts any thrown value to a GatewayError; an unknown one becomes INTERNAL_ERROR. */
export function asApiError(thrown: unknown): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  return (
    databaseRefusal(thrown) ??
    new GatewayError("INTERNAL_ERROR", "Something went wrong on our side.", { cause: thrown })
  );
}

/** The error response of `/api`. Source: docs/contract.md#s7. */
export function errorResponse(error: GatewayError, requestId: string): Response {
  const { fields, retryAfterSeconds, allow } = error.details;
  const response = json(error.status, {
    error: { code: error.code, message: error.message, requestId, ...(fields ? { fields } : {}) },
  });
  if (retryAfterSeconds !== undefined) response.headers.set("retry-after", String(retryAfterSeconds));
  if (allow !== undefined) response.headers.set("allow", allow.join(", "));
  return response;
}

/** A streamed CSV file. */
export function csv(fileName: string, body: ReadableStream<Uint8Array>): Response {
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName}"`,
      "x-accel-buffering": "no",
    },
  });
}

import type { ErrorCode } from "@/lib/kernel/errors";
import { parseJson } from "@/lib/kernel/parse-json";
import { protocolKits } from "@/lib/protocols/kit/kits";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { ApiError } from "../api/client";

/** The headers of a call with a body. */
export function headersOf(protocol: ClientProtocol, secret: string): Record<string, string> {
  return { "content-type": "application/json", ...protocolKits[protocol].credentials(secret) };
}

/** Sends a call to the gateway. Throws ApiError for a refusal. */
export async function sendCall(
  path: string,
  init: { method: "GET" | "POST"; headers: Record<string, string>; body?: unknown; signal?: AbortSignal },
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: init.method,
      headers: init.headers,
      credentials: "omit",
      cache: "no-store",
      signal: init.signal ?? null,
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new ApiError({ status: 0, code: "NETWORK", message: "" });
  }
  if (!response.ok) throw await refusalOf(response);
  return response;
}

async function refusalOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  const retryAfter = Number(response.headers.get("retry-after"));
  const found = readRefusal(text);
  return new ApiError({
    status: response.status,
    code: found.code ?? "INTERNAL_ERROR",
    message: found.message ?? "",
    requestId: response.headers.get("x-request-id"),
    retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
  });
}

function readRefusal(text: string): { code?: ErrorCode; message?: string } {
  // Both members are optional, so a foreign body reads as an empty refusal.
  const body = parseJson(text) as { error?: { code?: ErrorCode; message?: string } } | null | undefined;
  return body?.error ?? {};
}

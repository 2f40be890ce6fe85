import type { ErrorCode } from "@/lib/kernel/errors";
import type { Protocol } from "@/lib/protocols/protocol";
import { ApiError } from "../api/client";

/** One turn of the conversation. */
export interface Turn {
  role: "user" | "assistant";
  text: string;
}

/** What a playground call is made from. */
export interface CallInput {
  protocol: Protocol;
  model: string;
  system: string;
  maxTokens: number;
  temperature: number;
  stream: boolean;
  turns: Turn[];
}

/** The path of a protocol's generation call. */
export function pathOf(protocol: Protocol): string {
  return protocol === "chat" ? "/v1/chat/completions" : "/v1/messages";
}

/** The body as it is sent. */
export function bodyOf(input: CallInput): Record<string, unknown> {
  const { model, maxTokens, temperature, stream, system } = input;
  const messages = input.turns.map((turn) => ({ role: turn.role, content: turn.text }));
  const common = { model, max_tokens: maxTokens, temperature, stream };
  if (input.protocol === "messages") return { ...common, ...(system === "" ? {} : { system }), messages };
  return {
    ...common,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    messages: system === "" ? messages : [{ role: "system", content: system }, ...messages],
  };
}

/** The headers as they are sent. */
export function headersOf(protocol: Protocol, secret: string): Record<string, string> {
  const type = { "content-type": "application/json" };
  return protocol === "chat"
    ? { ...type, authorization: `Bearer ${secret}` }
    : { ...type, "x-api-key": secret, "anthropic-version": "2023-06-01" };
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
  try {
    // Both members are optional, so a foreign body reads as an empty refusal.
    return (JSON.parse(text) as { error?: { code?: ErrorCode; message?: string } }).error ?? {};
  } catch {
    return {};
  }
}

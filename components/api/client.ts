import type { ErrorCode } from "@/lib/kernel/errors";
import { parseJson } from "@/lib/kernel/json";
import { needsSession, redirectToLogin } from "./redirect-to-login";

/** The error envelope of `/api`, or a failed connection (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | "NETWORK";
  readonly requestId: string | null;
  readonly fields: Record<string, string[]>;
  readonly retryAfterSeconds: number | null;

  constructor(input: {
    status: number;
    code: ErrorCode | "NETWORK";
    message: string;
    requestId?: string | null;
    fields?: Record<string, string[]>;
    retryAfterSeconds?: number | null;
  }) {
    super(input.message);
    this.name = "ApiError";
    this.status = input.status;
    this.code = input.code;
    this.requestId = input.requestId ?? null;
    this.fields = input.fields ?? {};
    this.retryAfterSeconds = input.retryAfterSeconds ?? null;
  }
}

export type Query = Record<string, string | number | boolean | null | undefined>;

interface CallOptions {
  method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
}

interface Envelope {
  error?: { code?: ErrorCode; message?: string; requestId?: string; fields?: Record<string, string[]> };
}

/** A path with the parameters that have a value. */
export function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}

/**
 * Calls the account API with the browser's session; when it has ended, redirects to the login page. Throws ApiError.
 */
export async function callApi<T>(path: string, options: CallOptions = {}): Promise<T> {
  const response = await send(path, options);
  const text = await response.text();
  if (!response.ok) {
    const error = readError(response, text);
    if (error.code === "UNAUTHORIZED" && needsSession()) redirectToLogin();
    throw error;
  }
  // The document at /openapi.json defines this shape, and a contract test checks the handlers.
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

async function send(path: string, options: CallOptions): Promise<Response> {
  try {
    return await fetch(withQuery(path, options.query), {
      method: options.method ?? "GET",
      credentials: "same-origin",
      cache: "no-store",
      signal: options.signal ?? null,
      ...(options.body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(options.body) }),
    });
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw new ApiError({ status: 0, code: "NETWORK", message: "" });
  }
}

function readError(response: Response, text: string): ApiError {
  const { error } = parseEnvelope(text);
  const retryAfter = Number(response.headers.get("retry-after"));
  return new ApiError({
    status: response.status,
    code: error?.code ?? "INTERNAL_ERROR",
    message: error?.message ?? "",
    requestId: error?.requestId ?? response.headers.get("x-request-id"),
    fields: error?.fields ?? {},
    retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
  });
}

function parseEnvelope(text: string): Envelope {
  // Every member is optional, so a foreign body reads as an empty envelope.
  return (parseJson(text) as Envelope | null | undefined) ?? {};
}

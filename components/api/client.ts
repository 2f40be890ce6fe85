import type { ApiInput, ApiOutput, OperationName } from "@/lib/api/routes";
import type { ErrorCode } from "@/lib/kernel/errors";
import { markOf } from "@/lib/kernel/json-mark";
import { parseJson } from "@/lib/kernel/parse-json";
import { needsSession, redirectToLogin } from "./redirect-to-login";

/** The error envelope of `/api`, or a failed connection (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | "NETWORK";
  readonly requestId: string | null;
  readonly fields: Record<string, string[]>;
  readonly retryAfterSeconds: number | null;
  /** Why the request was refused, when the code does not say it. */
  readonly reason: string | null;
  /** Since when that is so, as ISO text. */
  readonly since: string | null;
  /** Who did it. */
  readonly by: string | null;
  /** The record as it is now. */
  readonly current: object | null;

  constructor(input: {
    status: number;
    code: ErrorCode | "NETWORK";
    message: string;
    requestId?: string | null;
    fields?: Record<string, string[]>;
    retryAfterSeconds?: number | null;
    reason?: string | null;
    since?: string | null;
    by?: string | null;
    current?: object | null;
  }) {
    super(input.message);
    this.name = "ApiError";
    this.status = input.status;
    this.code = input.code;
    this.requestId = input.requestId ?? null;
    this.fields = input.fields ?? {};
    this.retryAfterSeconds = input.retryAfterSeconds ?? null;
    this.reason = input.reason ?? null;
    this.since = input.since ?? null;
    this.by = input.by ?? null;
    this.current = input.current ?? null;
  }

  /** The same failure with a message of the pages' own. */
  told(message: string): ApiError {
    return new ApiError({ ...this, message });
  }
}

/** Whether a call that failed with this may have been done all the same: no answer came, or the server broke. */
export function isOutcomeUnknown(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

export type Query = Record<string, string | number | boolean | null | undefined>;

export type Params = Record<string, string | number>;

/** The members that the input of any operation may have. */
interface AnyInput {
  params?: Params;
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
  /** Of what the body changes, the values that were loaded: a change of them since is answered CONFLICT. */
  loaded?: object;
}

/** The input of an operation; it may be left out where nothing is required. */
export type InputArguments<Name extends OperationName> =
  object extends ApiInput<Name>
    ? [input?: ApiInput<Name> & Pick<AnyInput, "signal" | "loaded">]
    : [input: ApiInput<Name> & Pick<AnyInput, "signal" | "loaded">];

interface Envelope {
  error?: {
    code?: ErrorCode;
    message?: string;
    requestId?: string;
    fields?: Record<string, string[]>;
    reason?: string;
    since?: string;
    by?: string;
    current?: object;
  };
}

/** The members of a query that have a value, as text. */
export function sentQuery(query: Query = {}): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") sent[name] = String(value);
  }
  return sent;
}

/** A path with the parameters that have a value. */
export function withQuery(path: string, query?: Query): string {
  const text = new URLSearchParams(sentQuery(query)).toString();
  return text === "" ? path : `${path}?${text}`;
}

/** The path of an operation, by its name, with the parameters that it has in it. */
export function pathOf(name: OperationName, params: Params = {}): string {
  const path = name.slice(name.indexOf(" ") + 1);
  return path.replace(/\{(\w+)\}/g, (_, param) => encodeURIComponent(params[param] ?? ""));
}

/**
 * Calls an operation of the account API by its name, such as `GET /api/user/self`, with the browser's session; when it
 * has ended, redirects to the login page. Throws ApiError.
 */
export async function callApi<Name extends OperationName>(
  name: Name,
  ...[input]: InputArguments<Name>
): Promise<ApiOutput<Name>> {
  return answerTo(name, input ?? {});
}

/** As `callApi`, of input that is known to be the operation's own. Throws ApiError. */
export async function answerTo<Name extends OperationName>(
  name: Name,
  input: AnyInput,
): Promise<ApiOutput<Name>> {
  const response = await send(name, input);
  const text = await response.text();
  if (!response.ok) {
    const error = readError(response, text);
    if (error.code === "UNAUTHORIZED" && needsSession()) redirectToLogin();
    throw error;
  }
  // The operation's own schema describes the answer; the server's handlers do not compile otherwise.
  return (text === "" ? undefined : JSON.parse(text)) as ApiOutput<Name>;
}

async function send(
  name: OperationName,
  { params, query, body, signal, loaded }: AnyInput,
): Promise<Response> {
  try {
    return await fetch(withQuery(pathOf(name, params), query), {
      method: name.slice(0, name.indexOf(" ")),
      credentials: "same-origin",
      cache: "no-store",
      signal: signal ?? null,
      ...(body === undefined ? {} : { headers: headersOf(loaded), body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ApiError({ status: 0, code: "NETWORK", message: "" });
  }
}

function headersOf(loaded: object | undefined): Record<string, string> {
  const type = { "content-type": "application/json" };
  if (loaded === undefined) return type;
  const marks = Object.entries(loaded).map(([name, value]) => [name, markOf(value)]);
  return { ...type, "x-loaded": new URLSearchParams(marks).toString() };
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
    reason: error?.reason ?? null,
    since: error?.since ?? null,
    by: error?.by ?? null,
    current: error?.current ?? null,
  });
}

function parseEnvelope(text: string): Envelope {
  // Every member is optional, so a foreign body reads as an empty envelope.
  return (parseJson(text) as Envelope | null | undefined) ?? {};
}

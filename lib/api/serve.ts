import { answerNextAuth } from "@/lib/accounts/next-auth";
import { refuseOtherAddress } from "@/lib/accounts/session";
import { openApiDocument } from "@/lib/api/openapi/document";
import type { Settings } from "@/lib/config/env";
import { toGatewayError } from "@/lib/db/database-error";
import { hasRuntime, runtime } from "@/lib/gateway/runtime";
import { clientIp } from "@/lib/kernel/client-address";
import { GatewayError } from "@/lib/kernel/errors";
import { sha256Hex } from "@/lib/kernel/hash";
import { isKnown, requireJsonType } from "@/lib/kernel/request-headers";
import { newRequestId } from "@/lib/kernel/request-id";
import { version } from "@/package.json";
import { actorOf, authContext, requireCaller } from "./guard";
import type { CsvFile, Operation, ParsedCall } from "./operation";
import { parse, parseChanges, parseQuery, refuseUnknownNames } from "./parse";
import { readJson } from "./read-json";
import { findRoute } from "./routes";

/**
 * Answers a request to any path under `/api` except those of the browser's sign-in. `clientIp`: the address for
 * throttles and the audit log, which the request's headers do not contain. Source: docs/contract.md#s5, #s7.
 */
export function handleApi(request: Request, clientIp: string): Promise<Response> {
  return answerApi(request, (requestId) => answerOperation(request, requestId, clientIp));
}

/**
 * Answers a request with the id and the cache rule of all answers of `/api`; errors become JSON, and HEAD gets no body.
 * Source: docs/contract.md#s7.
 */
export async function answerApi(
  request: Request,
  work: (requestId: string) => Promise<Response>,
): Promise<Response> {
  const requestId = newRequestId();
  const response = await work(requestId).catch((thrown: unknown) => errorResponse(thrown, requestId));
  response.headers.set("x-request-id", requestId);
  response.headers.set("request-id", requestId);
  response.headers.set("cache-control", "no-store");
  if (request.method !== "HEAD") return response;
  await response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}

async function answerOperation(request: Request, requestId: string, clientIp: string): Promise<Response> {
  const { method } = request;
  const { pathname, searchParams } = new URL(request.url);
  const route = findRoute(pathname);
  if (route === null) throw new GatewayError("NOT_FOUND", `${pathname} does not exist.`);
  const { allow, params } = route;
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow: allow.join(", ") } });
  const operation = route.operations.get(method);
  if (operation === undefined) {
    throw new GatewayError("METHOD_NOT_ALLOWED", `${method} is not allowed here.`, { allow });
  }
  const { caller, query, ignoresQuery } = operation;
  const principal = caller === "public" ? null : await requireCaller(operation, request);
  if (query === undefined && !ignoresQuery) refuseUnknownNames([], searchParams);
  const call: ParsedCall = {
    request,
    requestId,
    clientIp,
    params,
    query: query && parseQuery(query, searchParams),
    body: await bodyOf(operation, request),
    ...(principal && {
      user: principal.user,
      loginId: principal.loginId,
      actor: actorOf(principal.user, clientIp, request.headers.get("x-loaded")),
    }),
  };
  return responseOf(operation, await operation.handle(call));
}

/** The JSON body of an operation that takes one. Throws: INVALID_REQUEST, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE. */
async function bodyOf({ body }: Operation, request: Request): Promise<unknown> {
  if (body === undefined) {
    if (request.method !== "GET" && request.method !== "HEAD") refuseForms(request);
    return undefined;
  }
  const value = await readJson(request);
  return body.partial ? parseChanges(body.schema, value) : parse(body.schema, value);
}

/**
 * Refuses what a form on another site can send: with a session, an operation without a body accepts none, or JSON.
 * Throws: UNSUPPORTED_MEDIA_TYPE. Source: docs/reliability.md#s3-6.
 */
function refuseForms({ headers }: Request): void {
  if (headers.has("authorization")) return;
  const type = headers.get("content-type");
  const hasBody = headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0;
  if (type !== null || hasBody) requireJsonType(type);
}

function responseOf({ success }: Operation, answer: unknown): Response {
  const { failed, schema, other, status } = success;
  if (schema !== undefined) return json(failed?.when(answer) ? failed.status : status, answer);
  // `defineOperation` has checked that an operation with another media type returns a file.
  if (other !== undefined) return csv(answer as CsvFile);
  return new Response(null, { status });
}

/** A JSON response. Amounts must be text or numbers, because JSON has no bigint. */
function json(status: number, value: unknown): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json" } });
}

/** A streamed CSV file. */
function csv({ name, content }: CsvFile): Response {
  return new Response(content, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
      "x-accel-buffering": "no",
    },
  });
}

/** The error response of `/api`. Source: docs/contract.md#s7. */
function errorResponse(thrown: unknown, requestId: string): Response {
  const error = toGatewayError(thrown, "Something went wrong on our side.");
  const { fields, reason, since, by, current, retryAfterSeconds, allow, cause } = error.details;
  if (hasRuntime()) runtime().refusals.sent(error);
  // During overload one line a second counts the refusals, which costs less.
  if (error.status >= 500 && error.code !== "NO_AVAILABLE_NODE" && hasRuntime()) {
    runtime().log.error({ requestId, code: error.code, err: cause }, error.message);
  }
  const response = json(error.status, {
    error: {
      code: error.code,
      message: error.message,
      requestId,
      ...(fields && { fields }),
      ...(reason && { reason }),
      ...(since && { since: since.toISOString() }),
      ...(by && { by }),
      ...(current && { current }),
    },
  });
  if (retryAfterSeconds !== undefined) response.headers.set("retry-after", String(retryAfterSeconds));
  if (allow !== undefined) response.headers.set("allow", allow.join(", "));
  return response;
}

/** The operations that the browser's sign-in uses, without the library's HTML pages. */
const used: Record<string, readonly string[]> = {
  GET: ["session", "csrf", "providers"],
  POST: ["session", "callback/credentials", "signout", "_log"],
};

const ALLOW = ["GET", "HEAD", "POST", "OPTIONS"];

/**
 * Answers a request under `/api/auth`, which is public: turns a bearer token into a cookie session for the pages.
 * Source: docs/adr/0009-next-auth-for-cookies-only.md#decision.
 */
function answerBrowserSession(request: Request, clientIp: string): Promise<Response> {
  return answerApi(request, () => browserSession(request, clientIp));
}

async function browserSession(request: Request, clientIp: string): Promise<Response> {
  const { method } = request;
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow: ALLOW.join(", ") } });
  if (!ALLOW.includes(method)) {
    throw new GatewayError("METHOD_NOT_ALLOWED", `${method} is not allowed here.`, { allow: ALLOW });
  }
  const parts = new URL(request.url).pathname.replace(/\/+$/, "").split("/").slice(3);
  if (!used[method]?.includes(parts.join("/"))) {
    throw new GatewayError("NOT_FOUND", "There is nothing at this path.");
  }
  const context = authContext();
  if (method === "POST") refuseOtherAddress(request, context);
  return answerNextAuth(request, parts, context, clientIp);
}

/**
 * Answers a request to any path under `/api` and to `/openapi.json`. `clientIp`: as for `handleApi`.
 * Source: docs/architecture.md#s1-10.
 */
export async function answerWeb(request: Request, clientIp: string): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/openapi.json") return answerDocument(request);
  return /^\/api\/auth(\/|$)/.test(pathname)
    ? answerBrowserSession(request, clientIp)
    : handleApi(request, clientIp);
}

/**
 * The same for route handlers of hosts without our server. They do not know the address of the connection: without
 * `TRUST_PROXY` all clients count as one.
 */
export function answerRoute(request: Request): Promise<Response> {
  const forwardedFor = request.headers.get("x-forwarded-for") ?? undefined;
  return answerWeb(request, clientIp(forwardedFor, undefined, runtime().settings.trustProxy));
}

interface WrittenDocument {
  document: string;
  etag: string;
}

/** Cached, because the document depends on the settings alone and takes long to write. */
const documents = new WeakMap<Settings, WrittenDocument>();

function apiDocument(settings: Settings): WrittenDocument {
  const known = documents.get(settings);
  if (known !== undefined) return known;
  const document = JSON.stringify(openApiDocument(settings.publicUrl, version, settings.compatibility));
  // A weak ETag, because the compressed document has the same one.
  const written = { document, etag: `W/"${sha256Hex(document).slice(0, 32)}"` };
  documents.set(settings, written);
  return written;
}

/** The API document, for programs and for /docs/api. Source: docs/dashboard.md#s2-1. */
function answerDocument({ method, headers: asked }: Request): Response {
  if (method === "OPTIONS")
    return new Response(null, { status: 204, headers: { allow: "GET, HEAD, OPTIONS" } });
  const { document, etag } = apiDocument(runtime().settings);
  const headers = { etag, "cache-control": "no-cache", "access-control-allow-origin": "*" };
  if (isKnown(asked.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return new Response(method === "HEAD" ? null : document, {
    headers: { ...headers, "content-type": "application/json" },
  });
}

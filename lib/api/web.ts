import { answerNextAuth } from "@/lib/accounts/next-auth";
import { openApiDocument } from "@/lib/api/openapi/document";
import { clientIp } from "@/lib/gateway/exchange";
import { runtime } from "@/lib/gateway/runtime";
import { GatewayError } from "@/lib/kernel/errors";
import { sha256Hex } from "@/lib/kernel/hash";
import { isKnown } from "@/lib/kernel/http";
import { version } from "@/package.json";
import { authContext } from "./guard";
import { answerApi, handleApi } from "./serve";

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
function answerBrowserSession(request: Request): Promise<Response> {
  return answerApi(request, () => browserSession(request));
}

async function browserSession(request: Request): Promise<Response> {
  const { method } = request;
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow: ALLOW.join(", ") } });
  if (!ALLOW.includes(method)) {
    throw new GatewayError("METHOD_NOT_ALLOWED", `${method} is not allowed here.`, { allow: ALLOW });
  }
  const parts = new URL(request.url).pathname.replace(/\/+$/, "").split("/").slice(3);
  if (!used[method]?.includes(parts.join("/"))) {
    throw new GatewayError("NOT_FOUND", "There is nothing at this path.");
  }
  return answerNextAuth(request, parts, authContext());
}

/**
 * Answers a request to any path under `/api` and to `/openapi.json`. `clientIp`: as for `handleApi`.
 * Source: docs/architecture.md#s1-10.
 */
export async function answerWeb(request: Request, clientIp: string): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/openapi.json") return answerDocument(request);
  return /^\/api\/auth(\/|$)/.test(pathname) ? answerBrowserSession(request) : handleApi(request, clientIp);
}

/**
 * The same for route handlers of hosts without our server. They do not tell the address of the connection: without
 * `TRUST_PROXY` all clients count as one.
 */
export function answerRoute(request: Request): Promise<Response> {
  const forwardedFor = request.headers.get("x-forwarded-for") ?? undefined;
  return answerWeb(request, clientIp(forwardedFor, undefined, runtime().settings.trustProxy));
}

/** The API document, for programs and for /docs/api. Source: docs/dashboard.md#s2-1. */
function answerDocument({ method, headers: asked }: Request): Response {
  if (method === "OPTIONS")
    return new Response(null, { status: 204, headers: { allow: "GET, HEAD, OPTIONS" } });
  const { publicUrl, compatibility } = runtime().settings;
  const document = JSON.stringify(openApiDocument(publicUrl, version, compatibility));
  // Weak: the compressed document has the same one.
  const etag = `W/"${sha256Hex(document).slice(0, 32)}"`;
  const headers = { etag, "cache-control": "no-cache", "access-control-allow-origin": "*" };
  if (isKnown(asked.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return new Response(method === "HEAD" ? null : document, {
    headers: { ...headers, "content-type": "application/json" },
  });
}

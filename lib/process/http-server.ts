import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { STALLED_CLIENT_MS } from "@/lib/gateway/node-adapter";
import type { GatewayError } from "@/lib/kernel/errors";
import { newRequestId } from "@/lib/kernel/request-id";
import { TickLimiter } from "@/lib/kernel/tick-limiter";
import { gatewayPath } from "@/lib/ops/gateway-path";

/** What pages and account routes understand; the framework would answer others with text of its own. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Pages are only read. */
const PAGE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** What the port is split into. `rest` is everything but the model API, `/metrics` and malformed requests. */
export interface Lanes {
  gateway(request: IncomingMessage, response: ServerResponse, path: string, search: string): Promise<void>;
  metrics(request: IncomingMessage, response: ServerResponse): Promise<void>;
  rest(request: IncomingMessage, response: ServerResponse): Promise<void>;
  failed(error: unknown): void;
  /** Why nobody can sign in at this moment; null when somebody can. */
  signInRefusal(): GatewayError | null;
}

/** Pages and account routes take milliseconds each; calls and streams wait for a few of them at most. */
const visitors = new TickLimiter(4);

const SIGN_INS = new Set(["/api/user/login", "/api/user/register"]);

/** Nothing here has an address near this; the head as a whole may be larger. */
const MAX_URL_CHARACTERS = 8 * 1024;

/**
 * The one port: the model API goes to the gateway core, everything else to the pages.
 * Slow or malformed requests are answered as JSON; a client that stops reading its answer is cut off.
 * Source: docs/architecture.md#s1-1, docs/reliability.md#s2-10, docs/contract.md#s7.
 */
export function createHttpServer(lanes: Lanes, stalledMs = STALLED_CLIENT_MS): Server {
  const server = createServer(
    {
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 24 * 1024,
      requireHostHeader: false,
      noDelay: true,
    },
    (request, response) => {
      if (server.listening) track(server, response);
      else response.shouldKeepAlive = false;
      response.on("timeout", cutStalled);
      route(lanes, request, response).catch((error: unknown) => {
        lanes.failed(error);
        if (response.headersSent) response.destroy();
        else sendError(response, 500, "INTERNAL_ERROR", "Something went wrong on our side.");
      });
    },
  );
  server.maxRequestsPerSocket = 0;
  server.timeout = stalledMs;
  server.on("clientError", answerClientError);
  server.on("checkExpectation", refuseExpectation);
  return server;
}

/** What is being answered, so that it can become the last answer on its connection. */
const answering = new WeakMap<Server, Set<ServerResponse>>();

function track(server: Server, response: ServerResponse): void {
  const open = answering.get(server) ?? new Set();
  answering.set(server, open.add(response));
  response.on("close", () => {
    open.delete(response);
    if (!server.listening) response.req.socket.destroySoon();
  });
}

/**
 * The listeners are closed, and no further call is taken on connections that are open either: those that are idle end
 * now, the others after the answer under way. Source: docs/reliability.md#s2-11.
 */
export function endConnections(server: Server): void {
  for (const response of answering.get(server) ?? []) {
    if (!response.headersSent) response.shouldKeepAlive = false;
  }
  server.closeIdleConnections();
}

/** Of expectations only `100-continue` is known, and Node meets that one itself. */
function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("connection", "close");
  sendError(response, 417, "INVALID_REQUEST", "The header Expect may only say 100-continue.");
}

/** Nothing has moved on the socket: a client that waits for us is left alone, one that we wait for is not. */
function cutStalled(this: ServerResponse): void {
  if (this.writableLength > 0) this.destroy();
}

async function route(lanes: Lanes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const problem = hostProblem(request);
  if (problem !== null) {
    response.setHeader("connection", "close");
    return sendError(response, 400, "INVALID_REQUEST", problem);
  }
  const url = request.url ?? "/";
  if (url.length > MAX_URL_CHARACTERS)
    return sendError(response, 414, "INVALID_REQUEST", "The URL is longer than 8 KiB.");
  const mark = url.indexOf("?");
  const rawPath = mark === -1 ? url : url.slice(0, mark);
  const search = mark === -1 ? "" : url.slice(mark + 1);
  const path = decodePath(rawPath);
  if (path === null) return sendError(response, 400, "INVALID_REQUEST", "The path of the URL is malformed.");
  const call = gatewayPath(path, request);
  if (call !== null) return lanes.gateway(request, response, call, search);
  if (isMisspelt(path, rawPath))
    return sendError(response, 404, "NOT_FOUND", "There is nothing at this path.");
  const methods = isPage(path) ? PAGE_METHODS : METHODS;
  if (!methods.has(request.method ?? "")) {
    response.setHeader("allow", [...methods].join(", "));
    return sendError(response, 405, "METHOD_NOT_ALLOWED", `${request.method} is not allowed here.`);
  }
  // A crowd is refused here: on the way through the framework each takes milliseconds that streams would wait for.
  const refusal = request.method === "POST" && SIGN_INS.has(path) ? lanes.signInRefusal() : null;
  if (refusal) {
    response.setHeader("retry-after", refusal.details.retryAfterSeconds ?? 1);
    return sendError(response, refusal.status, refusal.code, refusal.message);
  }
  if (path === "/metrics") return lanes.metrics(request, response);
  if (path === "/" && request.method === "HEAD") {
    response.writeHead(200).end();
    return;
  }
  // Whoever asks whether this process lives does not wait behind a crowd.
  if (!path.startsWith("/api/health/")) await visitors.pass();
  return lanes.rest(request, response);
}

/** Readers differ about which of two hosts counts. See RFC 9112 3.2. Source: docs/contract.md#b20. */
function hostProblem({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  if (hosts > 1) return "The header Host is there more than once.";
  return hosts === 0 && httpVersion === "1.1" ? "The header Host is missing." : null;
}

/** Clients resolve these before they ask; the pages' framework would go on to another address than was judged here. */
const DOT_SEGMENT = /[/\\]\.{1,2}([/\\]|$)/;

/**
 * True for what the pages' framework would answer with a redirect or a page although programs ask for it: dot segments,
 * and an address of the API with an empty part, a backslash, an encoded slash or encoded letters in its first part.
 * Source: docs/contract.md#s7, #b21.
 */
function isMisspelt(path: string, rawPath: string): boolean {
  if (/^\/[/\\]/.test(path) || DOT_SEGMENT.test(path)) return true;
  if (!/^\/(api|v1)([/\\]|$)/.test(path)) return false;
  return /\\|\/\//.test(path) || /%2f/i.test(rawPath) || !/^\/(api|v1)/.test(rawPath);
}

/**
 * Everything but account routes and what the framework's own development tools ask. Its pages take any other method
 * for a call of a function of theirs and read its body; there are no such functions here.
 * Source: docs/reliability.md#r-145.
 */
function isPage(path: string): boolean {
  return !/^\/(api|__nextjs[^/]*)(\/|$)/.test(path);
}

function decodePath(rawPath: string): string | null {
  if (!rawPath.startsWith("/") || rawPath.includes("#")) return null;
  if (!rawPath.includes("%")) return rawPath;
  try {
    return decodeURIComponent(rawPath);
  } catch {
    return null;
  }
}

/** A JSON error outside the gateway core, in the form of `/api`. Source: docs/contract.md#s7. */
export function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  const requestId = newRequestId();
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
    "request-id": requestId,
  });
  const type = status === 429 ? "rate_limit_error" : "invalid_request_error";
  response.end(JSON.stringify(errorBody(type, code, message, requestId)));
}

/** Satisfies the SDKs' error readers too, because a malformed request may have been meant for `/v1`. */
function errorBody(type: string, code: string, message: string, requestId: string): object {
  return {
    type: "error",
    error: {
      type,
      code,
      message,
      param: null,
      requestId,
      details: { error_code: code },
    },
    request_id: requestId,
  };
}

const clientErrors: Record<string, [status: number, reason: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    431,
    "Request Header Fields Too Large",
    "The request headers are larger than 24 KiB.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The request did not arrive in time."],
};

function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, reason, message] = clientErrors[error.code ?? ""] ?? [
    400,
    "Bad Request",
    "The request is not well-formed HTTP.",
  ];
  const body = JSON.stringify(errorBody("invalid_request_error", "INVALID_REQUEST", message, newRequestId()));
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { gatewayPath } from "@/lib/gateway/gateway-path";
import { malformedPath } from "@/lib/gateway/malformed-path";
import type { NodeHandler } from "@/lib/gateway/node-adapter";
import { moveQueryKey } from "@/lib/gateway/query-key";
import { SOCKET_BUFFER_BYTES, STALLED_CLIENT_MS } from "@/lib/kernel/body-writer";
import type { GatewayError } from "@/lib/kernel/errors";
import { type Linked, LinkedSet } from "@/lib/kernel/linked-set";
import { newRequestId } from "@/lib/kernel/request-id";
import { TickLimiter } from "@/lib/kernel/tick-limiter";

/** Methods of pages and account routes; the framework answers others with plain text. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Methods of pages. */
const PAGE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** The handlers behind the port: the model API, `/metrics`, `/api` with `/openapi.json`, and the pages. */
export interface RequestHandlers {
  gateway: NodeHandler;
  metrics(request: IncomingMessage, response: ServerResponse): Promise<void>;
  api(request: IncomingMessage, response: ServerResponse): Promise<void>;
  pages(request: IncomingMessage, response: ServerResponse): Promise<void>;
  failed(error: unknown): void;
  /** Counts a refusal that is made here. */
  refused(error: GatewayError): void;
  /** The error of every sign-in at this moment; null when sign-ins are possible. */
  signInRefusal(): GatewayError | null;
}

/** Pages and account routes take milliseconds of CPU each; at most four start between two ticks of the event loop. */
const pageRequests = new TickLimiter(4);

const SIGN_IN_PATHS = new Set(["/api/user/login", "/api/user/register"]);

/** Valid URLs are much shorter than this; the whole request head may be larger. */
const MAX_URL_CHARACTERS = 8 * 1024;

/**
 * Creates the one HTTP server, with a handler for each path; all other paths are pages. It answers slow and malformed
 * requests as JSON and closes the connection of a client that stops reading its response.
 * Source: docs/architecture.md#s1-1, docs/reliability.md#s2-10, docs/contract.md#s7.
 */
export function createHttpServer(handlers: RequestHandlers, stalledMs = STALLED_CLIENT_MS): Server {
  const state: ServerState = { connections: new LinkedSet<Connection>(), keepsAlive: true };
  const server = createServer(
    {
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 24 * 1024,
      requireHostHeader: false,
      noDelay: true,
      highWaterMark: SOCKET_BUFFER_BYTES,
    },
    (request, response) => {
      const { [connectionKey]: connection } = request.socket as ConnectionSocket;
      if (connection !== undefined) connection.response = response;
      if (!state.keepsAlive) response.shouldKeepAlive = false;
      const failed = (error: unknown) => {
        handlers.failed(error);
        if (response.headersSent) response.destroy();
        else sendError(response, 500, "INTERNAL_ERROR", "Something went wrong on our side.");
      };
      try {
        route(handlers, request, response, failed)?.catch(failed);
      } catch (error) {
        failed(error);
      }
    },
  );
  states.set(server, state);
  server.maxRequestsPerSocket = 0;
  server.timeout = stalledMs;
  server.on("connection", (socket: Socket) => track(state.connections, socket));
  server.on("timeout", destroyStalled);
  server.on("clientError", answerClientError);
  server.on("checkExpectation", refuseExpectation);
  return server;
}

/** The state of a server that a shutdown needs. */
interface ServerState {
  readonly connections: LinkedSet<Connection>;
  /** False after the signal: each answer has `Connection: close`. */
  keepsAlive: boolean;
}

const states = new WeakMap<Server, ServerState>();

/** A connection and its newest response. A field costs less per request than listeners. */
interface Connection extends Linked<Connection> {
  readonly socket: Socket;
  response: ServerResponse | null;
}

const connectionKey = Symbol("connection");

/** A socket of `track`. */
interface ConnectionSocket extends Socket {
  [connectionKey]?: Connection;
}

function track(connections: LinkedSet<Connection>, socket: ConnectionSocket): void {
  // A connection that was given back to the server.
  if (socket[connectionKey] !== undefined) return;
  const connection: Connection = { socket, response: null, before: undefined, after: undefined };
  socket[connectionKey] = connection;
  connections.add(connection);
  socket.once("close", () => connections.delete(connection));
}

function isOpen(response: ServerResponse | null): response is ServerResponse {
  return response !== null && !response.writableFinished && !response.destroyed;
}

/** Calls back once the responses of a connection are sent, or at once when none is open. */
export function afterResponses(socket: Socket, then: () => void): void {
  const response = (socket as ConnectionSocket)[connectionKey]?.response ?? null;
  if (isOpen(response)) response.once("close", then);
  else then();
}

/**
 * Adds `Connection: close` to every answer whose head is not sent yet, so that clients leave their kept connections
 * before these are closed; requests are still accepted. Source: docs/reliability.md#s2-11.
 */
export function endKeepAlive(server: Server): void {
  const state = states.get(server);
  if (state === undefined) return;
  state.keepsAlive = false;
  state.connections.forEach(({ response }) => {
    if (isOpen(response) && !response.headersSent) response.shouldKeepAlive = false;
  });
}

/**
 * Stops accepting requests on open connections, once the listeners are closed: idle connections end now, the others
 * after their current response. Source: docs/reliability.md#s2-11.
 */
export function closeConnections(server: Server): void {
  states.get(server)?.connections.forEach(({ socket, response }) => {
    if (isOpen(response)) response.once("close", () => socket.destroySoon());
  });
  server.closeIdleConnections();
}

/** Refuses every expectation but `100-continue`, which Node handles itself. */
function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("connection", "close");
  sendError(response, 417, "INVALID_REQUEST", "The header Expect may only say 100-continue.");
}

/** Handles the timeout of an idle socket: during a response it is destroyed only when bytes wait for the client. */
function destroyStalled(socket: ConnectionSocket): void {
  if (socket.writableLength > 0 || !isOpen(socket[connectionKey]?.response ?? null)) socket.destroy();
}

/**
 * Passes a request to its handler and returns the handler's promise, or answers it. A model API call returns no
 * promise.
 */
function route(
  handlers: RequestHandlers,
  request: IncomingMessage,
  response: ServerResponse,
  failed: (error: unknown) => void,
): Promise<void> | undefined {
  const problem = hostProblem(request);
  if (problem !== null) {
    response.setHeader("connection", "close");
    return sendError(response, 400, "INVALID_REQUEST", problem);
  }
  const url = request.url ?? "/";
  if (url.length > MAX_URL_CHARACTERS)
    return sendError(response, 414, "INVALID_REQUEST", "The URL is longer than 8 KiB.");
  const queryStart = url.indexOf("?");
  const rawPath = queryStart === -1 ? url : url.slice(0, queryStart);
  const search = queryStart === -1 ? "" : url.slice(queryStart + 1);
  const path = decodePath(rawPath);
  const { method, headers } = request;
  const gatewayRoute = gatewayPath(path ?? rawPath, { method, headers, search });
  if (path === null) return sendMalformedPath(response, rawPath, gatewayRoute);
  if (gatewayRoute === null) return routeOutside(handlers, request, response, path, rawPath);
  const query = moveQueryKey(search, gatewayRoute, headers);
  if (query !== search) request.url = query === "" ? rawPath : `${rawPath}?${query}`;
  return void handlers.gateway(request, response, gatewayRoute, query, failed);
}

/** The same for everything outside the model API. */
async function routeOutside(
  handlers: RequestHandlers,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  rawPath: string,
): Promise<void> {
  if (isNonCanonical(path, rawPath))
    return sendError(response, 404, "NOT_FOUND", "There is nothing at this path.");
  const methods = isRead(path) ? PAGE_METHODS : METHODS;
  if (!methods.has(request.method ?? "")) {
    response.setHeader("allow", [...methods].join(", "));
    return sendError(response, 405, "METHOD_NOT_ALLOWED", `${request.method} is not allowed here.`);
  }
  // Surplus sign-ins are refused here, before any other work for them.
  const refusal = request.method === "POST" && SIGN_IN_PATHS.has(path) ? handlers.signInRefusal() : null;
  if (refusal) {
    handlers.refused(refusal);
    response.setHeader("retry-after", refusal.details.retryAfterSeconds ?? 1);
    return sendError(response, refusal.status, refusal.code, refusal.message);
  }
  if (path === "/metrics") return handlers.metrics(request, response);
  if (path === "/" && request.method === "HEAD") {
    response.writeHead(200).end();
    return;
  }
  // Health checks bypass the queue.
  if (!path.startsWith("/api/health/")) await pageRequests.pass();
  return isApi(path) ? handlers.api(request, response) : handlers.pages(request, response);
}

/**
 * What is wrong with the Host header: servers disagree about which of two values counts. See RFC 9112 3.2.
 * Source: docs/contract.md#b20.
 */
function hostProblem({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  if (hosts > 1) return "The header Host is there more than once.";
  return hosts === 0 && httpVersion === "1.1" ? "The header Host is missing." : null;
}

/** Clients resolve these before they send; the web framework would serve another path than the one checked here. */
const DOT_SEGMENT = /[/\\]\.{1,2}([/\\]|$)/;

/**
 * True for paths of programs that the web framework would answer with a redirect or a page: dot segments, and API paths
 * with an empty segment, a backslash, an encoded slash or encoded letters in their first segment.
 * Source: docs/contract.md#s7, #b21.
 */
function isNonCanonical(path: string, rawPath: string): boolean {
  if (/^\/[/\\]/.test(path) || DOT_SEGMENT.test(path)) return true;
  if (!/^\/(api|v1)([/\\]|$)/.test(path)) return false;
  return /\\|\/\//.test(path) || /%2f/i.test(rawPath) || !/^\/(api|v1)/.test(rawPath);
}

function isApi(path: string): boolean {
  return path === "/openapi.json" || /^\/api(\/|$)/.test(path);
}

/**
 * True for everything but account routes and requests of the framework's development tools. On pages the framework
 * treats other methods as calls of server functions and reads their bodies; this application has no such functions.
 * Source: docs/reliability.md#r-145.
 */
function isRead(path: string): boolean {
  return !/^\/(api|__nextjs[^/]*)(\/|$)/.test(path);
}

/** The path of a URL; null: it is malformed. */
export function decodePath(rawPath: string): string | null {
  if (!rawPath.startsWith("/") || rawPath.includes("#")) return null;
  if (!rawPath.includes("%")) return rawPath;
  try {
    return decodeURIComponent(rawPath);
  } catch {
    return null;
  }
}

function sendMalformedPath(
  response: ServerResponse,
  rawPath: string,
  gatewayRoute: string | null,
): undefined {
  if (gatewayRoute === null)
    return sendError(response, 400, "INVALID_REQUEST", "The path of the URL is malformed.");
  const { status, headers, body } = malformedPath(rawPath);
  response.writeHead(status, headers).end(body);
}

/** Sends a JSON error outside the gateway, in the shape of `/api`. Source: docs/contract.md#s7. */
export function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
): undefined {
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

/** Has the fields that SDKs read too, because a malformed request may have been a call of `/v1`. */
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

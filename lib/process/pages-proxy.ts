import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { acceptedCoding } from "@/lib/kernel/content-coding";
import type { HeaderList } from "@/lib/ops/headers";
import type { PagesProcess } from "./pages-process";

/** How long a page request waits for the pages process to start. */
const READY_WITHIN_MS = 10_000;
/** The longest silence of the pages process within an answer. */
const SILENT_FOR_MS = 120_000;
const MAX_OPEN = 1_024;
const MAX_ATTEMPTS = 3;
const RETRY_AFTER_MS = 100;
const RETRY_AFTER_SECONDS = 2;

/** Headers about a single connection. See RFC 9110 7.6.1. The server itself has handled an expectation. */
const HOP_BY_HOP = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Types that browsers never render as documents; a first visit loads a dozen or more of them. */
const SUBRESOURCE = /^(application\/javascript|text\/css|font\/woff2)\b/;
/** Texts of the pages' route handlers; the framework compresses its pages only. */
const TEXT_OF_ROUTE = /^(application\/json|text\/(plain|markdown))\b/;
/** Headers that only apply to documents. */
const OF_DOCUMENTS = new Set(["content-security-policy", "x-frame-options"]);

/** The pages process and the socket on which it listens. */
export interface PagesTarget {
  socketPath: string;
  process: Pick<PagesProcess, "ready">;
  /** Called for each request that gets 503 because there is no process, or too many requests wait for it. */
  onUnavailable(): void;
  /** Called for each page that fails. */
  onFailure(path: string, status: number): void;
}

/** What the gateway process adds to a page request and its answer. */
export interface PageHeaders {
  /** Headers that replace the client's own values. */
  request: HeaderList;
  /** Headers that replace the framework's own values. */
  response: HeaderList;
}

/** Passes page requests on to the pages process. Source: docs/architecture.md#s1-1. */
export class PagesProxy {
  readonly #target: PagesTarget;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 32 });
  #open = 0;

  constructor(target: PagesTarget) {
    this.#target = target;
  }

  /**
   * Answers one page request; an address with a slash at its end is redirected to the page. A request without a body is
   * repeated when the pages process ends before it answers; while there is no process the answer is a small page with
   * status 503.
   */
  async serve(request: IncomingMessage, response: ServerResponse, added: PageHeaders): Promise<void> {
    const location = hasBody(request) ? null : withoutEndSlash(request.url ?? "/");
    if (location !== null) return void response.writeHead(308, { location }).end();
    this.#open += 1;
    try {
      await this.#pass(request, response, added);
    } finally {
      this.#open -= 1;
    }
  }

  async #pass(request: IncomingMessage, response: ServerResponse, added: PageHeaders): Promise<void> {
    const answer = this.#open > MAX_OPEN ? null : await this.#answerOf(request, response, added.request);
    if (response.destroyed) return void answer?.destroy();
    if (answer === null) {
      this.#target.onUnavailable();
      return sendUnavailable(response, added.response);
    }
    response.statusCode = answer.statusCode ?? 502;
    if (response.statusCode >= 500) this.#target.onFailure(pathOf(request), response.statusCode);
    for (const [name, value] of Object.entries(endToEnd(answer.headers))) {
      if (value !== undefined) response.setHeader(name, value);
    }
    const isSubresource = SUBRESOURCE.test(answer.headers["content-type"] ?? "");
    for (const [name, value] of added.response)
      if (!isSubresource || !OF_DOCUMENTS.has(name)) response.setHeader(name, value);
    // The pipeline also destroys the client's connection, so that a truncated response is visible as such.
    if (compressesText(request, answer, response))
      await pipeline(answer, createGzip(), response).catch(() => {});
    else await pipeline(answer, response).catch(() => {});
  }

  /** Passes a connection on unchanged, for hot reloading. */
  upgrade(request: IncomingMessage, client: Duplex, head: Buffer): void {
    const pages = connect(this.#target.socketPath, () => {
      const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
      for (let at = 0; at < request.rawHeaders.length; at += 2)
        lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
      pages.write(`${lines.join("\r\n")}\r\n\r\n`);
      pages.write(head);
      pages.pipe(client).pipe(pages);
    });
    pages.once("error", () => client.destroy());
    pages.once("close", () => client.destroy());
    client.once("error", () => pages.destroy());
    client.once("close", () => pages.destroy());
  }

  /** Ends the idle connections. */
  close(): void {
    this.#agent.destroy();
  }

  async #answerOf(
    request: IncomingMessage,
    response: ServerResponse,
    added: HeaderList,
  ): Promise<IncomingMessage | null> {
    const headers = requestHeaders(request, added);
    const attempts = hasBody(request) ? 1 : MAX_ATTEMPTS;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      // The end of a process is detected some time after the end of its connections.
      if (attempt > 1) await sleep(RETRY_AFTER_MS);
      if (!(await this.#target.process.ready(READY_WITHIN_MS)) || response.destroyed) return null;
      const answer = await this.#ask(request, response, headers);
      if (answer !== null || response.destroyed) return answer;
    }
    return null;
  }

  /** The head of the answer; null when the connection to the pages process breaks before. */
  #ask(
    request: IncomingMessage,
    response: ServerResponse,
    headers: OutgoingHttpHeaders,
  ): Promise<IncomingMessage | null> {
    return new Promise((resolve) => {
      const { method, url: path } = request;
      const { socketPath } = this.#target;
      const asked = httpRequest({ socketPath, agent: this.#agent, method, path, headers }, resolve);
      const onClose = () => asked.destroy();
      response.once("close", onClose);
      asked.setTimeout(SILENT_FOR_MS, () => asked.destroy());
      asked.once("close", () => response.off("close", onClose));
      asked.on("error", () => resolve(null));
      if (hasBody(request)) pipeline(request, asked).catch(() => asked.destroy());
      else asked.end();
    });
  }
}

/**
 * The same address without slashes at the end of its path, always on this host; null: its path has no slash at the end.
 */
function withoutEndSlash(url: string): string | null {
  const queryAt = url.indexOf("?");
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  if (!path.endsWith("/") || path.includes("\\")) return null;
  const names = path.split("/").filter((name) => name !== "");
  return names.length === 0 ? null : `/${names.join("/")}${queryAt === -1 ? "" : url.slice(queryAt)}`;
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? url;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function requestHeaders(request: IncomingMessage, added: HeaderList): OutgoingHttpHeaders {
  const headers = endToEnd(request.headers);
  if (request.headers["transfer-encoding"] !== undefined) headers["transfer-encoding"] = "chunked";
  else if (!hasBody(request)) delete headers["content-length"];
  return { ...headers, ...Object.fromEntries(added) };
}

/** The headers that are not about a single connection; `Connection` may name more of those. */
function endToEnd(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.includes(name)),
  );
}

const UNAVAILABLE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="${RETRY_AFTER_SECONDS}">
<title>Tollgate</title>
<p>The pages are starting. This page loads itself again in a moment.</p>
<p lang="zh-CN">页面正在启动，稍后会自动重新加载。</p>
</html>
`;

function sendUnavailable(response: ServerResponse, added: HeaderList): void {
  for (const [name, value] of added) response.setHeader(name, value);
  response.writeHead(503, {
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(UNAVAILABLE),
    "cache-control": "no-store",
    "retry-after": String(RETRY_AFTER_SECONDS),
  });
  response.end(response.req.method === "HEAD" ? undefined : UNAVAILABLE);
}

/** Whether this proxy compresses a text; sets the headers accordingly. Source: docs/dashboard.md#s2-15. */
function compressesText(
  request: IncomingMessage,
  answer: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { "content-type": type = "", "content-encoding": coding } = answer.headers;
  if (coding !== undefined || !TEXT_OF_ROUTE.test(type)) return false;
  response.appendHeader("vary", "Accept-Encoding");
  if (request.method === "HEAD" || acceptedCoding(request.headers["accept-encoding"], ["gzip"]) === null)
    return false;
  response.removeHeader("content-length");
  response.setHeader("content-encoding", "gzip");
  return true;
}

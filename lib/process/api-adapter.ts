import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { acceptedCoding } from "@/lib/kernel/content-coding";
import { GatewayError } from "@/lib/kernel/errors";
import type { HeaderList } from "@/lib/ops/headers";

/** Bodies of `/api` are forms and much smaller. Units: bytes. */
const MAX_BODY_BYTES = 1024 * 1024;

/** A shorter body fits into one packet anyway. Units: bytes. */
const MIN_COMPRESSED_BYTES = 1024;

const compress = promisify(gzip);

/** The web-standard handler of all operations; `clientIp` is the address that throttles count and the audit log names. */
export type AnswerApi = (request: Request, clientIp: string) => Promise<Response>;

/** The data for one request besides the request itself. */
export interface ApiContext {
  /** The origin in the request's URL. */
  origin: string;
  clientIp: string;
  /** Headers that replace the response's own ones. */
  headers: HeaderList;
}

/**
 * Answers a request of `node:http` with a web-standard handler. The request's signal aborts when the client
 * disconnects, and its body is read from the connection only when the handler reads it.
 * Source: docs/architecture.md#s1-1.
 */
export async function serveApi(
  request: IncomingMessage,
  response: ServerResponse,
  answer: AnswerApi,
  context: ApiContext,
): Promise<void> {
  const disconnected = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) disconnected.abort();
  });
  const answered = await answer(webRequest(request, context.origin, disconnected.signal), context.clientIp);
  if (response.destroyed) return void (await answered.body?.cancel());
  await send(response, answered, context.headers);
  if (!request.complete) request.resume();
}

function webRequest(request: IncomingMessage, origin: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const each of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, each);
  }
  const method = request.method ?? "GET";
  const url = origin + (request.url ?? "/");
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers, signal });
  // The DOM's declarations lack `duplex`, which a stream as body needs.
  const init: RequestInit & { duplex: "half" } = {
    method,
    headers,
    signal,
    body: bodyOf(request),
    duplex: "half",
  };
  return new Request(url, init);
}

/** The body, read only when the handler reads it; the server discards an unread body. */
function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  const pieces = piecesOf(request);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: async () => void (await pieces.return()),
    },
    { highWaterMark: 0 },
  );
}

async function* piecesOf(request: IncomingMessage): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      size += piece.length;
      if (size > MAX_BODY_BYTES) break;
      yield piece;
    }
  } catch (cause) {
    throw new GatewayError("INVALID_REQUEST", "The request body broke off.", { cause });
  }
  if (size > MAX_BODY_BYTES)
    throw new GatewayError("PAYLOAD_TOO_LARGE", `The body is larger than ${MAX_BODY_BYTES} bytes.`);
}

async function send(response: ServerResponse, answer: Response, added: HeaderList): Promise<void> {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    if (name !== "set-cookie") response.setHeader(name, value);
  }
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  for (const [name, value] of added) response.setHeader(name, value);
  const json = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
  if (json) response.appendHeader("vary", "Accept-Encoding");
  if (answer.body === null) return void response.end();
  if (json) return sendJson(response, Buffer.from(await answer.arrayBuffer()));
  // Node's stream is the same as the web's; the two declarations differ.
  const body = Readable.fromWeb(answer.body as NodeReadableStream<Uint8Array>);
  // The pipeline also destroys the client's connection, so that a truncated answer is visible as such.
  await pipeline(body, response).catch(() => {});
}

/** Only whole bodies are compressed; a stream stays as it is. Source: docs/dashboard.md#s2-15. */
async function sendJson(response: ServerResponse, body: Buffer): Promise<void> {
  const coding = acceptedCoding(response.req.headers["accept-encoding"], ["gzip"]);
  if (coding === null || body.length < MIN_COMPRESSED_BYTES) return void response.end(body);
  response.setHeader("content-encoding", coding);
  response.end(await compress(body));
}

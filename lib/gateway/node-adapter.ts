import type { IncomingMessage, ServerResponse } from "node:http";
import { runtime } from "@/lib/gateway/runtime";
import { GatewayError } from "@/lib/kernel/errors";
import { newRequestId } from "@/lib/kernel/request-id";
import { protocolOfPath } from "@/lib/protocols/registry";
import { Cancellation } from "@/lib/upstream/upstream-answer";
import { decodeBody, tooLarge } from "./decode-body";
import { dispatch, shedOnArrival } from "./dispatch";
import { clientIp, type GatewayRequest, type RequestHead } from "./gateway-request";
import type { Reply } from "./reply";

/** What the adapter needs to know of the settings. */
export interface AdapterOptions {
  maxBodyBytes: number;
  trustProxy: number;
}

/** How long a client may take no byte of what is waiting for it. Source: docs/reliability.md#s2-10. */
export const STALLED_CLIENT_MS = 60_000;
const IDLE_CHECK_MS = 1_000;
/** How long the rest of a refused body is still read. */
const LINGER_MS = 2_000;

/**
 * The gateway core behind `node:http`. Detects a disconnected client by its connection, the response and a
 * write that does not drain for 60 s. Source: docs/architecture.md#s1-1, docs/reliability.md#s2-11.
 */
export async function serveNode(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  search: string,
  options: AdapterOptions,
): Promise<void> {
  const arrival: RequestHead = {
    requestId: newRequestId(),
    protocol: protocolOfPath(path),
    method: request.method ?? "GET",
    path,
    headers: request.headers as Record<string, string | undefined>, // node joins repeated headers; set-cookie is never sent to servers
  };
  const refusal = shedOnArrival(arrival);
  if (refusal !== null) {
    await writeReply(response, refusal, arrival);
    request.resume();
    return;
  }
  const gone = new Cancellation();
  const { socket } = request;
  // A client that half-closes gets no answer; the response's own close event comes some ticks later.
  const ended = () => gone.abort();
  socket.once("end", ended);
  response.once("close", () => {
    socket.off("end", ended);
    if (!response.writableFinished) gone.abort();
  });
  const call: GatewayRequest = {
    ...arrival,
    query: new URLSearchParams(search),
    clientIp: clientIp(request.headers["x-forwarded-for"], request.socket.remoteAddress, options.trustProxy),
    signal: gone,
    receivedAtMs: performance.now(),
    replyHeaders: {},
    atEnd: [],
    readBody: (open) =>
      open === null
        ? readBody(request, options.maxBodyBytes)
        : decodeBody(piecesOf(request), {
            open,
            maxBytes: options.maxBodyBytes,
            semaphore: runtime().bodyDecoders,
            signal: gone,
          }),
  };
  const { drain } = runtime();
  drain.requestStarted();
  try {
    await writeReply(response, await dispatch(call), call);
  } finally {
    drain.requestEnded();
    for (const end of call.atEnd) end();
  }
  if (!request.complete) request.resume();
}

async function writeReply(response: ServerResponse, reply: Reply, { method }: RequestHead): Promise<void> {
  if (typeof reply.body === "string") {
    if (response.destroyed) return;
    reply.headers["content-length"] = String(Buffer.byteLength(reply.body));
    if (reply.status === 413) reply.headers.connection = "close";
    response.writeHead(reply.status, reply.headers);
    if (reply.status === 413 && !response.req.complete) {
      await linger(response, reply.body);
      response.end();
    } else response.end(method === "HEAD" ? undefined : reply.body);
    return;
  }
  response.writeHead(reply.status, reply.headers);
  response.socket?.setNoDelay(true);
  const idle = keepAlive(response, reply);
  try {
    for await (const frames of reply.body) {
      if (frames === "") continue;
      idle.touch();
      if (!response.write(frames) && !response.destroyed) await drained(response);
    }
    response.end();
  } catch {
    response.destroy();
  } finally {
    idle.stop();
  }
}

/**
 * Sends all of an answer and throws away what still comes of the request: a connection that is closed while bytes wait
 * to be read is reset, and takes the answer with it.
 */
function linger(response: ServerResponse, text: string): Promise<void> {
  response.write(text);
  response.req.resume();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LINGER_MS);
    response.req.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

interface IdleTimer {
  touch(): void;
  stop(): void;
}

function keepAlive(response: ServerResponse, reply: Reply): IdleTimer {
  const frame = reply.idleFrame;
  if (!frame) return { touch: () => {}, stop: () => {} };
  let lastWriteMs = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - lastWriteMs < frame.afterMs || response.writableNeedDrain) return;
    lastWriteMs = performance.now();
    response.write(frame.text());
  }, IDLE_CHECK_MS);
  timer.unref();
  return {
    touch: () => {
      lastWriteMs = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}

/** Resolves when the client reads again or disconnects; a client that reads nothing for 60 s is disconnected. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), STALLED_CLIENT_MS);
    const done = () => {
      clearTimeout(timer);
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });
}

function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.removeAllListeners("data");
        request.resume();
        reject(tooLarge(maxBytes));
        return;
      }
      chunks.push(chunk);
    });
    request.once("end", () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks, size));
    });
    request.once("error", (cause) => reject(brokenOff(cause)));
    request.once("close", () => {
      if (!request.complete) reject(brokenOff());
    });
  });
}

/** A body in pieces; a reader that stops keeps the connection open for the answer. */
async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw brokenOff(cause);
  }
}

function brokenOff(cause?: unknown): GatewayError {
  return new GatewayError("INVALID_REQUEST", "The request body broke off.", { cause });
}

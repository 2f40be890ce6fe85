import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { tooLarge } from "@/lib/admission/admission";
import { BodyWriter, encodingOf, STALLED_CLIENT_MS } from "@/lib/kernel/body-writer";
import { clientIp } from "@/lib/kernel/client-address";
import { WallClock } from "@/lib/kernel/clock";
import type { Deadlines, Watched } from "@/lib/kernel/deadlines";
import { GatewayError } from "@/lib/kernel/errors";
import { holdBack } from "@/lib/kernel/hold-back";
import { Permit } from "@/lib/kernel/permit";
import { newRequestId } from "@/lib/kernel/request-id";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { protocolOfPath } from "@/lib/protocols/registry";
import { Cancellation } from "@/lib/upstream/cancellation";
import { decodeBody, type OpenDecoder } from "./decode-body";
import { dispatch, refuseAtArrival } from "./dispatch";
import type { GatewayRequest } from "./gateway-request";
import { BrokenOff, type IdleFrame, type Reply } from "./reply";
import type { Gateway } from "./runtime";

/** The settings that the adapter uses. */
export interface AdapterOptions {
  maxBodyBytes: number;
  trustProxy: number;
}

/** Answers a request of `node:http`; `path` and `search` are those of its URL. `failed` gets malfunctions. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  search: string,
  failed: Failed,
) => void;

type Failed = (error: unknown) => void;

/** How long the rest of a refused body is read. */
const LINGER_MS = 2_000;

/**
 * The gateway core behind `node:http`. Detects a disconnected client by its connection, the response and a
 * write that does not drain for 60 s. Source: docs/architecture.md#s1-1, docs/reliability.md#s2-11.
 */
export function nodeHandler(gateway: Gateway, options: AdapterOptions): NodeHandler {
  const adapter = { ...options, gateway, wall: new WallClock(gateway.clock) };
  return (request, response, path, search, failed) =>
    serve(adapter, new NodeRequest(adapter, request, path, search), response, failed);
}

/** What all requests of one handler share. */
interface Adapter extends AdapterOptions {
  readonly gateway: Gateway;
  readonly wall: WallClock;
}

function serve(adapter: Adapter, call: NodeRequest, response: ServerResponse, failed: Failed): void {
  const { gateway } = adapter;
  const refusal = refuseAtArrival(gateway, call);
  if (refusal !== null) {
    writeReply(adapter, response, refusal, call.method)?.catch(failed);
    return void response.req.resume();
  }
  call.watch(response);
  gateway.drain.requestStarted();
  dispatch(gateway, call, (reply) => void send(adapter, call, response, reply)?.catch(failed), failed);
}

/** Writes a reply; the call has ended when all of it is written. */
function send(
  adapter: Adapter,
  call: NodeRequest,
  response: ServerResponse,
  reply: Reply,
): Promise<void> | undefined {
  const ended = () => {
    adapter.gateway.drain.requestEnded();
    call.permit.release();
    if (!response.req.complete) response.req.resume();
  };
  let writing: Promise<void> | undefined;
  try {
    writing = writeReply(adapter, response, reply, call.method);
  } finally {
    if (writing === undefined) ended();
  }
  return writing?.finally(ended);
}

/** A request of `node:http`. */
class NodeRequest implements GatewayRequest {
  readonly requestId: string;
  readonly protocol: ClientProtocol;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string | undefined>;
  readonly receivedAtMs: number;
  readonly receivedAt: Date;
  readonly signal = new Cancellation();
  readonly permit = new Permit();
  readonly replyHeaders: Record<string, string> = {};
  /** The call before this one on the same connection, which may still be open. */
  #before: NodeRequest | null = null;
  readonly #adapter: Adapter;
  readonly #request: IncomingMessage;
  readonly #search: string;

  constructor(adapter: Adapter, request: IncomingMessage, path: string, search: string) {
    this.#adapter = adapter;
    this.#request = request;
    this.#search = search;
    this.receivedAtMs = adapter.gateway.clock.nowMs();
    this.receivedAt = adapter.wall.dateOf(this.receivedAtMs);
    this.requestId = newRequestId(this.receivedAt.getTime());
    this.protocol = protocolOfPath(path);
    this.method = request.method ?? "GET";
    this.path = path;
    this.headers = request.headers as Record<string, string | undefined>; // node joins repeated headers; set-cookie is never sent to servers
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#search);
  }

  get clientIp(): string {
    const { headers, socket } = this.#request;
    return clientIp(headers["x-forwarded-for"], socket.remoteAddress, this.#adapter.trustProxy);
  }

  /** Starts detecting that the client disconnects. */
  watch(response: ServerResponse): void {
    const socket: CallSocket = this.#request.socket;
    const newest = socket[newestCall];
    if (newest === undefined) socket.on("end", abortCalls);
    this.#before = newest ?? null;
    socket[newestCall] = this;
    response.on("close", () => {
      if (!response.writableFinished) this.signal.abort();
      this.#before = null;
      if (socket[newestCall] === this) socket[newestCall] = null;
    });
  }

  /**
   * The client of the connection has disconnected: aborts this call and the open calls before it on the same
   * connection.
   */
  abort(): void {
    this.#before?.abort();
    this.signal.abort();
  }

  readBody(open: OpenDecoder | null, accountId: string): Promise<Buffer> {
    const { maxBodyBytes, gateway } = this.#adapter;
    if (open === null) return readBody(this.#request, maxBodyBytes);
    return decodeBody(piecesOf(this.#request), {
      open,
      maxBytes: maxBodyBytes,
      semaphore: gateway.bodyDecoders,
      accountId,
      signal: this.signal,
    });
  }
}

const newestCall = Symbol("newest call");

/** A connection and the newest of its open calls: one listener for a connection instead of one for each call. */
interface CallSocket extends Socket {
  [newestCall]?: NodeRequest | null;
}

/** A client that half-closes its connection gets no answer; the response's own close event comes some ticks later. */
function abortCalls(this: CallSocket): void {
  this[newestCall]?.abort();
}

/** Writes a reply in one of three ways; returns a promise when the end of writing must be awaited. */
function writeReply(
  { gateway: { clock, deadlines }, trustProxy }: Adapter,
  response: ServerResponse,
  { status, headers, body, idleFrame, holdBackSeconds }: Reply,
  method: string,
): Promise<void> | undefined {
  if (typeof body !== "string") {
    response.writeHead(status, headers);
    return writeStream(deadlines, response, body, idleFrame);
  }
  if (response.destroyed) return undefined;
  // A proxy's connection carries other clients too.
  if (holdBackSeconds !== undefined && trustProxy === 0)
    holdBack(response, holdBackSeconds, clock, deadlines);
  const bytes = Buffer.byteLength(body);
  headers["content-length"] = String(bytes);
  if (status === 413) headers.connection = "close";
  response.writeHead(status, headers);
  if (status === 413 && !response.req.complete) return writeLingering(response, body);
  if (method === "HEAD") response.end();
  else response.end(body, encodingOf(body, bytes));
  return undefined;
}

async function writeStream(
  deadlines: Deadlines,
  response: ServerResponse,
  body: Exclude<Reply["body"], string>,
  idleFrame: IdleFrame | undefined,
): Promise<void> {
  response.socket?.setNoDelay(true);
  // Each write and each read would restart the timeout; the sweep sets it again while bytes wait for the client.
  response.socket?.setTimeout(0);
  const writer = new BodyWriter(response);
  const idle = idleFrame === undefined ? null : new KeepAlive(writer, idleFrame);
  if (idle !== null) deadlines.watch(idle);
  const write = (frames: string) => {
    if (idle !== null) idle.written = true;
    return writer.write(frames);
  };
  try {
    await body({ write });
    response.socket?.setTimeout(STALLED_CLIENT_MS);
    response.end();
  } catch (error) {
    if (error instanceof BrokenOff) resetOnceWritten(response);
    else response.destroy();
  } finally {
    if (idle !== null) deadlines.forget(idle);
  }
}

/** A chunked body that has no end counts as broken; any other has to be reset. */
function resetOnceWritten(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null || response.chunkedEncoding) socket?.destroySoon();
  else socket.write("", () => socket.resetAndDestroy());
}

/**
 * Sends the whole answer and discards the rest of the request: closing a connection with unread bytes resets it, and
 * the client would lose the answer.
 */
function writeLingering(response: ServerResponse, text: string): Promise<void> {
  response.write(text);
  response.req.resume();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      response.end();
      resolve();
    };
    const timer = setTimeout(done, LINGER_MS);
    response.req.once("close", done);
  });
}

/** Writes a frame into a stream that was silent for a while. */
class KeepAlive implements Watched {
  /** True when something was written since the last sweep. */
  written = true;
  readonly #writer: BodyWriter;
  readonly #frame: IdleFrame;
  #silentSinceMs = 0;

  constructor(writer: BodyWriter, frame: IdleFrame) {
    this.#writer = writer;
    this.#frame = frame;
  }

  onSweep(nowMs: number): boolean {
    this.#writer.limitWait();
    if (this.written) this.#silentSinceMs = nowMs;
    this.written = false;
    if (nowMs - this.#silentSinceMs >= this.#frame.afterMs && !this.#writer.isWaiting) {
      this.#silentSinceMs = nowMs;
      void this.#writer.write(this.#frame.text());
    }
    return true;
  }
}

function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  // When the client disconnected before this call, the events have already been emitted.
  if (request.destroyed) return Promise.reject(brokenOff(request.errored));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.removeAllListeners("data");
        request.resume();
        reject(tooLarge(maxBytes));
      } else chunks.push(chunk);
    });
    request.on("end", () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks, size));
    });
    // Without a listener for "error", an error only emits "close".
    request.on("close", () => {
      if (!request.complete) reject(brokenOff(request.errored));
    });
  });
}

/** A body in pieces; when the reader stops, the connection stays open for the answer. */
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

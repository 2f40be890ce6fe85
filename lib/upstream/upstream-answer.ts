import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { messageOf } from "@/lib/kernel/thrown";
import type { Waiter } from "@/lib/kernel/waiter";

/** A socket delivers chunks of at most 64 KiB, so at most one large chunk exceeds this. */
const HIGH_WATER_BYTES = 32 * 1024;

type Controller = Dispatcher.DispatchController;

/** Why a call to a node ended before its response was complete. */
export class DialError extends Error {
  readonly kind: "connect" | "timeout" | "broken" | "aborted";

  constructor(kind: DialError["kind"], cause: unknown) {
    super(messageOf(cause), { cause });
    this.name = "DialError";
    this.kind = kind;
  }
}

/** Shared instances: with thousands of disconnects, capturing stack traces takes a seventh of the cleanup time. */
const abortErrors = {
  aborted: new DialError("aborted", "the call was aborted"),
  timeout: new DialError("timeout", "the call was aborted"),
};

/** Takes an answer as it arrives; a promise for each chunk would cost more time than its bytes. */
export interface ChunkReader {
  /** Takes the next bytes; null at the end. */
  take(chunk: Buffer | null): void;
  /** The exchange ended before the answer was complete. */
  fail(error: DialError): void;
}

/**
 * One response of a node. Pauses the socket while nobody reads and more than 32 KiB are buffered, so a slow reader slows
 * the node down. Source: docs/reliability.md#s2-11.
 */
export class UpstreamAnswer implements Dispatcher.DispatchHandler {
  status = 0;
  headers: IncomingHttpHeaders = {};
  #opening: Waiter<UpstreamAnswer> | null;
  #controller: Controller | null = null;
  #chunks: Buffer[] = [];
  #bufferedBytes = 0;
  #ended = false;
  #failure: DialError | null = null;
  #reader: ChunkReader | null = null;
  #readerPaused = false;
  #connectionEnded = false;
  #whole: Waiter<string> | null = null;
  #wholeMaxBytes = 0;
  #abortReason: DialError | null = null;

  /** `opening` gets this answer when its response headers have arrived. Rejects: DialError. */
  constructor(opening: Waiter<UpstreamAnswer>) {
    this.#opening = opening;
  }

  /** An answer that was read before, to be read again. */
  static received(status: number, headers: IncomingHttpHeaders, body: string): UpstreamAnswer {
    const answer = new UpstreamAnswer({ resolve: () => {}, reject: () => {} });
    answer.status = status;
    answer.headers = headers;
    answer.#chunks = [Buffer.from(body)];
    answer.#bufferedBytes = answer.#chunks[0]?.length ?? 0;
    answer.#ended = true;
    return answer;
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#abortReason) controller.abort(this.#abortReason);
  }

  onResponseStart(controller: Controller, status: number, headers: IncomingHttpHeaders): void {
    controller.rawHeaders = null; // slices of a buffer of up to 64 KiB, kept as long as the answer is read
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    const opening = this.#opening;
    this.#opening = null;
    opening?.resolve(this);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#reader !== null && !this.#readerPaused) {
      this.#reader.take(chunk);
      return;
    }
    this.#chunks.push(chunk);
    this.#bufferedBytes += chunk.length;
    if (this.#whole !== null) this.#checkWhole();
    else if (this.#bufferedBytes > HIGH_WATER_BYTES && !this.#connectionEnded) this.#pause(controller);
  }

  onResponseEnd(): void {
    this.#ended = true;
    if (!this.#readerPaused) this.#reader?.take(null);
    this.#checkWhole();
  }

  onResponseError(_controller: Controller, error: Error): void {
    const failure = this.#abortReason ?? new DialError(kindOf(error, this.status !== 0), error);
    this.#failure = failure;
    this.#opening?.reject(failure);
    if (!this.#readerPaused) this.#reader?.fail(failure);
    else if (this.#abortReason) this.resume(); // an aborted exchange does not wait for its reader
    this.#checkWhole();
  }

  /** True once `abort` ended the exchange. */
  get aborted(): boolean {
    return this.#abortReason !== null;
  }

  /** True while the reader does not want bytes. */
  get readerPaused(): boolean {
    return this.#readerPaused;
  }

  /** True while nothing more is read from the connection. */
  get paused(): boolean {
    return this.#controller?.paused === true;
  }

  /** The connection delivers no more bytes: ends a pause of the connection, and buffers the rest here. */
  connectionEnds(): void {
    if (!this.paused) return;
    this.#connectionEnded = true;
    this.#controller?.resume();
  }

  /** Ends the exchange; the node sees its connection closed. Idempotent. */
  abort(kind: "aborted" | "timeout" = "aborted"): void {
    if (this.#ended || this.#failure || this.#abortReason) return;
    this.#abortReason = abortErrors[kind];
    this.#controller?.abort(this.#abortReason);
  }

  /** Gives `reader` all bytes, those received already first, and then the end. */
  read(reader: ChunkReader): void {
    this.#reader = reader;
    this.#readerPaused = false;
    if (this.#chunks.length > 0) reader.take(this.#takeChunks());
    if (this.#reader !== reader) return;
    if (this.#failure) reader.fail(this.#failure);
    else if (this.#ended) reader.take(null);
    else if (!this.#readerPaused) this.#controller?.resume();
  }

  /** Stops calling the reader; later bytes wait for the next one. */
  stopReading(): void {
    this.#reader = null;
  }

  /** Gives the reader nothing more until `resume`. */
  pause(): void {
    this.#readerPaused = true;
    if (!this.#connectionEnded) this.#controller?.pause();
  }

  /** Gives the reader, if there is one, what was received meanwhile, and later bytes as they arrive. */
  resume(): void {
    if (this.#reader !== null) this.read(this.#reader);
  }

  /** Reads the whole body as text. Throws: DialError, also when it exceeds `maxBytes`. */
  text(maxBytes: number): Promise<string> {
    return new Promise((resolve, reject) => this.whole(maxBytes, { resolve, reject }));
  }

  /** As `text`, for a waiter. */
  whole(maxBytes: number, waiter: Waiter<string>): void {
    this.#whole = waiter;
    this.#wholeMaxBytes = maxBytes;
    if (this.#controller?.paused) this.#controller.resume();
    this.#checkWhole();
  }

  /** Copies the chunks, which are slices of larger buffers, so that a long pause does not keep those in memory. */
  #pause(controller: Controller): void {
    controller.pause();
    this.#chunks = [Buffer.concat(this.#chunks)];
  }

  #takeChunks(): Buffer {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#bufferedBytes = 0;
    const [only] = chunks;
    return chunks.length === 1 && only ? only : Buffer.concat(chunks);
  }

  #checkWhole(): void {
    const whole = this.#whole;
    if (whole === null) return;
    if (this.#bufferedBytes > this.#wholeMaxBytes) {
      this.#whole = null;
      this.abort();
      whole.reject(new DialError("broken", `the answer exceeds ${this.#wholeMaxBytes} bytes`));
    } else if (this.#failure) {
      this.#whole = null;
      whole.reject(this.#failure);
    } else if (this.#ended) {
      this.#whole = null;
      whole.resolve(this.#takeChunks().toString("utf8"));
    }
  }
}

const connectCodes = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPRIVATEADDRESS",
  "ETIMEDOUT",
]);

function kindOf(error: Error, hadHeaders: boolean): DialError["kind"] {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") return "timeout";
  if (hadHeaders) return "broken";
  if (connectCodes.has(code) || /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) {
    return "connect";
  }
  return "broken";
}

import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

/** Sockets are read in pieces of at most 64 KiB, so that one large piece is waiting at most. */
const HIGH_WATER_BYTES = 32 * 1024;

type Controller = Dispatcher.DispatchController;

/** How a call to a node ended before its answer was whole. */
export class DialError extends Error {
  readonly kind: "connect" | "timeout" | "broken" | "aborted";

  constructor(kind: DialError["kind"], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "DialError";
    this.kind = kind;
  }
}

/** Made once: when a crowd leaves, making their traces takes a seventh of the time until all nodes are let go. */
const givenUp = {
  aborted: new DialError("aborted", "the call was given up"),
  timeout: new DialError("timeout", "the call was given up"),
};

/**
 * One answer of a node, pulled chunk by chunk. The socket is paused while more than 32 KiB wait, so a slow
 * reader slows the node down. Source: docs/reliability.md#s2-11.
 */
export class UpstreamAnswer implements Dispatcher.DispatchHandler {
  status = 0;
  headers: IncomingHttpHeaders = {};
  readonly opened: Promise<void>;
  readonly #settleOpened: { resolve: () => void; reject: (error: DialError) => void };
  #controller: Controller | null = null;
  #chunks: Buffer[] = [];
  #waitingBytes = 0;
  #ended = false;
  #failure: DialError | null = null;
  #wake: (() => void) | null = null;
  #abortReason: DialError | null = null;

  constructor() {
    const settle = { resolve: () => {}, reject: (_error: DialError) => {} };
    this.opened = new Promise((resolve, reject) => {
      settle.resolve = resolve;
      settle.reject = reject;
    });
    this.#settleOpened = settle;
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#abortReason) controller.abort(this.#abortReason);
  }

  onResponseStart(_controller: Controller, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    this.#settleOpened.resolve();
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > HIGH_WATER_BYTES) this.#pause(controller);
    this.#wakeReader();
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#wakeReader();
  }

  onResponseError(_controller: Controller, error: Error): void {
    const failure = this.#abortReason ?? new DialError(kindOf(error, this.status !== 0), error);
    this.#failure = failure;
    this.#settleOpened.reject(failure);
    this.#wakeReader();
  }

  /** The exchange was ended by this side. */
  get givenUp(): boolean {
    return this.#abortReason !== null;
  }

  /** Ends the exchange; the node sees its connection closed. Idempotent. */
  abort(kind: "aborted" | "timeout" = "aborted"): void {
    if (this.#ended || this.#failure || this.#abortReason) return;
    this.#abortReason = givenUp[kind];
    this.#controller?.abort(this.#abortReason);
  }

  /** The next bytes, or null at the end. Throws: DialError. One reader at a time. */
  async read(): Promise<Buffer | null> {
    while (this.#chunks.length === 0) {
      if (this.#failure) throw this.#failure;
      if (this.#ended) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#waitingBytes = 0;
    if (this.#controller?.paused) this.#controller.resume();
    const [only] = chunks;
    return chunks.length === 1 && only ? only : Buffer.concat(chunks);
  }

  /** The whole body as text. Throws: DialError, also when it passes `maxBytes`. */
  async text(maxBytes: number): Promise<string> {
    const parts: Buffer[] = [];
    let size = 0;
    for (let chunk = await this.read(); chunk !== null; chunk = await this.read()) {
      size += chunk.length;
      if (size > maxBytes) {
        this.abort();
        throw new DialError("broken", `the answer passes ${maxBytes} bytes`);
      }
      parts.push(chunk);
    }
    const [only] = parts;
    return (parts.length === 1 && only ? only : Buffer.concat(parts)).toString("utf8");
  }

  /** The pieces are slices of larger reads; what may wait for a minute must not keep those in memory. */
  #pause(controller: Controller): void {
    controller.pause();
    this.#chunks = [Buffer.concat(this.#chunks)];
  }

  #wakeReader(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
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

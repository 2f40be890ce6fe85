import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { messageOf } from "@/lib/kernel/errors";

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

/**
 * One response of a node, read chunk by chunk. Pauses the socket while more than 32 KiB are buffered, so a slow reader
 * slows the node down. Source: docs/reliability.md#s2-11.
 */
export class UpstreamAnswer implements Dispatcher.DispatchHandler {
  status = 0;
  headers: IncomingHttpHeaders = {};
  readonly opened: Promise<void>;
  readonly #openedPromise: { resolve: () => void; reject: (error: DialError) => void };
  #controller: Controller | null = null;
  #chunks: Buffer[] = [];
  #bufferedBytes = 0;
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
    this.#openedPromise = settle;
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#abortReason) controller.abort(this.#abortReason);
  }

  onResponseStart(_controller: Controller, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    this.#openedPromise.resolve();
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bufferedBytes += chunk.length;
    if (this.#bufferedBytes > HIGH_WATER_BYTES) this.#pause(controller);
    this.#wakeReader();
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#wakeReader();
  }

  onResponseError(_controller: Controller, error: Error): void {
    const failure = this.#abortReason ?? new DialError(kindOf(error, this.status !== 0), error);
    this.#failure = failure;
    this.#openedPromise.reject(failure);
    this.#wakeReader();
  }

  /** True once `abort` ended the exchange. */
  get aborted(): boolean {
    return this.#abortReason !== null;
  }

  /** Ends the exchange; the node sees its connection closed. Idempotent. */
  abort(kind: "aborted" | "timeout" = "aborted"): void {
    if (this.#ended || this.#failure || this.#abortReason) return;
    this.#abortReason = abortErrors[kind];
    this.#controller?.abort(this.#abortReason);
  }

  /** Reads the next bytes; null at the end. Only one reader at a time. Throws: DialError. */
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
    this.#bufferedBytes = 0;
    if (this.#controller?.paused) this.#controller.resume();
    const [only] = chunks;
    return chunks.length === 1 && only ? only : Buffer.concat(chunks);
  }

  /** Reads the whole body as text. Throws: DialError, also when it exceeds `maxBytes`. */
  async text(maxBytes: number): Promise<string> {
    const parts: Buffer[] = [];
    let size = 0;
    for (let chunk = await this.read(); chunk !== null; chunk = await this.read()) {
      size += chunk.length;
      if (size > maxBytes) {
        this.abort();
        throw new DialError("broken", `the answer exceeds ${maxBytes} bytes`);
      }
      parts.push(chunk);
    }
    const [only] = parts;
    return (parts.length === 1 && only ? only : Buffer.concat(parts)).toString("utf8");
  }

  /** Copies the chunks, which are slices of larger buffers, so that a long pause does not keep those in memory. */
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

/** Signals that a client has disconnected. Shape: the part of `AbortSignal` that the gateway uses. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A cancel signal and its trigger; an `AbortController` would cost 5 µs per request. */
export class Cancellation implements CancelSignal {
  aborted = false;
  #listeners: (() => void)[] = [];

  /** Calls every listener once; later calls do nothing. */
  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  /** Adds a listener, which is called at most once. */
  addEventListener(_type: "abort", listener: () => void): void {
    if (!this.aborted) this.#listeners.push(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at !== -1) this.#listeners.splice(at, 1);
  }
}

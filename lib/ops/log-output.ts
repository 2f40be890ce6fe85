import { writeSync } from "node:fs";

/** More than that waits only when nobody reads; what comes then is discarded. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** A full pipe of a slow reader. */
const RETRY_MS = 10;
/** At the end of the process a slow reader gets so many times `RETRY_MS`: one second. */
const MAX_LAST_TRIES = 100;

/**
 * Writes lines to a descriptor without waiting for whoever reads them, and what is left of them at the end of the process.
 * A pipe has to be non-blocking, as it is once `process.stdout` has been opened. Each write has ended before the next
 * one begins, so lines stay whole and in order. A reader that is slow costs lines, one that has gone away costs nothing
 * else: neither stops the process or its end. Source: docs/adr/0020-own-log-output.md#decision.
 */
export class LogOutput {
  readonly #fd: number;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #retry: NodeJS.Timeout | null = null;
  #broken = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Takes a line with its end. */
  write(line: string): void {
    if (this.#broken || this.#waitingBytes >= MAX_WAITING_BYTES) return;
    const bytes = Buffer.from(line);
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#retry === null) this.#writeOn();
  }

  /** Writes what waits before it returns; for the end of the process, when nothing runs later. */
  flush(): void {
    for (let tries = 0; !this.#writeWaiting() && tries < MAX_LAST_TRIES; tries += 1)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
  }

  #writeOn(): void {
    this.#retry = this.#writeWaiting() ? null : setTimeout(() => this.#writeOn(), RETRY_MS).unref();
  }

  /** Writes as much as the reader takes now. Returns whether nothing is left. */
  #writeWaiting(): boolean {
    let rest = Buffer.concat(this.#waiting);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#fd, rest));
    } catch (error) {
      if (!isFull(error)) {
        this.#broken = true; // nobody reads any more
        rest = Buffer.alloc(0);
      }
    }
    this.#waiting = rest.length > 0 ? [rest] : [];
    this.#waitingBytes = rest.length;
    return rest.length === 0;
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EAGAIN" || error.code === "EBUSY");
}

import { writeSync } from "node:fs";

/** When more waits than this, nobody reads; later lines are discarded. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** The pause after a write to a pipe that a slow reader has left full. Units: milliseconds. */
const RETRY_MS = 10;
/** How many times `RETRY_MS` a slow reader gets at the end of the process: one second. */
const MAX_LAST_TRIES = 100;

/**
 * Writes lines to a descriptor without waiting for its reader, and the remaining ones at the end of the process. A pipe
 * has to be non-blocking, as it is once `process.stdout` has been opened. Each write has ended before the next one
 * begins, so lines stay whole and in order. A slow reader loses lines, and one that has closed the descriptor loses
 * all: neither stops the process or delays its end by more than a second. Source:
 * docs/adr/0020-own-log-output.md#decision.
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

  /** Takes a line that ends with a line break. */
  write(line: string): void {
    if (this.#broken || this.#waitingBytes >= MAX_WAITING_BYTES) return;
    const bytes = Buffer.from(line);
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#retry === null) this.#writeOn();
  }

  /** Writes all waiting lines before it returns; for the end of the process, when no timer runs any more. */
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

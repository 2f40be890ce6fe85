import { write, writeSync } from "node:fs";

/** More than that waits only when nobody reads; what comes then is discarded. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** A full pipe of a slow reader. */
const RETRY_MS = 100;
/** At the end of the process a slow reader gets so many times `RETRY_MS`. */
const MAX_LAST_TRIES = 10;

/**
 * Writes lines to a descriptor without waiting for whoever reads them, and what is left of them at the end of the process.
 * A reader that is slow costs lines, one that has gone away costs nothing else: neither stops the process or its end.
 * Source: docs/adr/0020-own-log-output.md#decision.
 */
export class LogOutput {
  readonly #fd: number;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #writing = false;
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
    if (!this.#writing) this.#writeOn();
  }

  /** Writes what waits before it returns; for the end of the process, when nothing runs later. */
  flush(): void {
    let rest = this.#takeAll();
    for (let tries = 0; rest.length > 0 && tries < MAX_LAST_TRIES && !this.#broken; ) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest));
      } catch (error) {
        if (!isFull(error)) this.#break();
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
        tries += 1;
      }
    }
  }

  #writeOn(rest: Buffer = this.#takeAll()): void {
    this.#writing = rest.length > 0;
    if (!this.#writing) return;
    write(this.#fd, rest, (error, written) => {
      if (error === null) this.#writeOn(written < rest.length ? rest.subarray(written) : undefined);
      else if (isFull(error)) setTimeout(() => this.#writeOn(rest), RETRY_MS);
      else this.#break();
    });
  }

  #takeAll(): Buffer {
    const all = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return all;
  }

  /** Nobody reads any more. */
  #break(): void {
    this.#broken = true;
    this.#writing = false;
    this.#takeAll();
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EAGAIN" || error.code === "EBUSY");
}

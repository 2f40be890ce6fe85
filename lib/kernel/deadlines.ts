import { type Linked, LinkedSet } from "./linked-set";

/** Something that is checked periodically, because it may have waited too long. */
export interface Watched extends Linked<Watched> {
  /** Looks at the time, in milliseconds of a monotonic clock. Returns false when it need not be watched any more. */
  onSweep(nowMs: number): boolean;
}

/** One timer of this interval is precise enough for timeouts of seconds and minutes. */
const SWEEP_MS = 250;

/** One timer for everything that may wait too long: it checks each, by default every quarter of a second. */
export class Deadlines {
  readonly #watched = new LinkedSet<Watched>();
  readonly #nowMs: () => number;
  readonly #sweepMs: number;
  #timer: NodeJS.Timeout | null = null;

  /** `nowMs`: a monotonic clock. */
  constructor(nowMs: () => number, sweepMs = SWEEP_MS) {
    this.#nowMs = nowMs;
    this.#sweepMs = sweepMs;
  }

  /** Watches until `forget`, or until `onSweep` returns false. */
  watch(watched: Watched): void {
    this.#watched.add(watched);
    if (this.#timer !== null) return;
    this.#timer = setInterval(this.#sweepSoon, this.#sweepMs);
    this.#timer.unref();
  }

  /** Stops watching. */
  forget(watched: Watched): void {
    this.#watched.delete(watched);
  }

  /** Timers run before sockets are read; the immediate lets the loop read an answer that has arrived in time. */
  readonly #sweepSoon = (): void => {
    setImmediate(this.#sweep);
  };

  readonly #sweep = (): void => {
    const nowMs = this.#nowMs();
    this.#watched.forEach((watched) => {
      if (!watched.onSweep(nowMs)) this.#watched.delete(watched);
    });
    if (!this.#watched.isEmpty || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  };
}

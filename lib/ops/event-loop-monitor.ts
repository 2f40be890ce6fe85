import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

const SAMPLE_MS = 1_000;

const RESOLUTION_MS = 20;

const SLOW_MS = 200;

const SLOW_FOR_MS = 3_000;

/**
 * Detects an overloaded event loop. A second has about fifty samples, so its p99 is the one longest pause; a p90 above
 * 200 ms means that most of the second was lost. Source: docs/reliability.md#s2-11.
 */
export class EventLoopMonitor {
  #slowSinceMs: number | null = null;
  #overloaded = false;
  #delays: IntervalHistogram | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** True while the event loop's delay has been above 200 ms for three seconds. */
  get overloaded(): boolean {
    return this.#overloaded;
  }

  /** Starts a measurement every second. */
  start(): void {
    const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    delays.enable();
    this.#delays = delays;
    let startMs = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      // The histogram counts the timer's own period too.
      this.record(delays.percentile(90) / 1e6 - RESOLUTION_MS, startMs, now);
      startMs = now;
      delays.reset();
    }, SAMPLE_MS);
    this.#timer.unref();
  }

  /** Stops measuring. */
  stop(): void {
    this.#delays?.disable();
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Records the delay of one sample period. Units: milliseconds. */
  record(delayMs: number, startMs: number, endMs: number): void {
    this.#slowSinceMs = delayMs > SLOW_MS ? (this.#slowSinceMs ?? startMs) : null;
    this.#overloaded = this.#slowSinceMs !== null && endMs - this.#slowSinceMs >= SLOW_FOR_MS;
  }
}

import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

const SAMPLE_MS = 1_000;
const RESOLUTION_MS = 20;
const SLOW_MS = 200;
const SLOW_FOR_MS = 3_000;

/**
 * Knows when this process has had too much to do for seconds. A second has some fifty samples at most, so its p99 would
 * be the one longest pause; p90 above 200 ms means that most of the second was lost. Source: docs/reliability.md#s2-11.
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

  /** Begins to measure, every second. */
  start(): void {
    const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    delays.enable();
    this.#delays = delays;
    let beganMs = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      // The histogram counts the timer's own period too.
      this.take(delays.percentile(90) / 1e6 - RESOLUTION_MS, beganMs, now);
      beganMs = now;
      delays.reset();
    }, SAMPLE_MS);
    this.#timer.unref();
  }

  /** Ends the measuring. */
  stop(): void {
    this.#delays?.disable();
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Takes the delay in one stretch of time. Units: milliseconds. */
  take(delayMs: number, beganMs: number, endedMs: number): void {
    this.#slowSinceMs = delayMs > SLOW_MS ? (this.#slowSinceMs ?? beganMs) : null;
    this.#overloaded = this.#slowSinceMs !== null && endedMs - this.#slowSinceMs >= SLOW_FOR_MS;
  }
}

const STARTUP_MS = 60_000;

/**
 * How many processes share each limit while Redis is unavailable: those with a recent heartbeat. In this process's
 * first minute it is at least the configured number, because others may be starting. Source: docs/reliability.md#s2-8.
 */
export class LiveReplicas {
  readonly #configured: number;
  readonly #now: () => number;
  readonly #startedMs: number;
  #liveCount: number;

  /** `configured`: the expected number of processes; `now`: a monotonic clock. Units: milliseconds. */
  constructor(configured: number, now: () => number) {
    this.#configured = configured;
    this.#now = now;
    this.#startedMs = now();
    this.#liveCount = configured;
  }

  /** The number of processes that share the limits; at least 1. */
  get count(): number {
    const isStarting = this.#now() - this.#startedMs < STARTUP_MS;
    return Math.max(1, this.#liveCount, isStarting ? this.#configured : 1);
  }

  /** Sets the number of live processes that the database reports. */
  setLiveCount(live: number): void {
    this.#liveCount = live;
  }
}

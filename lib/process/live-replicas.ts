const OTHERS_START_MS = 60_000;

/**
 * How many processes share each limit while Redis is away: those whose hearts beat. In this process's first minute at
 * least the configured number, because the others may be starting. Source: docs/reliability.md#s2-8.
 */
export class LiveReplicas {
  readonly #configured: number;
  readonly #now: () => number;
  readonly #startedMs: number;
  #counted: number;

  /** `now`: a monotonic clock. Units: milliseconds. */
  constructor(configured: number, now: () => number) {
    this.#configured = configured;
    this.#now = now;
    this.#startedMs = now();
    this.#counted = configured;
  }

  /** The number to divide by; at least 1. */
  get count(): number {
    const young = this.#now() - this.#startedMs < OTHERS_START_MS;
    return Math.max(1, this.#counted, young ? this.#configured : 1);
  }

  /** Takes the number of living processes from the database. */
  counted(live: number): void {
    this.#counted = live;
  }
}

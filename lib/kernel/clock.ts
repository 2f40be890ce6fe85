/** The source of time; tests inject their own. */
export interface Clock {
  /** Monotonic milliseconds with fractions; for durations and windows. */
  nowMs(): number;
  /** Wall-clock time; for stored and displayed dates. */
  date(): Date;
}

/** The clock of the operating system. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  date: () => new Date(),
};

const WALL_FRESH_MS = 1_000;

/**
 * Converts moments of the monotonic clock to wall-clock time; reads the difference of the two clocks again each second.
 */
export class WallClock {
  readonly #clock: Clock;
  #apartMs = 0;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The date of a moment that has just been read from the monotonic clock. Units: milliseconds. */
  dateOf(nowMs: number): Date {
    if (nowMs - this.#readAtMs >= WALL_FRESH_MS) {
      this.#apartMs = this.#clock.date().getTime() - nowMs;
      this.#readAtMs = nowMs;
    }
    return new Date(this.#apartMs + nowMs);
  }
}

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

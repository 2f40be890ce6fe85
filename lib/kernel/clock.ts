/** Time as the rest of the code sees it; tests inject their own. */
export interface Clock {
  /** Monotonic milliseconds with fractions; for durations and windows. */
  nowMs(): number;
  /** Wall clock; for dates that people read. */
  date(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  date: () => new Date(),
};

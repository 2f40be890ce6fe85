/** Bounds of an adaptive limit. Units: milliseconds, operations in flight. */
export interface AdaptiveConcurrencyOptions {
  /** A duration above `SLOW_FACTOR` times the shortest of the last seconds is slow; this range bounds the threshold. */
  slowMs?: readonly [atLeast: number, atMost: number];
  /**
   * The limit only falls after the load has stayed above `minLimit` for this long; a shorter burst is admitted whole.
   */
  sustainedMs?: number;
  minLimit?: number;
  /** The lowest limit while durations are slow; `minLimit` once they stay above the upper bound of `slowMs`. */
  slowLimit?: number;
  maxLimit?: number;
}

const SLOW_MS = [40, 250] as const;

const SLOW_FACTOR = 4;

/** The shortest duration is taken from a period of this length and the one before it. Units: milliseconds. */
const SHORTEST_OF_MS = 5_000;

/** A burst of a thousand calls slows all of them; it is over after two seconds unless the load lasts. */
const SUSTAINED_MS = 2_000;

/** Holds end in batches: between two of them few are in flight, however high the load is. */
const PAUSE_MS = 500;

/** With this few operations in flight the database itself is slow, and refusing requests would not help. */
const MIN_LIMIT = 64;

/** One or two batches: a garbage collection or a pause of the machine delays so many, and must not cause refusals. */
const SLOW_LIMIT = 256;

/**
 * After this many changes in a row with a duration above the upper bound of `slowMs`, the limit may fall to `minLimit`.
 */
const STALLED_CHANGES = 3;

const MAX_LIMIT = 5_000;

const INCREASE_FACTOR = 1.1;

const DECREASE_FACTOR = 0.8;

const CHANGE_INTERVAL_MS = 100;

/**
 * A limit of operations in flight that follows their duration: ten times a second one slow operation lowers it by a
 * fifth, and if there was none, it rises by a tenth. Callers refuse work beyond the limit at once, so that admitted work
 * finishes in time. Source: docs/reliability.md#s2-11.
 */
export class AdaptiveConcurrencyLimit {
  readonly #slowMs: readonly [number, number];
  readonly #sustainedMs: number;
  readonly #minLimit: number;
  readonly #slowLimit: number;
  readonly #maxLimit: number;
  #limit: number;
  #inFlight = 0;
  /**
   * The first and the last time an operation began above `minLimit`, without a longer pause than `PAUSE_MS` between.
   */
  #aboveMinSinceMs = 0;
  #aboveMinAtMs = Number.NEGATIVE_INFINITY;
  /** The time of the last change, and the maxima since then. */
  #changedAtMs = Number.NEGATIVE_INFINITY;
  #mostInFlight = 0;
  #longestMs = 0;
  /** How many changes in a row found a duration above the upper bound of `slowMs`. */
  #stalled = 0;
  /** The shortest duration since `#shortestSinceMs`, and that of the period before. */
  #shortestMs: readonly [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  #shortestSinceMs = Number.NEGATIVE_INFINITY;

  constructor({
    slowMs = SLOW_MS,
    sustainedMs = SUSTAINED_MS,
    minLimit = MIN_LIMIT,
    slowLimit = SLOW_LIMIT,
    maxLimit = MAX_LIMIT,
  }: AdaptiveConcurrencyOptions = {}) {
    this.#slowMs = slowMs;
    this.#sustainedMs = sustainedMs;
    this.#minLimit = minLimit;
    this.#slowLimit = slowLimit;
    this.#maxLimit = maxLimit;
    this.#limit = maxLimit;
  }

  /** True while no operation should begin. */
  get full(): boolean {
    return this.#inFlight >= this.#limit;
  }

  /** True while so few operations are in flight that refusing one would not make the others faster. */
  get few(): boolean {
    return this.#inFlight <= this.#minLimit;
  }

  /** The current limit of operations in flight. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Counts an operation that begins. Units: milliseconds of a monotonic clock. */
  begin(nowMs: number): void {
    this.#inFlight += 1;
    if (this.#inFlight > this.#mostInFlight) this.#mostInFlight = this.#inFlight;
    if (this.#inFlight <= this.#minLimit) return;
    if (nowMs - this.#aboveMinAtMs > PAUSE_MS) this.#aboveMinSinceMs = nowMs;
    this.#aboveMinAtMs = nowMs;
  }

  /** Counts an operation that ended or was abandoned. Units: milliseconds; `nowMs` of a monotonic clock. */
  end(durationMs: number, nowMs: number): void {
    this.#inFlight -= 1;
    if (durationMs > this.#longestMs) this.#longestMs = durationMs;
    if (durationMs < this.#shortestMs[0]) this.#shortestMs = [durationMs, this.#shortestMs[1]];
    if (nowMs - this.#changedAtMs >= CHANGE_INTERVAL_MS) this.#change(nowMs);
  }

  #change(nowMs: number): void {
    this.#stalled = this.#longestMs > this.#slowMs[1] ? this.#stalled + 1 : 0;
    if (this.#longestMs <= this.#slowBeyondMs) {
      this.#limit = Math.min(this.#maxLimit, this.#limit * INCREASE_FACTOR);
    } else if (this.#isSustained(nowMs)) {
      const least = this.#stalled >= STALLED_CHANGES ? this.#minLimit : this.#slowLimit;
      const lower = Math.min(this.#limit, this.#mostInFlight) * DECREASE_FACTOR;
      this.#limit = Math.max(least, lower);
    }
    this.#changedAtMs = nowMs;
    this.#mostInFlight = this.#inFlight;
    this.#longestMs = 0;
    if (nowMs - this.#shortestSinceMs < SHORTEST_OF_MS) return;
    this.#shortestMs = [Number.POSITIVE_INFINITY, this.#shortestMs[0]];
    this.#shortestSinceMs = nowMs;
  }

  get #slowBeyondMs(): number {
    const [atLeast, atMost] = this.#slowMs;
    return Math.min(atMost, Math.max(atLeast, SLOW_FACTOR * Math.min(...this.#shortestMs)));
  }

  #isSustained(nowMs: number): boolean {
    return nowMs - this.#aboveMinAtMs <= PAUSE_MS && nowMs - this.#aboveMinSinceMs >= this.#sustainedMs;
  }
}

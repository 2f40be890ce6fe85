/** Bounds of an adaptive limit. Units: milliseconds, operations in flight. */
export interface AdaptiveConcurrencyOptions {
  /** An operation that takes longer lowers the limit. */
  slowMs?: number;
  /**
   * The limit only falls after the load has stayed above `minLimit` for this long; a shorter burst is admitted whole.
   */
  sustainedMs?: number;
  minLimit?: number;
  maxLimit?: number;
}

const SLOW_MS = 250;
/** A burst of a thousand calls slows all of them, and is over after two seconds unless the load lasts. */
const SUSTAINED_MS = 2_000;
/** With this few operations in flight the database itself is slow, and refusing requests would not help. */
const MIN_LIMIT = 64;
const MAX_LIMIT = 5_000;
const DECREASE_FACTOR = 0.8;
/** Holds run in batches: all slow holds of one batch count as one signal. */
const DECREASE_INTERVAL_MS = 100;

/**
 * A limit of operations in flight that follows their duration: a fast operation raises it by one, a slow one lowers it
 * by a fifth (AIMD). Callers refuse work beyond the limit at once, so that admitted work finishes in time.
 * Source: docs/reliability.md#s2-11.
 */
export class AdaptiveConcurrencyLimit {
  readonly #slowMs: number;
  readonly #sustainedMs: number;
  readonly #minLimit: number;
  readonly #maxLimit: number;
  #limit: number;
  #inFlight = 0;
  /** When the operations in flight last rose above `minLimit`. */
  #aboveMinSinceMs = 0;
  #decreasedAtMs = Number.NEGATIVE_INFINITY;

  constructor({
    slowMs = SLOW_MS,
    sustainedMs = SUSTAINED_MS,
    minLimit = MIN_LIMIT,
    maxLimit = MAX_LIMIT,
  }: AdaptiveConcurrencyOptions = {}) {
    this.#slowMs = slowMs;
    this.#sustainedMs = sustainedMs;
    this.#minLimit = minLimit;
    this.#maxLimit = maxLimit;
    this.#limit = maxLimit;
  }

  /** True while no operation should begin. */
  get full(): boolean {
    return this.#inFlight >= this.#limit;
  }

  /** The current limit of operations in flight. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Counts an operation that begins. Units: milliseconds of a monotonic clock. */
  begin(nowMs: number): void {
    if (this.#inFlight === this.#minLimit) this.#aboveMinSinceMs = nowMs;
    this.#inFlight += 1;
  }

  /** Counts an operation that ended or was abandoned. Units: milliseconds; `nowMs` of a monotonic clock. */
  end(durationMs: number, nowMs: number): void {
    if (durationMs > this.#slowMs) this.#decrease(nowMs);
    else this.#limit = Math.min(this.#maxLimit, this.#limit + 1);
    this.#inFlight -= 1;
  }

  #decrease(nowMs: number): void {
    if (this.#inFlight <= this.#minLimit || nowMs - this.#aboveMinSinceMs < this.#sustainedMs) return;
    if (nowMs - this.#decreasedAtMs < DECREASE_INTERVAL_MS) return;
    this.#decreasedAtMs = nowMs;
    this.#limit = Math.max(this.#minLimit, Math.min(this.#limit, this.#inFlight) * DECREASE_FACTOR);
  }
}

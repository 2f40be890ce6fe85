/** How a gate works. */
export interface AdaptiveConcurrencyOptions {
  /** A hold that took longer was one of too many. */
  slowMs?: number;
  /** A crowd that is gone sooner is let in whole. */
  lastingMs?: number;
  fewest?: number;
  most?: number;
}

const SLOW_MS = 250;
/** A thousand calls at once make each other slow; two seconds later that is over, or there are too many. */
const LASTING_MS = 2_000;
/** When no more than these are slow, it is the database that is slow, and refusing would help nobody. */
const FEWEST = 64;
const MOST = 5_000;
const SHRINK = 0.8;
/** Holds travel in batches, and a batch tells the same thing only once. */
const SHRINK_EVERY_MS = 100;

/**
 * How many holds may be under way: fewer when they take long, one more for each that was quick. Beyond it a request is
 * refused at once, so that those that are let in are held in time instead of all waiting in vain.
 * Source: docs/reliability.md#s2-11.
 */
export class AdaptiveConcurrencyLimit {
  readonly #slowMs: number;
  readonly #lastingMs: number;
  readonly #fewest: number;
  readonly #most: number;
  #limit: number;
  #underWay = 0;
  /** Since when there have been more than the fewest. */
  #crowdSinceMs = 0;
  #shrunkAtMs = Number.NEGATIVE_INFINITY;

  constructor({
    slowMs = SLOW_MS,
    lastingMs = LASTING_MS,
    fewest = FEWEST,
    most = MOST,
  }: AdaptiveConcurrencyOptions = {}) {
    this.#slowMs = slowMs;
    this.#lastingMs = lastingMs;
    this.#fewest = fewest;
    this.#most = most;
    this.#limit = most;
  }

  /** No hold should begin now. */
  get full(): boolean {
    return this.#underWay >= this.#limit;
  }

  /** How many may be under way at present. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** A hold begins. `nowMs` of a clock that never goes back. */
  enter(nowMs: number): void {
    if (this.#underWay === this.#fewest) this.#crowdSinceMs = nowMs;
    this.#underWay += 1;
  }

  /** A hold has ended, or was given up. Units: milliseconds; `nowMs` of a clock that never goes back. */
  leave(tookMs: number, nowMs: number): void {
    if (tookMs > this.#slowMs) this.#shrink(nowMs);
    else this.#limit = Math.min(this.#most, this.#limit + 1);
    this.#underWay -= 1;
  }

  #shrink(nowMs: number): void {
    if (this.#underWay <= this.#fewest || nowMs - this.#crowdSinceMs < this.#lastingMs) return;
    if (nowMs - this.#shrunkAtMs < SHRINK_EVERY_MS) return;
    this.#shrunkAtMs = nowMs;
    this.#limit = Math.max(this.#fewest, Math.min(this.#limit, this.#underWay) * SHRINK);
  }
}

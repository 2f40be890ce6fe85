import { GatewayError } from "./errors";

const MIN_PER_KEY = 20;
const REQUESTS_PER_QPS = 4;
const MAX_SHARE_PER_KEY = 0.25;

/**
 * Limits the requests in flight of each key to a quarter of the process's capacity, so that no key can take all of it.
 * Source: docs/reliability.md#s2-11.
 */
export class ConcurrencyLimiter {
  readonly #inFlightByKey = new Map<string, number>();
  readonly #maxPerKey: number;

  constructor(readonly capacity = 5_000) {
    this.#maxPerKey = Math.floor(capacity * MAX_SHARE_PER_KEY);
  }

  /** Counts a request of a key as in flight; false when the key is at its limit. Each success needs one `release`. */
  tryAcquire(keyId: string, qps: number | null): boolean {
    const inFlight = this.#inFlightByKey.get(keyId) ?? 0;
    const keyLimit = qps === null ? this.#maxPerKey : Math.max(MIN_PER_KEY, REQUESTS_PER_QPS * qps);
    if (inFlight >= Math.min(keyLimit, this.#maxPerKey)) return false;
    this.#inFlightByKey.set(keyId, inFlight + 1);
    return true;
  }

  /** Counts a request of a key as ended. */
  release(keyId: string): void {
    const remaining = (this.#inFlightByKey.get(keyId) ?? 0) - 1;
    if (remaining > 0) this.#inFlightByKey.set(keyId, remaining);
    else this.#inFlightByKey.delete(keyId);
  }
}

/** What one call occupies of the limits per key: given back at its end, or when its client leaves. */
export class Permit {
  #keyId = "";
  readonly #taken: ConcurrencyLimiter[] = [];

  /** Takes a place of a key; false when there is none. */
  take(limiter: ConcurrencyLimiter, keyId: string, qps: number | null): boolean {
    if (!limiter.tryAcquire(keyId, qps)) return false;
    this.#keyId = keyId;
    this.#taken.push(limiter);
    return true;
  }

  /** Gives everything back; further calls do nothing. */
  release(): void {
    for (const limiter of this.#taken) limiter.release(this.#keyId);
    this.#taken.length = 0;
  }
}

/** A counting semaphore without a queue. */
export class Semaphore {
  #acquired = 0;

  constructor(readonly capacity: number) {}

  /** Takes a permit; false when none is free. Each success needs one `release`. */
  tryAcquire(): boolean {
    if (this.#acquired >= this.capacity) return false;
    this.#acquired += 1;
    return true;
  }

  /** Gives a permit back. */
  release(): void {
    this.#acquired -= 1;
  }
}

/** Limits of a FairSemaphore. */
export interface SemaphoreBounds {
  /** Permits of all accounts together. */
  concurrency: number;
  /** Permits of one account. */
  perAccount: number;
  /** How long work may wait before it is refused. Units: milliseconds. */
  waitMs: number;
}

interface Waiting {
  accountId: string;
  begin(): void;
}

/**
 * A semaphore with a share for each account and a deadline for waiting. It bounds reports and log searches, so that they
 * leave the database free for calls. Waiting work starts in order of arrival; an account that has reached its share
 * is skipped.
 * Source: docs/reliability.md#s2-10, #s2-11, #r-43.
 */
export class FairSemaphore {
  readonly #bounds: SemaphoreBounds;
  readonly #byAccount = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(bounds: SemaphoreBounds = { concurrency: 3, perAccount: 2, waitMs: 2_000 }) {
    this.#bounds = bounds;
  }

  /**
   * Runs the work of an account as soon as the bounds allow. Throws: NO_AVAILABLE_NODE with Retry-After after `waitMs`;
   * what the work throws.
   */
  async run<Result>(
    accountId: string,
    work: () => Promise<Result>,
    waitMs = this.#bounds.waitMs,
  ): Promise<Result> {
    if (this.#hasPermit(accountId)) this.#acquire(accountId);
    else await this.#wait(accountId, waitMs);
    try {
      return await work();
    } finally {
      this.#release(accountId);
    }
  }

  #hasPermit(accountId: string): boolean {
    const { concurrency, perAccount } = this.#bounds;
    return this.#running < concurrency && (this.#byAccount.get(accountId) ?? 0) < perAccount;
  }

  #acquire(accountId: string): void {
    this.#running += 1;
    this.#byAccount.set(accountId, (this.#byAccount.get(accountId) ?? 0) + 1);
  }

  #release(accountId: string): void {
    this.#running -= 1;
    const remaining = (this.#byAccount.get(accountId) ?? 0) - 1;
    if (remaining > 0) this.#byAccount.set(accountId, remaining);
    else this.#byAccount.delete(accountId);
    this.#startNext();
  }

  #startNext(): void {
    const at = this.#waiting.findIndex((waiting) => this.#hasPermit(waiting.accountId));
    const [next] = at === -1 ? [] : this.#waiting.splice(at, 1);
    if (next === undefined) return;
    this.#acquire(next.accountId);
    next.begin();
  }

  /** Resolves once the permit is taken. */
  #wait(accountId: string, waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(tooMany());
      }, waitMs);
      const waiting: Waiting = {
        accountId,
        begin() {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waiting.push(waiting);
    });
  }
}

function tooMany(): GatewayError {
  return new GatewayError(
    "NO_AVAILABLE_NODE",
    "Too many reports are running at this moment. Try again shortly.",
    { retryAfterSeconds: 1 },
  );
}

/**
 * Spreads a burst of work over several ticks of the event loop in order of arrival, so that other work runs between
 * two ticks. Source: docs/reliability.md#r-43, #r-150.
 */
export class TickLimiter {
  readonly #waiting: (() => void)[] = [];
  #scheduled = false;

  /** `perTick`: how many callers continue in each tick. */
  constructor(readonly perTick: number) {}

  /** Resolves in a later tick of the event loop. */
  pass(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      for (const resolve of this.#waiting.splice(0, this.perTick)) resolve();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}

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

/**
 * Waits for a result: exactly one of the two is called, once, and neither throws. In place of a promise where one place
 * passes on what another one awaits.
 */
export interface Waiter<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

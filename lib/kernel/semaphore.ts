import { GatewayError } from "./errors";

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
  /** How much work of one account may wait. */
  mostWaiting: number;
  /** How long work may wait before it is refused. Units: milliseconds. */
  waitMs: number;
  /**
   * After its work a permit rests for this share of the time that the work took, so that back-to-back work never has
   * more than a part of the process. 0: it does not rest.
   */
  restShare: number;
  /** The error of work that is refused. */
  refusal(): GatewayError;
  /** A monotonic clock. Units: milliseconds. */
  nowMs(): number;
}

interface Waiting {
  accountId: string;
  begin(): void;
}

/** Reports and log searches. */
const DEFAULT_BOUNDS: SemaphoreBounds = {
  concurrency: 3,
  perAccount: 2,
  mostWaiting: 64,
  waitMs: 2_000,
  restShare: 0,
  refusal: tooMany,
  nowMs: () => performance.now(),
};

/**
 * A semaphore with a share for each account and a deadline for waiting. It bounds what a small request makes the
 * process or the database do in bulk, so that they have time for calls. Accounts take turns; the work of one account
 * starts in order of arrival, and waits while the account has reached its share.
 * Source: docs/reliability.md#bulk, #s2-10, #s2-11, #r-43.
 */
export class FairSemaphore {
  readonly #bounds: SemaphoreBounds;
  readonly #byAccount = new Map<string, number>();
  /** The account whose turn was longest ago comes first. */
  readonly #waiting = new Map<string, Waiting[]>();
  #running = 0;

  constructor(bounds: Partial<SemaphoreBounds> = {}) {
    this.#bounds = { ...DEFAULT_BOUNDS, ...bounds };
  }

  /** Runs the work of an account as soon as the bounds allow. Throws: as `acquire`; what the work throws. */
  async run<Result>(
    accountId: string,
    work: () => Promise<Result>,
    waitMs = this.#bounds.waitMs,
  ): Promise<Result> {
    if (this.#hasPermit(accountId)) this.#take(accountId);
    else await this.#wait(accountId, waitMs);
    const release = this.#releaseOf(accountId);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Takes a permit as soon as the bounds allow. Resolves with what gives it back, to be called once. Throws:
   * NO_AVAILABLE_NODE with Retry-After after `waitMs`, or at once when too much work of the account waits.
   */
  async acquire(accountId: string, waitMs = this.#bounds.waitMs): Promise<() => void> {
    if (this.#hasPermit(accountId)) this.#take(accountId);
    else await this.#wait(accountId, waitMs);
    return this.#releaseOf(accountId);
  }

  #releaseOf(accountId: string): () => void {
    const beganMs = this.#bounds.nowMs();
    return () => this.#rest(accountId, beganMs);
  }

  #hasPermit(accountId: string): boolean {
    const { concurrency, perAccount } = this.#bounds;
    return this.#running < concurrency && (this.#byAccount.get(accountId) ?? 0) < perAccount;
  }

  #take(accountId: string): void {
    this.#running += 1;
    this.#byAccount.set(accountId, (this.#byAccount.get(accountId) ?? 0) + 1);
  }

  #rest(accountId: string, beganMs: number): void {
    const { restShare, nowMs } = this.#bounds;
    const restMs = restShare * (nowMs() - beganMs);
    if (restMs < 1) this.#release(accountId);
    else setTimeout(() => this.#release(accountId), restMs).unref();
  }

  #release(accountId: string): void {
    this.#running -= 1;
    const remaining = (this.#byAccount.get(accountId) ?? 0) - 1;
    if (remaining > 0) this.#byAccount.set(accountId, remaining);
    else this.#byAccount.delete(accountId);
    this.#startNext();
  }

  #startNext(): void {
    for (const [accountId, queue] of this.#waiting) {
      const [next] = queue;
      if (next === undefined || !this.#hasPermit(accountId)) continue;
      this.#leaveQueue(next);
      const rest = this.#waiting.get(accountId);
      if (rest !== undefined) {
        this.#waiting.delete(accountId);
        this.#waiting.set(accountId, rest);
      }
      this.#take(accountId);
      next.begin();
      return;
    }
  }

  #leaveQueue(waiting: Waiting): void {
    const queue = this.#waiting.get(waiting.accountId);
    if (queue === undefined) return;
    queue.splice(queue.indexOf(waiting), 1);
    if (queue.length === 0) this.#waiting.delete(waiting.accountId);
  }

  /** Resolves once the permit is taken. */
  #wait(accountId: string, waitMs: number): Promise<void> {
    const queue = this.#waiting.get(accountId) ?? [];
    if (queue.length >= this.#bounds.mostWaiting) throw this.#bounds.refusal();
    this.#waiting.set(accountId, queue);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#leaveQueue(waiting);
        reject(this.#bounds.refusal());
      }, waitMs);
      const waiting: Waiting = {
        accountId,
        begin() {
          clearTimeout(timer);
          resolve();
        },
      };
      queue.push(waiting);
    });
  }
}

function tooMany(): GatewayError {
  return new GatewayError(
    "NO_AVAILABLE_NODE",
    "Too many reports are running at this moment. Try again shortly.",
    { refusal: "reports", retryAfterSeconds: 1 },
  );
}

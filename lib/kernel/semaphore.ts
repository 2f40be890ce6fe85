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

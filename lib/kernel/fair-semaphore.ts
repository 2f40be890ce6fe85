import { GatewayError } from "./errors";
import { ClientDisconnected } from "./thrown";

/** Limits of a FairSemaphore. */
export interface SemaphoreBounds {
  /** Permits of all accounts together. */
  concurrency: number;
  /** Permits of one account. */
  perAccount: number;
  /** How much work of one account may wait. */
  mostWaiting: number;
  /** How much work of all accounts together may wait. */
  mostInAll: number;
  /** How long work may wait before it is refused. Units: milliseconds. */
  waitMs: number;
  /**
   * After its work a permit stays taken for this share of the work's duration, so that work without pauses never uses
   * more than a part of the process. 0: it is released at once.
   */
  restShare: number;
  /** The error of work that is refused. */
  refusal(): GatewayError;
  /** A monotonic clock. Units: milliseconds. */
  nowMs(): number;
}

/** Reports that the client that asked for a permit has disconnected. */
interface Presence {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

interface Waiting {
  accountId: string;
  begin(): void;
}

/** Bounds for reports and log searches. */
const DEFAULT_BOUNDS: SemaphoreBounds = {
  concurrency: 3,
  perAccount: 2,
  mostWaiting: 64,
  mostInAll: Number.POSITIVE_INFINITY,
  waitMs: 2_000,
  restShare: 0,
  refusal: tooMany,
  nowMs: () => performance.now(),
};

/**
 * A semaphore with a share for each account and a deadline for waiting. It bounds the bulk work that small requests
 * cause in the process or the database, so that calls get enough time. Accounts take turns; the work of one account
 * starts in order of arrival, and waits while the account has reached its share.
 * Source: docs/reliability.md#bulk, #s2-10, #s2-11, #r-43.
 */
export class FairSemaphore {
  readonly #bounds: SemaphoreBounds;
  readonly #byAccount = new Map<string, number>();
  /** Accounts in the order of their last turn, the oldest first. */
  readonly #waiting = new Map<string, Waiting[]>();
  #running = 0;
  #waitingInAll = 0;

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
    else await this.#wait(accountId, waitMs, null);
    const release = this.#releaseOf(accountId);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Takes a permit as soon as the bounds allow. Resolves with the function that releases it, to be called once. A
   * client that disconnects while it waits leaves the queue. Throws: NO_AVAILABLE_NODE with Retry-After when the wait
   * is too long, or at once when too much work waits; ClientDisconnected.
   */
  async acquire(accountId: string, presence: Presence | null = null): Promise<() => void> {
    if (presence?.aborted) throw new ClientDisconnected();
    if (this.#hasPermit(accountId)) this.#take(accountId);
    else await this.#wait(accountId, this.#bounds.waitMs, presence);
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
    this.#waitingInAll -= 1;
    if (queue.length === 0) this.#waiting.delete(waiting.accountId);
  }

  /** Resolves once the permit is taken. */
  #wait(accountId: string, waitMs: number, presence: Presence | null): Promise<void> {
    const { mostWaiting, mostInAll, refusal } = this.#bounds;
    const queue = this.#waiting.get(accountId) ?? [];
    if (queue.length >= mostWaiting || this.#waitingInAll >= mostInAll) throw refusal();
    this.#waiting.set(accountId, queue);
    this.#waitingInAll += 1;
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        presence?.removeEventListener("abort", left);
      };
      const waiting: Waiting = {
        accountId,
        begin() {
          stop();
          resolve();
        },
      };
      const giveUp = (error: () => Error) => {
        stop();
        this.#leaveQueue(waiting);
        reject(error());
      };
      const left = () => giveUp(() => new ClientDisconnected());
      const timer = setTimeout(() => giveUp(refusal), waitMs);
      presence?.addEventListener("abort", left);
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

import { GatewayError } from "@/lib/errors";

/** How much reading work runs at once. */
export interface TurnBounds {
  /** Of everybody. */
  atOnce: number;
  /** Of one account, so that no account can take all turns. */
  perAccount: number;
  /** How long work may wait for its turn. Unit: milliseconds. */
  waitMs: number;
}

interface Waiting {
  accountId: string;
  begin(): void;
}

/**
 * Lets work that keeps the database busy, reports and searches of the log, run a little at a time in the order in which
 * it came, so that calls find the database free. An account that has all its turns is passed by.
 * Source: reliability 2.10, 2.11, 4.3 (43).
 */
export class Turns {
  readonly #bounds: TurnBounds;
  readonly #byAccount = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(bounds: TurnBounds = { atOnce: 3, perAccount: 2, waitMs: 2_000 }) {
    this.#bounds = bounds;
  }

  /** Runs work of an account when its turn comes. Throws: NO_AVAILABLE_NODE with Retry-After when it does not; what the work throws. */
  async run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#isFree(accountId)) this.#take(accountId);
    else await this.#wait(accountId);
    try {
      return await work();
    } finally {
      this.#giveBack(accountId);
    }
  }

  #isFree(accountId: string): boolean {
    const { atOnce, perAccount } = this.#bounds;
    return this.#running < atOnce && (this.#byAccount.get(accountId) ?? 0) < perAccount;
  }

  #take(accountId: string): void {
    this.#running += 1;
    this.#byAccount.set(accountId, (this.#byAccount.get(accountId) ?? 0) + 1);
  }

  #giveBack(accountId: string): void {
    this.#running -= 1;
    const left = (this.#byAccount.get(accountId) ?? 0) - 1;
    if (left > 0) this.#byAccount.set(accountId, left);
    else this.#byAccount.delete(accountId);
    this.#callNext();
  }

  #callNext(): void {
    const at = this.#waiting.findIndex((waiting) => this.#isFree(waiting.accountId));
    const [next] = at === -1 ? [] : this.#waiting.splice(at, 1);
    if (next === undefined) return;
    this.#take(next.accountId);
    next.begin();
  }

  /** Resolves with the turn taken. */
  #wait(accountId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(tooMany());
      }, this.#bounds.waitMs);
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
    "Too many reports are made at this moment. Try again shortly.",
    {
      retryAfterSeconds: 1,
    },
  );
}

const MAX_RETRY_SHARE = 0.2;

const MIN_RETRIES = 3;

const BACKOFF_MIN_MS = 50;

const BACKOFF_MAX_MS = 250;

/**
 * At most a fifth of the attempts in flight, but always three, may be second or third attempts of their request.
 * Source: docs/reliability.md#s2-9.
 */
export class RetryBudget {
  #retries = 0;
  #inFlight = 0;

  get retriesInFlight(): number {
    return this.#retries;
  }

  /** Counts an attempt; false when it is a retry and the budget is exhausted. */
  begin(retry: boolean): boolean {
    if (retry && this.#retries >= Math.max(MIN_RETRIES, Math.floor(MAX_RETRY_SHARE * this.#inFlight)))
      return false;
    this.#inFlight += 1;
    if (retry) this.#retries += 1;
    return true;
  }

  end(retry: boolean): void {
    this.#inFlight -= 1;
    if (retry) this.#retries -= 1;
  }
}

/** Pause before the next attempt, full jitter between 50 and 250 ms. Units: `random` in [0, 1), milliseconds out. */
export function backoffMs(random: number): number {
  return BACKOFF_MIN_MS + Math.floor(random * (BACKOFF_MAX_MS - BACKOFF_MIN_MS + 1));
}

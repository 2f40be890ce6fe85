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

const LEAST_PER_KEY = 20;
const PER_QPS = 4;
const MOST_SHARE = 0.25;

/**
 * Limits the requests in flight: of the whole process, and of each key, so that no key can take all.
 * Source: docs/reliability.md#s2-11.
 */
export class ConcurrencyLimiter {
  readonly #byKey = new Map<string, number>();
  readonly #mostPerKey: number;

  constructor(readonly capacity = 5_000) {
    this.#mostPerKey = Math.floor(capacity * MOST_SHARE);
  }

  /** Counts a request of a key in; false when the key is at its limit. Each success needs one `leave`. */
  take(keyId: string, qps: number | null): boolean {
    const taken = this.#byKey.get(keyId) ?? 0;
    const own = qps === null ? this.#mostPerKey : Math.max(LEAST_PER_KEY, PER_QPS * qps);
    if (taken >= Math.min(own, this.#mostPerKey)) return false;
    this.#byKey.set(keyId, taken + 1);
    return true;
  }

  /** Counts a request of a key out. */
  leave(keyId: string): void {
    const left = (this.#byKey.get(keyId) ?? 0) - 1;
    if (left > 0) this.#byKey.set(keyId, left);
    else this.#byKey.delete(keyId);
  }
}

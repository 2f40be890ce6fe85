import type { ConcurrencyLimiter } from "./concurrency-limiter";

/** What a call occupies, and gives back once. */
export interface Occupied {
  release(): void;
}

/** The places of one call under the limits per key and account: released at its end, or when its client disconnects. */
export class Permit {
  #keyId = "";
  readonly #taken: ConcurrencyLimiter[] = [];
  #place: Occupied | null = null;

  /** Takes a place of a key; false when there is none. */
  take(limiter: ConcurrencyLimiter, keyId: string, qps: number | null): boolean {
    if (!limiter.tryAcquire(keyId, qps)) return false;
    this.#keyId = keyId;
    this.#taken.push(limiter);
    return true;
  }

  /** Keeps a place among the calls at once until everything is given back. */
  hold(place: Occupied): void {
    this.#place = place;
  }

  /** Gives everything back; further calls do nothing. */
  release(): void {
    for (const limiter of this.#taken) limiter.release(this.#keyId);
    this.#taken.length = 0;
    this.#place?.release();
    this.#place = null;
  }
}

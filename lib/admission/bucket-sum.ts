/**
 * A sliding sum in buckets of equal width. The whole oldest bucket counts until it expires, so the sum is never too
 * small and lags by at most one bucket. Units: milliseconds. Source: docs/reliability.md#s2-8.
 */
export class BucketSum {
  readonly #sums: Float64Array;
  #newest = Number.NEGATIVE_INFINITY;
  #sum = 0;
  readonly #size: number;
  readonly #widthMs: number;

  constructor(size: number, widthMs: number) {
    this.#size = size;
    this.#widthMs = widthMs;

    this.#sums = new Float64Array(size);
  }

  get total(): number {
    return this.#sum;
  }

  /** Moves to the bucket of `now`, clears expired buckets and returns the bucket's number. */
  advance(now: number): number {
    const bucket = Math.floor(now / this.#widthMs);
    if (bucket <= this.#newest) return this.#newest;
    if (bucket - this.#newest >= this.#size) {
      if (this.#sum !== 0) this.#sums.fill(0);
      this.#sum = 0;
    } else {
      for (let next = this.#newest + 1; next <= bucket; next++) this.#clear(next);
    }
    this.#newest = bucket;
    return bucket;
  }

  /** Adds to a bucket, never below zero; false when that bucket has expired. */
  add(bucket: number, amount: number): boolean {
    if (bucket > this.#newest || this.#newest - bucket >= this.#size) return false;
    const slot = bucket % this.#size;
    const before = this.#sums[slot] ?? 0;
    const after = Math.max(0, before + amount);
    this.#sums[slot] = after;
    this.#sum += after - before;
    return true;
  }

  /** Time until at least `amount` of the sum has expired; Infinity when the sum is smaller. */
  waitMs(now: number, amount: number): number {
    let freed = 0;
    for (let bucket = this.#newest - this.#size + 1; bucket <= this.#newest; bucket++) {
      freed += this.#at(bucket);
      if (freed >= amount) return this.#endOf(bucket) - now;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Time until the sum is zero. */
  resetMs(now: number): number {
    if (this.#sum === 0) return 0;
    let bucket = this.#newest;
    while (this.#at(bucket) === 0) bucket -= 1;
    return Math.max(0, this.#endOf(bucket) - now);
  }

  /** Sum of the newest `buckets` buckets. */
  recent(buckets: number): number {
    let sum = 0;
    for (let back = 0; back < buckets; back++) sum += this.#at(this.#newest - back);
    return sum;
  }

  /** Calls `visit` for every non-empty bucket, oldest first, with the end of the bucket. */
  forEach(visit: (endMs: number, amount: number) => void): void {
    for (let bucket = this.#newest - this.#size + 1; bucket <= this.#newest; bucket++) {
      const amount = this.#at(bucket);
      if (amount > 0) visit((bucket + 1) * this.#widthMs, amount);
    }
  }

  #endOf(bucket: number): number {
    return (bucket + this.#size) * this.#widthMs;
  }

  #at(bucket: number): number {
    // A negative bucket is before the clock's zero and has no counts.
    return bucket >= 0 ? (this.#sums[bucket % this.#size] ?? 0) : 0;
  }

  #clear(bucket: number): void {
    const slot = bucket % this.#size;
    this.#sum -= this.#sums[slot] ?? 0;
    this.#sums[slot] = 0;
  }
}

/**
 * Times of admitted requests, oldest first, in a ring buffer that doubles when it is full.
 * Times must not decrease. Units: milliseconds of the caller's clock.
 */
export class SlidingLog {
  #times = new Float64Array(8);
  #head = 0;
  #count = 0;

  get size(): number {
    return this.#count;
  }

  /** The nth newest time, 1 being the newest; 0 when there are fewer. */
  newest(n: number): number {
    return n > this.#count
      ? 0
      : (this.#times[(this.#head + this.#count - n) & (this.#times.length - 1)] ?? 0);
  }

  push(time: number): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#times[(this.#head + this.#count) & (this.#times.length - 1)] = time;
    this.#count += 1;
  }

  /** Removes entries at or before `cutoff`. */
  prune(cutoff: number): void {
    const mask = this.#times.length - 1;
    while (this.#count > 0 && (this.#times[this.#head] ?? 0) <= cutoff) {
      this.#head = (this.#head + 1) & mask;
      this.#count -= 1;
    }
  }

  /** Removes one entry of exactly this time, if present. */
  remove(time: number): boolean {
    for (let n = 1; n <= this.#count; n++) {
      const found = this.newest(n);
      if (found < time) return false;
      if (found === time) {
        this.#closeGap(n);
        return true;
      }
    }
    return false;
  }

  #closeGap(n: number): void {
    const mask = this.#times.length - 1;
    for (let i = n; i > 1; i--) {
      this.#times[(this.#head + this.#count - i) & mask] = this.newest(i - 1);
    }
    this.#count -= 1;
  }

  #grow(): void {
    const larger = new Float64Array(this.#times.length * 2);
    for (let i = 0; i < this.#count; i++) larger[i] = this.newest(this.#count - i);
    this.#times = larger;
    this.#head = 0;
  }
}

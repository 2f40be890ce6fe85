import type { JsonObject } from "./shapes";

/** Numbers that depend on nothing but the seed, so that a case is the same in every run and by itself. */
export class Random {
  /** Nothing that a node or the gateway must refuse is to be made. */
  readonly tame: boolean;
  #state: number;

  constructor(seed: string) {
    let hash = 2_166_136_261;
    for (let at = 0; at < seed.length; at += 1) hash = Math.imul(hash ^ seed.charCodeAt(at), 16_777_619);
    this.#state = hash >>> 0;
    this.tame = this.chance(0.7);
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the good entries; in a case that is not tame also one of the bad ones. */
  usual<T>(good: readonly T[], bad: readonly T[]): T {
    return this.wrong(0.3) ? this.pick(bad) : this.pick(good);
  }

  /** As `chance`, for what must not be in a tame case. */
  wrong(probability: number): boolean {
    return !this.tame && this.chance(probability);
  }

  /** One of the entries, which there must be. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T; // the index is inside the list
  }

  /** What one of the makers makes. */
  make<T>(...makers: readonly (() => T)[]): T {
    return this.pick(makers)();
  }

  /** So many of what `maker` makes, both bounds included. */
  many<T>(least: number, most: number, maker: (place: number) => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, (_, place) => maker(place));
  }

  /** The fields that `maker` makes, or none. */
  maybe(probability: number, maker: () => JsonObject): JsonObject {
    return this.chance(probability) ? maker() : {};
  }

  shuffled<T>(list: readonly T[]): T[] {
    const copy = [...list];
    for (let at = copy.length - 1; at > 0; at -= 1) {
      const other = this.below(at + 1);
      [copy[at], copy[other]] = [copy[other] as T, copy[at] as T]; // both indexes are inside the list
    }
    return copy;
  }
}

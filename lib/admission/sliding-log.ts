import { LRUCache } from "lru-cache";
import { throttledAddress } from "@/lib/kernel/client-address";
import { MINUTE_MS, SECOND_MS } from "@/lib/kernel/clock";
import type { MonotonicClock } from "./limiter";

/**
 * Times of admitted requests, oldest first, in a ring buffer that doubles when it is full.
 * Times must not decrease. Units: milliseconds of the caller's clock.
 */
export class SlidingLog {
  private times = new Float64Array(8);
  private head = 0;
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** The nth newest time, 1 being the newest; 0 when there are fewer. */
  newest(n: number): number {
    return n > this.count ? 0 : (this.times[(this.head + this.count - n) & (this.times.length - 1)] ?? 0);
  }

  push(time: number): void {
    if (this.count === this.times.length) this.grow();
    this.times[(this.head + this.count) & (this.times.length - 1)] = time;
    this.count += 1;
  }

  /** Removes entries at or before `cutoff`. */
  prune(cutoff: number): void {
    const mask = this.times.length - 1;
    while (this.count > 0 && (this.times[this.head] ?? 0) <= cutoff) {
      this.head = (this.head + 1) & mask;
      this.count -= 1;
    }
  }

  /** Removes one entry of exactly this time, if present. */
  remove(time: number): boolean {
    for (let n = 1; n <= this.count; n++) {
      const found = this.newest(n);
      if (found < time) return false;
      if (found === time) {
        this.closeGap(n);
        return true;
      }
    }
    return false;
  }

  private closeGap(n: number): void {
    const mask = this.times.length - 1;
    for (let i = n; i > 1; i--) {
      this.times[(this.head + this.count - i) & mask] = this.newest(i - 1);
    }
    this.count -= 1;
  }

  private grow(): void {
    const larger = new Float64Array(this.times.length * 2);
    for (let i = 0; i < this.count; i++) larger[i] = this.newest(this.count - i);
    this.times = larger;
    this.head = 0;
  }
}

/**
 * A sliding sum in buckets of equal width. The whole oldest bucket counts until it expires, so the sum is never too
 * small and lags by at most one bucket. Units: milliseconds. Source: docs/reliability.md#s2-8.
 */
export class BucketSum {
  private readonly sums: Float64Array;
  private newest = Number.NEGATIVE_INFINITY;
  private sum = 0;

  constructor(
    private readonly size: number,
    private readonly widthMs: number,
  ) {
    this.sums = new Float64Array(size);
  }

  get total(): number {
    return this.sum;
  }

  /** Moves to the bucket of `now`, clears expired buckets and returns the bucket's number. */
  advance(now: number): number {
    const bucket = Math.floor(now / this.widthMs);
    if (bucket <= this.newest) return this.newest;
    if (bucket - this.newest >= this.size) {
      if (this.sum !== 0) this.sums.fill(0);
      this.sum = 0;
    } else {
      for (let next = this.newest + 1; next <= bucket; next++) this.clear(next);
    }
    this.newest = bucket;
    return bucket;
  }

  /** Adds to a bucket, never below zero; false when that bucket has expired. */
  add(bucket: number, amount: number): boolean {
    if (bucket > this.newest || this.newest - bucket >= this.size) return false;
    const slot = bucket % this.size;
    const before = this.sums[slot] ?? 0;
    const after = Math.max(0, before + amount);
    this.sums[slot] = after;
    this.sum += after - before;
    return true;
  }

  /** Time until at least `amount` of the sum has expired; Infinity when the sum is smaller. */
  waitMs(now: number, amount: number): number {
    let freed = 0;
    for (let bucket = this.newest - this.size + 1; bucket <= this.newest; bucket++) {
      freed += this.at(bucket);
      if (freed >= amount) return this.endOf(bucket) - now;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Time until the sum is zero. */
  resetMs(now: number): number {
    if (this.sum === 0) return 0;
    let bucket = this.newest;
    while (this.at(bucket) === 0) bucket -= 1;
    return Math.max(0, this.endOf(bucket) - now);
  }

  /** Sum of the newest `buckets` buckets. */
  recent(buckets: number): number {
    let sum = 0;
    for (let back = 0; back < buckets; back++) sum += this.at(this.newest - back);
    return sum;
  }

  /** Calls `visit` for every non-empty bucket, oldest first, with the end of the bucket. */
  forEach(visit: (endMs: number, amount: number) => void): void {
    for (let bucket = this.newest - this.size + 1; bucket <= this.newest; bucket++) {
      const amount = this.at(bucket);
      if (amount > 0) visit((bucket + 1) * this.widthMs, amount);
    }
  }

  private endOf(bucket: number): number {
    return (bucket + this.size) * this.widthMs;
  }

  private at(bucket: number): number {
    // A negative bucket is before the clock's zero and has no counts.
    return bucket >= 0 ? (this.sums[bucket % this.size] ?? 0) : 0;
  }

  private clear(bucket: number): void {
    const slot = bucket % this.size;
    this.sum -= this.sums[slot] ?? 0;
    this.sums[slot] = 0;
  }
}

/** What an idle map holds: something that knows when it was last used. Units: monotonic milliseconds. */
export interface Touched {
  readonly touchedMs: number;
}

/** Entries dropped at most per sweep, and look-ups between two sweeps. */
const SWEEP_SIZE = 32;
const SWEEP_EVERY = 16;

/**
 * A map with a bound: entries idle for `idleMs` are dropped in passing, and when all are busy the one idle longest makes
 * room. No timer.
 */
export class IdleMap<V extends Touched> {
  private readonly entries: LRUCache<string, V>;
  private calls = 0;

  constructor(
    maxEntries: number,
    private readonly idleMs: number,
    private readonly make: () => V,
  ) {
    // Unlike `max`, a size reserves no memory for entries that are not there.
    this.entries = new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
  }

  get size(): number {
    return this.entries.size;
  }

  /** The entry of a key if there is one; not a use of it. */
  find(key: string): V | undefined {
    return this.entries.peek(key);
  }

  /** The entry of a key, made when there is none. */
  get(key: string, now: number): V {
    this.calls += 1;
    if (this.calls % SWEEP_EVERY === 0) this.dropIdle(now);
    return this.obtain(key);
  }

  /** As `get`, without dropping any entry: the caller holds another one that it has not used yet. */
  obtain(key: string): V {
    const found = this.entries.get(key);
    if (found !== undefined) return found;
    const made = this.make();
    this.entries.set(key, made);
    return made;
  }

  private dropIdle(now: number): void {
    let dropped = 0;
    for (const key of this.entries.rkeys()) {
      const entry = this.entries.peek(key);
      if (dropped === SWEEP_SIZE || entry === undefined || entry.touchedMs + this.idleMs > now) return;
      this.entries.delete(key);
      dropped += 1;
    }
  }
}

/** Most subjects in memory; clients can use any number of addresses, so the map needs a bound. */
const MAX_SUBJECTS = 50_000;
const FLOOD_FACTOR = 10;
const UNAUTHENTICATED_PER_SECOND = 50;
const FREE_CALLS_PER_MINUTE = 60;

class SubjectLog implements Touched {
  readonly log = new SlidingLog();
  touchedMs = 0;
}

/** An exact rate limit ("at most n per window") per subject, bounded in memory; refused attempts are not counted. */
export class KeyedRateLimit {
  private readonly subjects: IdleMap<SubjectLog>;

  constructor(
    private readonly windowMs: number,
    private readonly now: MonotonicClock,
    maxSubjects = MAX_SUBJECTS,
  ) {
    this.subjects = new IdleMap(maxSubjects, windowMs, () => new SubjectLog());
  }

  get size(): number {
    return this.subjects.size;
  }

  /** Counts the attempt and returns 0, or returns the milliseconds until the subject may try again. */
  take(subject: string, limit: number, nowMs = this.now()): number {
    const entry = this.subjects.get(subject, nowMs);
    const now = Math.max(nowMs, entry.touchedMs);
    entry.touchedMs = now;
    entry.log.prune(now - this.windowMs);
    if (entry.log.size < limit) {
      entry.log.push(now);
      return 0;
    }
    return limit < 1 ? this.windowMs : Math.max(1, Math.ceil(entry.log.newest(limit) + this.windowMs - now));
  }
}

/**
 * Cheap local rate limits before any body is parsed, and the limits of calls that no plan limits.
 * Units: each call returns 0 or a wait in milliseconds. Source: docs/reliability.md#s2-8, docs/contract.md#s6.
 */
export class FloodGuard {
  private readonly keys: KeyedRateLimit;
  private readonly addresses: KeyedRateLimit;
  private readonly freeCalls: KeyedRateLimit;

  constructor(now: MonotonicClock = () => performance.now()) {
    this.keys = new KeyedRateLimit(SECOND_MS, now);
    this.addresses = new KeyedRateLimit(SECOND_MS, now);
    this.freeCalls = new KeyedRateLimit(MINUTE_MS, now);
  }

  /** Any request of a key: ten times its QPS; unlimited for a key without a QPS limit. */
  forKey(keyId: string, qps: number | null, nowMs?: number): number {
    return qps === null ? 0 : this.keys.take(keyId, qps * FLOOD_FACTOR, nowMs);
  }

  /** A request with an invalid credential: 50 a second per address, or IPv6 network. */
  forAddress(clientIp: string): number {
    return this.addresses.take(throttledAddress(clientIp), UNAUTHENTICATED_PER_SECOND);
  }

  /** A call that costs nothing: 60 a minute per subject, which names the key and the kind of call. */
  forFreeCall(subject: string): number {
    return this.freeCalls.take(subject, FREE_CALLS_PER_MINUTE);
  }
}

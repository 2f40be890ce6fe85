import { throttledAddress } from "@/lib/kernel/client-address";
import { MINUTE_MS, SECOND_MS } from "@/lib/kernel/durations";
import { IdleMap, type Touched } from "./idle-map";
import type { MonotonicClock } from "./limiter";
import { SlidingLog } from "./sliding-log";

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
  readonly #subjects: IdleMap<SubjectLog>;
  readonly #windowMs: number;
  readonly #now: MonotonicClock;

  constructor(windowMs: number, now: MonotonicClock, maxSubjects = MAX_SUBJECTS) {
    this.#windowMs = windowMs;
    this.#now = now;

    this.#subjects = new IdleMap(maxSubjects, windowMs, () => new SubjectLog());
  }

  get size(): number {
    return this.#subjects.size;
  }

  /** Counts the attempt and returns 0, or returns the milliseconds until the subject may try again. */
  take(subject: string, limit: number, nowMs = this.#now()): number {
    const entry = this.#subjects.get(subject, nowMs);
    const now = Math.max(nowMs, entry.touchedMs);
    entry.touchedMs = now;
    entry.log.prune(now - this.#windowMs);
    if (entry.log.size < limit) {
      entry.log.push(now);
      return 0;
    }
    return limit < 1
      ? this.#windowMs
      : Math.max(1, Math.ceil(entry.log.newest(limit) + this.#windowMs - now));
  }
}

/**
 * Cheap local rate limits before any body is parsed, and the limits of calls that no plan limits.
 * Units: each method returns 0 or a wait in milliseconds. Source: docs/reliability.md#s2-8, docs/contract.md#s6.
 */
export class FloodGuard {
  readonly #keys: KeyedRateLimit;
  readonly #addresses: KeyedRateLimit;
  readonly #freeCalls: KeyedRateLimit;

  constructor(now: MonotonicClock = () => performance.now()) {
    this.#keys = new KeyedRateLimit(SECOND_MS, now);
    this.#addresses = new KeyedRateLimit(SECOND_MS, now);
    this.#freeCalls = new KeyedRateLimit(MINUTE_MS, now);
  }

  /** Any request of a key: ten times its QPS; unlimited for a key without a QPS limit. */
  forKey(keyId: string, qps: number | null, nowMs?: number): number {
    return qps === null ? 0 : this.#keys.take(keyId, qps * FLOOD_FACTOR, nowMs);
  }

  /** A request with an invalid credential: 50 a second per address, or IPv6 network. */
  forAddress(clientIp: string): number {
    return this.#addresses.take(throttledAddress(clientIp), UNAUTHENTICATED_PER_SECOND);
  }

  /** A call that costs nothing: 60 a minute per subject, which names the key and the kind of call. */
  forFreeCall(subject: string): number {
    return this.#freeCalls.take(subject, FREE_CALLS_PER_MINUTE);
  }
}

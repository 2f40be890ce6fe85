import { IdleMap, type Touched } from "./idle-map";
import type { MonotonicClock } from "./limiter";
import { SlidingLog } from "./sliding-log";

/** Subjects kept at once: addresses are free to invent, so the map has a bound. */
const MAX_SUBJECTS = 50_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const FLOOD_FACTOR = 10;
const UNAUTHENTICATED_PER_SECOND = 50;
const COUNT_TOKENS_PER_MINUTE = 60;

class SubjectLog implements Touched {
  readonly log = new SlidingLog();
  touchedMs = 0;
}

/** Exact "at most n per window" for any subject, bounded in memory; refused tries are not counted. */
export class RateGate {
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

  /** 0 and counted, or the milliseconds until the subject may try again. */
  take(subject: string, limit: number): number {
    const now = this.now();
    const entry = this.subjects.get(subject, now);
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
 * Cheap local guards that run before any body is parsed, and the buckets of calls that no plan limits.
 * Units: each call returns 0 or a wait in milliseconds. Source: docs/reliability.md#s2-8, docs/contract.md#s6.
 */
export class FloodGuard {
  private readonly keys: RateGate;
  private readonly addresses: RateGate;
  private readonly countTokens: RateGate;

  constructor(now: MonotonicClock = () => performance.now()) {
    this.keys = new RateGate(SECOND_MS, now);
    this.addresses = new RateGate(SECOND_MS, now);
    this.countTokens = new RateGate(MINUTE_MS, now);
  }

  /** Any request of a key: ten times its QPS. Without a QPS limit there is nothing to guard. */
  forKey(keyId: string, qps: number | null): number {
    return qps === null ? 0 : this.keys.take(keyId, qps * FLOOD_FACTOR);
  }

  /** A request whose credential was not accepted: 50 a second per address. */
  forAddress(clientIp: string): number {
    return this.addresses.take(clientIp, UNAUTHENTICATED_PER_SECOND);
  }

  /** `count_tokens` and `/v1/usage`: 60 a minute per key. */
  forCountTokens(keyId: string): number {
    return this.countTokens.take(keyId, COUNT_TOKENS_PER_MINUTE);
  }
}

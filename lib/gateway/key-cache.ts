import { LRUCache } from "lru-cache";
import type { Clock } from "@/lib/kernel/clock";
import { atCapacity, GatewayError } from "@/lib/kernel/errors";
import { DeadlineError, withDeadline } from "@/lib/kernel/with-deadline";

/** The members of a key that the cache uses. */
export interface CachedKey {
  keyId: string;
  userId: string;
}

interface Entry<K extends CachedKey> {
  key: K | null;
  /** Units: milliseconds of the monotonic clock. */
  freshUntilMs: number;
}

const FRESH_MS = 5_000;
const NEGATIVE_FRESH_MS = 2_000;
const MAX_ENTRIES = 10_000;
/** Source: docs/reliability.md#s2-11 (no answer of the database: 500 in time). */
const LOOKUP_MS = 500;
const ANSWERS_WITHIN_MS = 200;
/** As long as the database may work on one statement. Source: docs/reliability.md#s2-10. */
const SLOW_LOOKUP_MS = 2_000;

/** Where the cache loads keys from. */
export interface KeySource<K extends CachedKey> {
  find(hashHex: string): Promise<K | null>;
  /** Whether the database answers at all. Never rejects. Units: milliseconds. */
  answers(withinMs: number): Promise<boolean>;
}

/**
 * Keys by their full hash, at most 5 s old (2 s for unknown ones), filled on demand. A generation number keeps
 * a slow fill from restoring an entry that was invalidated during the fill. Source: docs/reliability.md#s3-2.
 */
export class KeyCache<K extends CachedKey> {
  readonly #entries: LRUCache<string, Entry<K>>;
  readonly #pending = new Map<string, Promise<K | null>>();
  readonly #source: KeySource<K>;
  readonly #clock: Clock;
  #generation = 0;

  constructor(source: KeySource<K>, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
    // Unlike `max`, a size limit does not reserve memory for entries in advance.
    this.#entries = new LRUCache({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 });
  }

  /** The key of a hash without waiting, or undefined when it must be loaded. Units: milliseconds of the monotonic clock. */
  peek(hashHex: string, nowMs = this.#clock.nowMs()): K | null | undefined {
    const entry = this.#entries.get(hashHex);
    return entry !== undefined && nowMs <= entry.freshUntilMs ? entry.key : undefined;
  }

  /**
   * The key of a hash, null when there is none. Callers of one hash share one look-up.
   * Throws: when it takes too long, so that calls do not hang: NO_AVAILABLE_NODE when the database is overloaded,
   * INTERNAL_ERROR when it does not answer. Source: docs/contract.md#b5.
   */
  async get(hashHex: string): Promise<K | null> {
    const loading = this.#pending.get(hashHex) ?? this.#load(hashHex);
    try {
      return await withDeadline(loading, LOOKUP_MS);
    } catch (cause) {
      if (!(cause instanceof DeadlineError)) throw cause;
      if (await this.#source.answers(ANSWERS_WITHIN_MS)) return this.#waitOn(loading);
      throw new GatewayError("INTERNAL_ERROR", "The key could not be looked up in time. Try again.", {
        refusal: "database-away",
        cause,
      });
    }
  }

  /**
   * Waits longer for a slow look-up while the database answers pings: few look-ups run then, because the pool refuses
   * others.
   */
  async #waitOn(loading: Promise<K | null>): Promise<K | null> {
    try {
      return await withDeadline(loading, SLOW_LOOKUP_MS);
    } catch (cause) {
      throw cause instanceof DeadlineError ? atCapacity("key-lookup", cause) : cause;
    }
  }

  #load(hashHex: string): Promise<K | null> {
    const loading = this.#fill(hashHex).finally(() => this.#pending.delete(hashHex));
    this.#pending.set(hashHex, loading);
    return loading;
  }

  /** Forgets one key at once. */
  invalidateKey(keyId: string): void {
    this.#forget((key) => key.keyId === keyId);
  }

  /** Forgets every key of an account at once. */
  invalidateUser(userId: string): void {
    this.#forget((key) => key.userId === userId);
  }

  /** Forgets everything, unknown hashes too. */
  clear(): void {
    this.#generation += 1;
    this.#entries.clear();
  }

  #forget(matches: (key: K) => boolean): void {
    this.#generation += 1;
    for (const [hash, entry] of [...this.#entries]) {
      if (entry.key === null || matches(entry.key)) this.#entries.delete(hash);
    }
  }

  async #fill(hashHex: string): Promise<K | null> {
    const generation = this.#generation;
    const key = await this.#source.find(hashHex);
    const freshUntilMs = this.#clock.nowMs() + (key === null ? NEGATIVE_FRESH_MS : FRESH_MS);
    if (generation === this.#generation) this.#entries.set(hashHex, { key, freshUntilMs });
    return key;
  }
}

import { LRUCache } from "lru-cache";
import type { Clock } from "@/lib/kernel/clock";
import { atCapacity, GatewayError } from "@/lib/kernel/errors";
import { DeadlineError, withDeadline } from "@/lib/kernel/with-deadline";
import { type FindKeys, KeyLookups } from "./key-lookups";
import { type CachedKey, KeyStore, type StoredKey } from "./key-store";

/** Whatever happens to the announcements of changes. */
const FRESH_MS = 5_000;
/** While every change is announced. */
const ANNOUNCED_FRESH_MS = 60_000;
/** So long ago the announcements may have been confirmed last. */
const CONFIRMED_WITHIN_MS = 3_000;
/** How long a key that is not volatile is taken to stay so. */
const STEADY_MS = 1_000;
const NEGATIVE_FRESH_MS = 2_000;
const MAX_NEGATIVE = 10_000;
/** A key that changes again and again is not kept; its callers get what was found last. */
const MOST_LOOKUPS = 3;
/** Source: docs/reliability.md#s2-11 (no answer of the database: 500 in time). */
const LOOKUP_MS = 500;
const ANSWERS_WITHIN_MS = 200;
/** As long as the database may work on one statement. Source: docs/reliability.md#s2-10. */
const SLOW_LOOKUP_MS = 2_000;

/** Where the cache loads keys from. */
export interface KeySource<K extends CachedKey> {
  find: FindKeys<K>;
  /** Until when every announced change was heard. Units: milliseconds of the monotonic clock. */
  heardUntilMs(): number;
  /** Whether something of the key that is not announced may matter soon: then it is read every few seconds. */
  isVolatile(key: K): boolean;
  /** Whether the database answers at all. Never rejects. Units: milliseconds. */
  answers(withinMs: number): Promise<boolean>;
}

/**
 * Keys by their full hash, filled on demand: at most 60 s old while changes are announced, else 5 s, and unknown ones
 * 2 s. A key that was changed while it was looked up is looked up again. Source: docs/reliability.md#s3-2.
 */
export class KeyCache<K extends CachedKey> {
  readonly #known = new KeyStore<K>();
  /** When it is to be asked for an unknown hash again. Units: milliseconds of the monotonic clock. */
  readonly #unknown: LRUCache<string, number>;
  readonly #pending = new Map<string, Promise<K | null>>();
  readonly #lookUps: KeyLookups<K>;
  readonly #source: KeySource<K>;
  readonly #clock: Clock;

  constructor(source: KeySource<K>, clock: Clock) {
    this.#source = source;
    this.#lookUps = new KeyLookups(source.find);
    this.#clock = clock;
    // Unlike `max`, a size limit does not reserve memory for entries in advance.
    this.#unknown = new LRUCache({ maxSize: MAX_NEGATIVE, sizeCalculation: () => 1 });
  }

  /** The key of a hash without waiting, or undefined when it must be loaded. Units: milliseconds of the monotonic clock. */
  peek(hashHex: string, nowMs = this.#clock.nowMs()): K | null | undefined {
    const known = this.#known.get(hashHex);
    if (known !== undefined && this.#isFresh(known, nowMs)) return known.key;
    const unknownUntilMs = this.#unknown.get(hashHex);
    return unknownUntilMs !== undefined && nowMs <= unknownUntilMs ? null : undefined;
  }

  #isFresh(entry: StoredKey<K>, nowMs: number): boolean {
    const ageMs = nowMs - entry.readAtMs;
    if (ageMs <= FRESH_MS) return true;
    if (ageMs > ANNOUNCED_FRESH_MS) return false;
    if (nowMs - this.#source.heardUntilMs() > CONFIRMED_WITHIN_MS) return false;
    if (nowMs <= entry.steadyUntilMs) return true;
    if (this.#source.isVolatile(entry.key)) return false;
    entry.steadyUntilMs = nowMs + STEADY_MS;
    return true;
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
    this.#known.forgetKey(keyId);
    this.#announced(keyId);
  }

  /** Forgets every key of an account at once. */
  invalidateUser(userId: string): void {
    this.#known.forgetUser(userId);
    this.#announced(userId);
  }

  /** Forgets everything, unknown hashes too. */
  clear(): void {
    this.#known.clear();
    this.#announced(null);
  }

  #announced(id: string | null): void {
    this.#unknown.clear();
    this.#lookUps.announce(id);
  }

  async #fill(hashHex: string): Promise<K | null> {
    let found = await this.#lookUps.find(hashHex);
    for (let lookUps = 1; !found.isCurrent && lookUps < MOST_LOOKUPS; lookUps += 1)
      found = await this.#lookUps.find(hashHex);
    const { key, isCurrent } = found;
    if (!isCurrent) return key;
    const nowMs = this.#clock.nowMs();
    if (key === null) this.#unknown.set(hashHex, nowMs + NEGATIVE_FRESH_MS);
    else this.#known.set(hashHex, { key, readAtMs: nowMs, steadyUntilMs: nowMs });
    return key;
  }
}

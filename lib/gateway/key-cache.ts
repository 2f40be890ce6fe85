import type { Clock } from "@/lib/clock";
import { DeadlineError, withDeadline } from "@/lib/deadline";
import { GatewayError } from "@/lib/errors";

/** What the cache asks of a record. */
export interface CachedKey {
  keyId: string;
  userId: string;
}

interface Entry<K extends CachedKey> {
  key: K | null;
  fetchedAtMs: number;
}

const FRESH_MS = 5_000;
const NEGATIVE_FRESH_MS = 2_000;
const MAX_ENTRIES = 10_000;
/** Source: reliability 2.11 (no answer of the database: 500 in time). */
const LOOKUP_MS = 500;

/**
 * Keys by their full hash, at most 5 s old (2 s for unknown ones), filled on demand. A generation number keeps
 * a slow fill from bringing back what was invalidated meanwhile. Source: reliability 3.2.
 */
export class KeyCache<K extends CachedKey> {
  readonly #entries = new Map<string, Entry<K>>();
  readonly #pending = new Map<string, Promise<K | null>>();
  readonly #find: (hashHex: string) => Promise<K | null>;
  readonly #clock: Clock;
  #generation = 0;

  constructor(find: (hashHex: string) => Promise<K | null>, clock: Clock) {
    this.#find = find;
    this.#clock = clock;
  }

  /** The key of a hash without waiting, or undefined when it must be loaded. */
  peek(hashHex: string): K | null | undefined {
    const entry = this.#entries.get(hashHex);
    if (entry === undefined) return undefined;
    const age = this.#clock.nowMs() - entry.fetchedAtMs;
    return age <= (entry.key === null ? NEGATIVE_FRESH_MS : FRESH_MS) ? entry.key : undefined;
  }

  /**
   * The key of a hash, null when there is none. Callers of one hash share one look-up.
   * Throws: INTERNAL_ERROR when the database does not answer in time; a call must not hang with it.
   */
  get(hashHex: string): Promise<K | null> {
    return inTime(this.#pending.get(hashHex) ?? this.#load(hashHex));
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
    for (const [hash, entry] of this.#entries) {
      if (entry.key === null || matches(entry.key)) this.#entries.delete(hash);
    }
  }

  async #fill(hashHex: string): Promise<K | null> {
    const generation = this.#generation;
    const key = await this.#find(hashHex);
    if (generation === this.#generation) this.#keep(hashHex, key);
    return key;
  }

  #keep(hashHex: string, key: K | null): void {
    this.#entries.delete(hashHex);
    this.#entries.set(hashHex, { key, fetchedAtMs: this.#clock.nowMs() });
    if (this.#entries.size <= MAX_ENTRIES) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  try {
    return await withDeadline(work, LOOKUP_MS);
  } catch (cause) {
    if (!(cause instanceof DeadlineError)) throw cause;
    throw new GatewayError("INTERNAL_ERROR", "The key could not be looked up in time. Try again.", { cause });
  }
}

import { LRUCache } from "lru-cache";

/** The members of a key that the cache of keys uses. */
export interface CachedKey {
  keyId: string;
  userId: string;
  name: string;
  /** Null: every alias. */
  models: readonly string[] | null;
  /** The rules that it meets; each is kept with the key. */
  budgets?: readonly unknown[];
}

/** A key as it was when it was looked up. Units: milliseconds of the monotonic clock. */
export interface StoredKey<K extends CachedKey> {
  readonly key: K;
  readonly readAtMs: number;
  /** Until when the key is taken not to be volatile. Units: as `readAtMs`. */
  steadyUntilMs: number;
}

/** Room for 128,000 keys that are not limited to some models and meet no rules. */
const MAX_BYTES = 128 * 1024 * 1024;

/** A key with its hash, its indexes and its balances, without its texts. */
const BYTES_PER_KEY = 1_000;
const BYTES_PER_CHARACTER = 2;

/** A rule of a key, with its ids, its name and some aliases. */
const BYTES_PER_BUDGET = 800;

/** Keys in memory by hash, bounded by bytes: the one that was used longest ago goes first. */
export class KeyStore<K extends CachedKey> {
  // Unlike `max`, a size limit does not reserve memory for entries in advance.
  readonly #entries = new LRUCache<string, StoredKey<K>>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ key }) => bytesOf(key),
    dispose: ({ key }, hash) => this.#unlist(key, hash),
  });
  readonly #hashOfKey = new Map<string, string>();
  readonly #hashesOfUser = new Map<string, Set<string>>();

  /** The key of a hash. */
  get(hash: string): StoredKey<K> | undefined {
    return this.#entries.get(hash);
  }

  /** Keeps a key until others need the room. */
  set(hash: string, entry: StoredKey<K>): void {
    const { key } = entry;
    this.#entries.set(hash, entry);
    this.#hashOfKey.set(key.keyId, hash);
    const ofUser = this.#hashesOfUser.get(key.userId);
    if (ofUser === undefined) this.#hashesOfUser.set(key.userId, new Set([hash]));
    else ofUser.add(hash);
  }

  /** Forgets one key. */
  forgetKey(keyId: string): void {
    const hash = this.#hashOfKey.get(keyId);
    if (hash !== undefined) this.#entries.delete(hash);
  }

  /** Forgets every key of an account. */
  forgetUser(userId: string): void {
    for (const hash of [...(this.#hashesOfUser.get(userId) ?? [])]) this.#entries.delete(hash);
  }

  /** Forgets every key. */
  clear(): void {
    this.#entries.clear();
  }

  #unlist({ keyId, userId }: K, hash: string): void {
    if (this.#hashOfKey.get(keyId) === hash) this.#hashOfKey.delete(keyId);
    const ofUser = this.#hashesOfUser.get(userId);
    ofUser?.delete(hash);
    if (ofUser?.size === 0) this.#hashesOfUser.delete(userId);
  }
}

function bytesOf({ name, models, budgets = [] }: CachedKey): number {
  let characters = name.length;
  for (const model of models ?? []) characters += model.length;
  return BYTES_PER_KEY + characters * BYTES_PER_CHARACTER + budgets.length * BYTES_PER_BUDGET;
}

import { type BatchItem, BatchQueue } from "@/lib/db/batch-queue";
import type { CachedKey } from "./key-store";

/** Finds the keys of some hashes; those that do not exist are left out. */
export type FindKeys<K> = (hashes: readonly string[]) => Promise<ReadonlyMap<string, K>>;

/** What a look-up has found. */
export interface FoundKey<K> {
  key: K | null;
  /** False: a change was announced meanwhile, and this may be from before it. */
  isCurrent: boolean;
}

interface LookUp<K> extends BatchItem<FoundKey<K>> {
  readonly hash: string;
}

/** Two statements at a time: others of the pool's connections stay free for account routes. */
const LANES = 2;

/** Look-ups of keys: those that wait go together in one statement, as holds do. Source: docs/reliability.md#s3-2. */
export class KeyLookups<K extends CachedKey> {
  readonly #queue: BatchQueue<LookUp<K>, FoundKey<K>>;
  /** What was announced while each statement runs. */
  readonly #running = new Set<Announced>();

  constructor(find: FindKeys<K>) {
    this.#queue = new BatchQueue({
      execute: (lookUps) => this.#execute(find, lookUps),
      // No hash makes a statement fail that succeeds without it.
      isItemError: () => false,
      lanes: LANES,
      overlaps: false,
    });
  }

  /** Looks up one hash. Throws: the database's error. */
  find(hash: string): Promise<FoundKey<K>> {
    return new Promise((resolve, reject) => {
      this.#queue.submit({ partition: hash, urgent: false, hash, completed: resolve, failed: reject });
    });
  }

  /** A key or an account has changed; null: anything may have. */
  announce(id: string | null): void {
    for (const announced of this.#running) announced.add(id);
  }

  async #execute(find: FindKeys<K>, lookUps: readonly LookUp<K>[]): Promise<FoundKey<K>[]> {
    const announced = new Announced();
    this.#running.add(announced);
    try {
      const found = await find(lookUps.map(({ hash }) => hash));
      return lookUps.map(({ hash }) => {
        const key = found.get(hash) ?? null;
        return { key, isCurrent: !announced.concerns(key) };
      });
    } finally {
      this.#running.delete(announced);
    }
  }
}

/** The changes that were announced during one statement. */
class Announced {
  readonly #ids = new Set<string | null>();

  add(id: string | null): void {
    this.#ids.add(id);
  }

  /** A key that does not exist may have been made by any of the changes. */
  concerns(key: CachedKey | null): boolean {
    if (this.#ids.size === 0) return false;
    return key === null || [null, key.keyId, key.userId].some((id) => this.#ids.has(id));
  }
}

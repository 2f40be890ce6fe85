import { LRUCache } from "lru-cache";

/** An entry of an idle map, with the time of its last use. Units: monotonic milliseconds. */
export interface Touched {
  readonly touchedMs: number;
}

/** Entries dropped at most per sweep, and look-ups between two sweeps. */
const SWEEP_SIZE = 32;

const SWEEP_EVERY = 16;

/**
 * A bounded map without a timer: look-ups delete entries that have been idle for `idleMs`, and when the map is full,
 * the entry that has been idle longest is deleted.
 */
export class IdleMap<V extends Touched> {
  readonly #entries: LRUCache<string, V>;
  #calls = 0;
  readonly #idleMs: number;
  readonly #make: () => V;

  constructor(maxEntries: number, idleMs: number, make: () => V) {
    this.#idleMs = idleMs;
    this.#make = make;

    // Unlike `max`, a size limit does not reserve memory for entries in advance.
    this.#entries = new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The entry of a key if there is one; does not count as a use. */
  find(key: string): V | undefined {
    return this.#entries.peek(key);
  }

  /** The entry of a key, made when there is none. */
  get(key: string, now: number): V {
    this.#calls += 1;
    if (this.#calls % SWEEP_EVERY === 0) this.#dropIdle(now);
    return this.obtain(key);
  }

  /** As `get`, but deletes no idle entry: the caller has another entry that it has not used yet. */
  obtain(key: string): V {
    const found = this.#entries.get(key);
    if (found !== undefined) return found;
    const made = this.#make();
    this.#entries.set(key, made);
    return made;
  }

  #dropIdle(now: number): void {
    let dropped = 0;
    for (const key of this.#entries.rkeys()) {
      const entry = this.#entries.peek(key);
      if (dropped === SWEEP_SIZE || entry === undefined || entry.touchedMs + this.#idleMs > now) return;
      this.#entries.delete(key);
      dropped += 1;
    }
  }
}

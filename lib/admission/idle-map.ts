/** What an idle map holds: something that knows when it was last used. Units: monotonic milliseconds. */
export interface Touched {
  readonly touchedMs: number;
}

/** Entries looked at per sweep, and admissions between two sweeps. */
const SWEEP_SIZE = 32;
const SWEEP_EVERY = 16;

/**
 * A map with a bound: entries idle for `idleMs` are dropped in passing, and when all are busy the one idle longest
 * among a few makes room. No timer.
 */
export class IdleMap<V extends Touched> {
  private readonly entries = new Map<string, V>();
  private sweep: IterableIterator<[string, V]> = this.entries.entries();
  private calls = 0;

  constructor(
    private readonly maxEntries: number,
    private readonly idleMs: number,
    private readonly make: () => V,
  ) {}

  get size(): number {
    return this.entries.size;
  }

  /** The entry of a key if there is one. */
  find(key: string): V | undefined {
    return this.entries.get(key);
  }

  /** The entry of a key, made when there is none. */
  get(key: string, now: number): V {
    this.calls += 1;
    if (this.calls % SWEEP_EVERY === 0) this.evictIdle(now);
    const found = this.entries.get(key);
    if (found !== undefined) return found;
    if (this.entries.size >= this.maxEntries) this.makeRoom();
    const made = this.make();
    this.entries.set(key, made);
    return made;
  }

  private evictIdle(now: number): void {
    for (let i = 0; i < SWEEP_SIZE; i++) {
      const next = this.sweep.next();
      if (next.done) {
        this.sweep = this.entries.entries();
        return;
      }
      const [key, value] = next.value;
      if (value.touchedMs + this.idleMs <= now) this.entries.delete(key);
    }
  }

  private makeRoom(): void {
    let oldest: string | null = null;
    let oldestMs = Number.POSITIVE_INFINITY;
    let seen = 0;
    for (const [key, value] of this.entries) {
      if (value.touchedMs < oldestMs) [oldest, oldestMs] = [key, value.touchedMs];
      seen += 1;
      if (seen === SWEEP_SIZE) break;
    }
    if (oldest !== null) this.entries.delete(oldest);
  }
}

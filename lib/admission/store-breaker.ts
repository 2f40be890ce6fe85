const FAILURES = 3;

const PROBE_INTERVAL_MS = 1_000;

const ENFORCE_BOTH_MS = 60_000;

/**
 * The circuit breaker of the shared store: opens after three failures in a row and is probed once a second. After a
 * recovery the store may have lost its state, so store and local share are both enforced for a minute.
 * Units: milliseconds.
 * Source: docs/reliability.md#s2-8.
 */
export class StoreBreaker {
  #failures = 0;
  #open = false;
  #nextProbeAt = 0;
  #bothUntil = Number.NEGATIVE_INFINITY;

  get isOpen(): boolean {
    return this.#open;
  }

  /** True once a second while open. */
  takeProbe(now: number): boolean {
    if (!this.#open || now < this.#nextProbeAt) return false;
    this.#nextProbeAt = now + PROBE_INTERVAL_MS;
    return true;
  }

  /** True while the local share is enforced in addition to the store. */
  enforcesBoth(now: number): boolean {
    return now < this.#bothUntil;
  }

  /** Returns true when this closed an open breaker. */
  succeeded(now: number): boolean {
    this.#failures = 0;
    if (!this.#open) return false;
    this.#open = false;
    this.storeMayHaveLostState(now);
    return true;
  }

  /** Returns true when this opened the breaker. */
  failed(now: number): boolean {
    this.#failures += 1;
    if (this.#open || this.#failures < FAILURES) return false;
    this.#open = true;
    this.#nextProbeAt = now + PROBE_INTERVAL_MS;
    return true;
  }

  /** Enforces both for a minute; called after a reconnect. */
  storeMayHaveLostState(now: number): void {
    this.#bothUntil = now + ENFORCE_BOTH_MS;
  }
}

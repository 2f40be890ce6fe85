/**
 * Spreads a burst of work over several ticks of the event loop in order of arrival, so that other work runs between
 * two ticks. Source: docs/reliability.md#r-43, #r-150.
 */
export class TickLimiter {
  readonly #waiting: (() => void)[] = [];
  #scheduled = false;

  /** `perTick`: how many callers continue in each tick. */
  constructor(readonly perTick: number) {}

  /** Resolves in a later tick of the event loop. */
  pass(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      for (const resolve of this.#waiting.splice(0, this.perTick)) resolve();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}

/**
 * Lets a crowd through a few at a time, in its order. Whoever comes meanwhile, a call or a frame of a stream, waits for
 * one turn of the event loop and not for the whole crowd. Source: reliability 4.3 (43), 4.10 (150).
 */
export class Rush {
  readonly #waiting: (() => void)[] = [];
  #scheduled = false;

  /** So many are let through in each turn. */
  constructor(readonly atOnce: number) {}

  /** Resolves in a later turn of the event loop. */
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
      for (const resolve of this.#waiting.splice(0, this.atOnce)) resolve();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}

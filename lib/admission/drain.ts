/** Counts requests in flight and knows whether the process is going down. Source: docs/reliability.md#s2-11. */
export class Drain {
  #draining = false;
  #inFlight = 0;
  #idle: (() => void)[] = [];
  readonly #open = new Set<() => void>();
  #isCut = false;

  /** True once SIGTERM has come. */
  get draining(): boolean {
    return this.#draining;
  }

  /** Requests that have begun and not ended. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** A request begins. */
  enter(): void {
    this.#inFlight += 1;
  }

  /** A request has ended, on whatever path. */
  leave(): void {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) for (const wake of this.#idle.splice(0)) wake();
  }

  /** From now on readiness is false. */
  begin(): void {
    this.#draining = true;
  }

  /** True once the deadline has passed: what still runs ends with an error and is not billed. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Registers what ends one open answer, at once when it is too late already; the result takes it back. */
  onCut(end: () => void): () => void {
    if (this.#isCut) end();
    this.#open.add(end);
    return () => this.#open.delete(end);
  }

  /** The deadline has passed. */
  cut(): void {
    this.#isCut = true;
    for (const end of this.#open) end();
  }

  /** Resolves true when nothing is in flight, false at the deadline. Units: milliseconds. */
  idle(deadlineMs: number): Promise<boolean> {
    if (this.#inFlight === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), deadlineMs);
      this.#idle.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }
}

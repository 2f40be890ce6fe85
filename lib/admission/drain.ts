import { type Linked, LinkedSet } from "@/lib/kernel/linked-set";

/** Something that is open as long as its response. */
export interface Abortable extends Linked<Abortable> {
  /** Ends it; called at the deadline of a shutdown. */
  abort(): void;
}

/** Counts requests in flight and holds the state of the graceful shutdown. Source: docs/reliability.md#s2-11. */
export class Drain {
  #draining = false;
  #inFlight = 0;
  #idle: (() => void)[] = [];
  readonly #open = new LinkedSet<Abortable>();
  #aborted = false;
  readonly #onBegin: (() => void)[] = [];

  /** True once the shutdown has begun. */
  get draining(): boolean {
    return this.#draining;
  }

  /** Requests in flight. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Counts a request that begins. */
  requestStarted(): void {
    this.#inFlight += 1;
  }

  /** Counts a request that has ended; call it on every path. */
  requestEnded(): void {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) for (const wake of this.#idle.splice(0)) wake();
  }

  /** Begins the shutdown; readiness is false from now on. */
  begin(): void {
    this.#draining = true;
    for (const begun of this.#onBegin.splice(0)) begun();
  }

  /** Calls back when the shutdown begins. */
  onBegin(begun: () => void): void {
    this.#onBegin.push(begun);
  }

  /** True once the deadline has passed: open responses end with an error and are not billed. */
  get aborted(): boolean {
    return this.#aborted;
  }

  /** Registers a response until `close`; the deadline aborts it, at once when the deadline has already passed. */
  open(abortable: Abortable): void {
    if (this.#aborted) abortable.abort();
    this.#open.add(abortable);
  }

  /** Removes what `open` registered. */
  close(abortable: Abortable): void {
    this.#open.delete(abortable);
  }

  /** Ends all open responses; called at the deadline. */
  abort(): void {
    this.#aborted = true;
    this.#open.forEach((abortable) => {
      abortable.abort();
    });
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

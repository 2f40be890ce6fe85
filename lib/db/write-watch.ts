/** How a process finds out that its database takes writes again, and what it does then. */
export interface WriteWatchOptions {
  /** Whether a new connection reaches a server that takes writes. Rejects when none answers. */
  takesWrites(): Promise<boolean>;
  /** Replaces every connection. */
  renew(): void;
  /** Called when the database stops taking writes, and when it takes them again. */
  onChange(takesWrites: boolean): void;
}

/** Units: milliseconds. */
const INTERVAL_MS = 500;

/**
 * After a failover the old server may still answer on open connections, and take no writes. From the first such report
 * on, the watch opens new connections to the address until it reaches a server that takes writes; then it replaces
 * every connection once, so that none stays on the old server.
 * Source: docs/reliability.md#s2-12.
 */
export class WriteWatch {
  readonly #options: WriteWatchOptions;
  #watching = false;
  #closed = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: WriteWatchOptions) {
    this.#options = options;
  }

  /** Begins to watch, unless it does already; called when a server reports that it takes no writes. */
  report(): void {
    if (this.#watching || this.#closed) return;
    this.#watching = true;
    this.#options.onChange(false);
    this.#schedule();
  }

  /** Ends the watch. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #schedule(): void {
    this.#timer = setTimeout(() => void this.#look(), INTERVAL_MS);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const takesWrites = await this.#options.takesWrites().catch(() => false);
    if (this.#closed) return;
    if (!takesWrites) return this.#schedule();
    this.#watching = false;
    this.#options.renew();
    this.#options.onChange(true);
  }
}

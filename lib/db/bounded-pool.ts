import { PoolError } from "./pool-errors";

/** What a pool of connections is made of, so that one that answers nothing can be replaced whole. */
export interface PoolParts<C> {
  /** Opens a client that keeps `size` connections. */
  open(): C;
  size: number;
  /** Asks the database for nothing but an answer, on a connection of its own. Rejects when none comes in time. */
  ping(): Promise<void>;
  /** Ends a client whose connections answer nothing. */
  discard(client: C): void;
}

/** Source: docs/reliability.md#s2-10. */
const WAIT_MS = 500;
/** Work that takes longer makes the pool ask whether the database answers at all. */
const QUIET_MS = 300;
const RETRY_MS = 250;

/** One set of connections, and the work on them. */
interface Generation<C> {
  client: C;
  /** Connections that are taken. */
  taken: number;
  running: Set<(error: PoolError) => void>;
  waiting: Waiting[];
}

interface Waiting {
  take(): void;
  fail(error: PoolError): void;
}

/**
 * Bounds the waiting for a database: half a second for a free connection, and for a database that has stopped answering
 * until a ping on a connection of its own has failed as well, which tells it from a slow statement. Then all work under
 * way is rejected, its connections are replaced, and new work is refused at once until a ping comes back.
 * Source: docs/reliability.md#s2-10, #s2-11 (no answer: 500 in little more than a second).
 */
export class BoundedPool<C> {
  readonly #parts: PoolParts<C>;
  #now: Generation<C>;
  #silent = false;
  #closed = false;
  #watch: NodeJS.Timeout | null = null;

  constructor(parts: PoolParts<C>) {
    this.#parts = parts;
    this.#now = fresh(parts);
  }

  /** The present client, for its settings. */
  get client(): C {
    return this.#now.client;
  }

  /** Runs work on one connection. Throws: PoolError; what the work throws. */
  async run<T>(work: (client: C) => Promise<T>): Promise<T> {
    if (this.#silent) throw new PoolError("silent");
    const generation = this.#now;
    if (generation.taken < this.#parts.size) generation.taken += 1;
    else await this.#wait(generation);
    return this.#perform(generation, work);
  }

  /** Ends the watching; the client is the caller's to end. */
  close(): C {
    this.#closed = true;
    if (this.#watch !== null) clearTimeout(this.#watch);
    return this.#now.client;
  }

  #perform<T>(generation: Generation<C>, work: (client: C) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      generation.running.add(reject);
      this.#watchSoon();
      work(generation.client)
        .then(resolve, reject)
        .finally(() => {
          generation.running.delete(reject);
          const next = generation.waiting.shift();
          if (next) next.take();
          else generation.taken -= 1;
        });
    });
  }

  /** Resolves with a connection taken: whoever gives one back hands it over. Throws: PoolError. */
  #wait(generation: Generation<C>): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const at = generation.waiting.indexOf(waiting);
        if (at !== -1) generation.waiting.splice(at, 1);
        reject(new PoolError("busy"));
      }, WAIT_MS);
      const waiting: Waiting = {
        take() {
          clearTimeout(timer);
          resolve();
        },
        fail(error) {
          clearTimeout(timer);
          reject(error);
        },
      };
      generation.waiting.push(waiting);
    });
  }

  #watchSoon(): void {
    if (this.#watch !== null || this.#closed) return;
    this.#watch = setTimeout(() => void this.#ask(), QUIET_MS);
    this.#watch.unref();
  }

  /** Asks only while work is under way that was there a moment ago. */
  async #ask(): Promise<void> {
    const generation = this.#now;
    if (generation.running.size > 0) {
      const answers = await this.#answers();
      if (!answers && !this.#closed) return this.#replace(generation);
    }
    this.#watch = null;
    if (generation.running.size > 0) this.#watchSoon();
  }

  async #answers(): Promise<boolean> {
    return this.#parts.ping().then(
      () => true,
      () => false,
    );
  }

  #replace(generation: Generation<C>): void {
    this.#silent = true;
    this.#now = fresh(this.#parts);
    const error = new PoolError("silent");
    for (const { fail } of generation.waiting.splice(0)) fail(error);
    for (const reject of generation.running) reject(error);
    this.#parts.discard(generation.client);
    this.#askAgain();
  }

  #askAgain(): void {
    this.#watch = setTimeout(async () => {
      const answers = await this.#answers();
      if (this.#closed) return;
      if (!answers) return this.#askAgain();
      this.#silent = false;
      this.#watch = null;
    }, RETRY_MS);
    this.#watch.unref();
  }
}

function fresh<C>(parts: PoolParts<C>): Generation<C> {
  return { client: parts.open(), taken: 0, running: new Set(), waiting: [] };
}

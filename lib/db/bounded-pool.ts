import { PoolError } from "./database-error";

/** How a pool opens, probes and discards its connections, so that it can replace those that do not respond. */
export interface PoolOptions<C> {
  /** Opens one connection. */
  open(): C;
  size: number;
  /** Probes the database on a separate connection. Rejects when no answer arrives in time. */
  ping(): Promise<void>;
  /** Ends a connection that does not respond, or on which nothing runs any more. */
  discard(connection: C): void;
}

/** Source: docs/reliability.md#s2-10. */
const ACQUIRE_TIMEOUT_MS = 500;
/** Work that takes longer makes the pool probe the database. */
const PROBE_AFTER_MS = 300;
const REPROBE_MS = 250;
/** Longer than any statement. */
const RETIRE_MS = 2_500;

/** Connections that were opened since they were last replaced, and the work on them. */
interface Generation<C> {
  readonly connections: C[];
  /** Those without work; the last one used is the next one. */
  readonly idle: C[];
  /** Connections in use. */
  inUse: number;
  running: Set<(error: PoolError) => void>;
  waiting: Waiting<C>[];
}

interface Waiting<C> {
  start(generation: Generation<C>): void;
  fail(error: PoolError): void;
}

/**
 * A connection pool with bounded waits: work waits at most half a second for a free connection. When statements take
 * long, the pool pings the database on a separate connection, which distinguishes a slow statement from an unresponsive
 * database. When the ping fails, the pool rejects all running work, replaces its connections and refuses new work until
 * a ping succeeds.
 * Source: docs/reliability.md#s2-10, #s2-11 (no answer: 500 in little more than a second).
 */
export class BoundedPool<C> {
  readonly #options: PoolOptions<C>;
  #current: Generation<C>;
  /** Replaced generations on which work still runs, with the timers that end them. */
  readonly #retired = new Map<Generation<C>, NodeJS.Timeout>();
  #unresponsive = false;
  #closed = false;
  #probeTimer: NodeJS.Timeout | null = null;

  constructor(options: PoolOptions<C>) {
    this.#options = options;
    this.#current = newGeneration();
  }

  /** Runs work on one connection, which nothing else uses meanwhile. Throws: PoolError; what the work throws. */
  async run<T>(work: (connection: C) => Promise<T>): Promise<T> {
    if (this.#unresponsive) throw new PoolError("unresponsive");
    const generation = this.#current;
    if (generation.inUse >= this.#options.size) return this.#execute(await this.#wait(), work);
    generation.inUse += 1;
    return this.#execute(generation, work);
  }

  /**
   * Replaces the connections without refusing work: new and waiting work gets new connections; running work may finish
   * on the old ones, which are then ended.
   */
  renew(): void {
    if (this.#unresponsive || this.#closed) return;
    const old = this.#current;
    const current: Generation<C> = newGeneration();
    this.#current = current;
    for (const waiting of old.waiting.splice(0)) {
      if (current.inUse >= this.#options.size) current.waiting.push(waiting);
      else {
        current.inUse += 1;
        waiting.start(current);
      }
    }
    const timer = setTimeout(() => this.#discardRetired(old), RETIRE_MS);
    timer.unref();
    this.#retired.set(old, timer);
    if (old.running.size === 0) this.#discardRetired(old);
  }

  /** Stops probing and returns the connections, which the caller must end. */
  close(): readonly C[] {
    this.#closed = true;
    if (this.#probeTimer !== null) clearTimeout(this.#probeTimer);
    for (const old of [...this.#retired.keys()]) this.#discardRetired(old);
    return this.#current.connections;
  }

  #execute<T>(generation: Generation<C>, work: (connection: C) => Promise<T>): Promise<T> {
    const connection = generation.idle.pop() ?? this.#open(generation);
    return new Promise<T>((resolve, reject) => {
      generation.running.add(reject);
      this.#scheduleProbe();
      work(connection)
        .then(resolve, reject)
        .finally(() => {
          generation.running.delete(reject);
          generation.idle.push(connection);
          const next = generation.waiting.shift();
          if (next) next.start(generation);
          else generation.inUse -= 1;
          if (generation.running.size === 0 && this.#retired.has(generation))
            this.#discardRetired(generation);
        });
    });
  }

  #open(generation: Generation<C>): C {
    const connection = this.#options.open();
    generation.connections.push(connection);
    return connection;
  }

  #discardRetired(generation: Generation<C>): void {
    clearTimeout(this.#retired.get(generation));
    this.#retired.delete(generation);
    for (const connection of generation.connections) this.#options.discard(connection);
  }

  /** Resolves with the generation of a connection that another caller has released. Throws: PoolError. */
  #wait(): Promise<Generation<C>> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const queue = this.#current.waiting;
        const at = queue.indexOf(waiting);
        if (at !== -1) queue.splice(at, 1);
        reject(new PoolError("busy"));
      }, ACQUIRE_TIMEOUT_MS);
      const waiting: Waiting<C> = {
        start(generation) {
          clearTimeout(timer);
          resolve(generation);
        },
        fail(error) {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#current.waiting.push(waiting);
    });
  }

  #scheduleProbe(): void {
    if (this.#probeTimer !== null || this.#closed) return;
    this.#probeTimer = setTimeout(() => void this.#probe(), PROBE_AFTER_MS);
    this.#probeTimer.unref();
  }

  /**
   * Pings the database when work is still running. The result of a ping is ignored when the connections were renewed
   * meanwhile: the ping's own connection is replaced together with them.
   */
  async #probe(): Promise<void> {
    const generation = this.#current;
    if (generation.running.size > 0) {
      const answers = await this.#pingSucceeds();
      if (!answers && !this.#closed && generation === this.#current) return this.#replace(generation);
    }
    this.#probeTimer = null;
    if (this.#current.running.size > 0) this.#scheduleProbe();
  }

  async #pingSucceeds(): Promise<boolean> {
    return this.#options.ping().then(
      () => true,
      () => false,
    );
  }

  #replace(generation: Generation<C>): void {
    this.#unresponsive = true;
    this.#current = newGeneration();
    const error = new PoolError("unresponsive");
    for (const { fail } of generation.waiting.splice(0)) fail(error);
    for (const reject of generation.running) reject(error);
    for (const connection of generation.connections) this.#options.discard(connection);
    this.#probeUntilAnswered();
  }

  #probeUntilAnswered(): void {
    this.#probeTimer = setTimeout(async () => {
      const answers = await this.#pingSucceeds();
      if (this.#closed) return;
      if (!answers) return this.#probeUntilAnswered();
      this.#unresponsive = false;
      this.#probeTimer = null;
    }, REPROBE_MS);
    this.#probeTimer.unref();
  }
}

function newGeneration<C>(): Generation<C> {
  return { connections: [], idle: [], inUse: 0, running: new Set(), waiting: [] };
}

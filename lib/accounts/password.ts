import { createHmac } from "node:crypto";
import { availableParallelism } from "node:os";
import { GatewayError } from "@/lib/kernel/errors";
import { WorkerPool, WorkersBusyError, workerPath } from "@/lib/kernel/worker-pool";

/** One piece of work for a password worker. `input` is the pre-hash, never the password. */
export type PasswordTask =
  | { kind: "hash"; input: string; cost: number }
  | { kind: "compare"; input: string; hash: string };

/** The answer of a worker. */
export type PasswordAnswer = { ok: true; value: string | boolean } | { ok: false; message: string };

const BUSY_RETRY_SECONDS = 2;

/**
 * A few worker threads for bcrypt, so that no stream ever waits for a hash.
 * Source: docs/reliability.md#a3, #s3-3.
 */
export class PasswordPool {
  readonly #workers: WorkerPool<PasswordTask, PasswordAnswer>;
  readonly #maxAdmitted: number;
  #admitted = 0;

  constructor(maxWorkers: number, maxWaiting: number) {
    this.#workers = new WorkerPool(workerPath("password-worker"), maxWorkers, maxWaiting);
    this.#maxAdmitted = maxWorkers + maxWaiting;
  }

  /** The error while the pool is full; null while work is admitted. */
  get refusal(): GatewayError | null {
    return this.#admitted >= this.#maxAdmitted ? busy() : null;
  }

  /**
   * Does work that ends in a task, for at most as many callers as tasks can run or wait: surplus work is refused before
   * it uses the database. Throws: RATE_LIMITED beyond them; what the work throws.
   */
  async admit<T>(work: () => Promise<T>): Promise<T> {
    const { refusal } = this;
    if (refusal) throw refusal;
    this.#admitted += 1;
    try {
      return await work();
    } finally {
      this.#admitted -= 1;
    }
  }

  /** Runs a task. Throws: RATE_LIMITED when the queue is full. */
  async run(task: PasswordTask): Promise<string | boolean> {
    const answer = await this.#workers.run(task).catch((error: unknown) => {
      throw error instanceof WorkersBusyError ? busy() : error;
    });
    if (!answer.ok) throw new Error(answer.message);
    return answer.value;
  }

  /** Ends the threads; tasks under way are rejected. */
  close(): Promise<void> {
    return this.#workers.close();
  }
}

function busy(): GatewayError {
  return new GatewayError("RATE_LIMITED", "Too many sign-ins at this moment. Try again in a few seconds.", {
    refusal: "sign-in",
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}

/** A public constant that separates these pre-hashes from those of other applications. */
const LABEL = "tollgate password v1";
const DEFAULT_COST = 12;
const MAX_CONCURRENT = 4;
const MAX_WAITING = 16;

/** Salt and digest of a hash that no password matches. */
const DUMMY_DIGEST = "xnOdiX9gEeziCQmfwo0eAOlLvBC7eHsPRbHZSTXyvQrx.swNZY9e2";

const slot = Symbol.for("tollgate.passwords");

/** The process's password hashing state, shared by all module graphs. */
interface Passwords {
  cost: number;
  pool: PasswordPool;
}

/** Sets the cost of new hashes, the logarithm of bcrypt's rounds; the default is 12. */
export function setPasswordHashCost(cost: number): void {
  passwords().cost = cost;
}

/**
 * Hashes a password with bcrypt over base64(HMAC-SHA-384): always 64 characters, so bcrypt neither truncates at 72
 * bytes nor stops at NUL. Without a pepper, so passwords survive every rotation of secrets.
 * Source: docs/reliability.md#a3, #s3-3.
 */
export async function hashPassword(password: string): Promise<string> {
  return String(
    await passwords().pool.run({ kind: "hash", input: preHash(password), cost: passwords().cost }),
  );
}

/** True when the password matches the hash. Throws: RATE_LIMITED when too many wait. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  return (await passwords().pool.run({ kind: "compare", input: preHash(password), hash })) === true;
}

/**
 * Takes as long as a real comparison and returns false; for usernames that do not exist.
 * Source: docs/reliability.md#s3-4.
 */
export async function verifyUnknownUser(password: string): Promise<false> {
  // The same cost as for real hashes, so that unknown names take as long as known ones.
  const cost = String(passwords().cost).padStart(2, "0");
  await verifyPassword(password, `$2b$${cost}$${DUMMY_DIGEST}`);
  return false;
}

/**
 * Runs work that ends in a hash or a comparison. Surplus work that would wait too long is refused before it uses the
 * database. Throws: RATE_LIMITED with `Retry-After`; what the work throws. Source: docs/reliability.md#r-155.
 */
export function inPasswordQueue<T>(work: () => Promise<T>): Promise<T> {
  return passwords().pool.admit(work);
}

/** The RATE_LIMITED error while the password queue is full; null while work may begin. */
export function passwordQueueRefusal(): GatewayError | null {
  return passwords().pool.refusal;
}

/** Stops the worker threads. */
export async function closePasswordPool(): Promise<void> {
  const holder = globalThis as { [slot]?: Passwords };
  await holder[slot]?.pool.close();
  delete holder[slot];
}

function passwords(): Passwords {
  const holder = globalThis as { [slot]?: Passwords };
  holder[slot] ??= { cost: DEFAULT_COST, pool: new PasswordPool(workers(), MAX_WAITING) };
  return holder[slot];
}

/** Leaves one core to the event loop. Source: docs/reliability.md#r-155. */
function workers(): number {
  return Math.max(1, Math.min(MAX_CONCURRENT, availableParallelism() - 1));
}

function preHash(password: string): string {
  return createHmac("sha384", LABEL).update(password, "utf8").digest("base64");
}

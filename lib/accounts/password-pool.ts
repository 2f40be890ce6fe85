import { GatewayError } from "@/lib/kernel/errors";
import { workerPath } from "@/lib/kernel/worker-path";
import { WorkerPool, WorkersBusyError } from "@/lib/kernel/worker-pool";

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
   * Does work that ends in a task, for at most as many at once as can be run or wait: a crowd is refused before it
   * touches the database. Throws: RATE_LIMITED beyond them; what the work throws.
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
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}

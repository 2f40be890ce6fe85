import { Worker } from "node:worker_threads";
import { GatewayError } from "@/lib/kernel/errors";
import { workerPath } from "@/lib/kernel/worker-path";

/** One piece of work for a password worker. `input` is the pre-hash, never the password. */
export type PasswordTask =
  | { kind: "hash"; input: string; cost: number }
  | { kind: "compare"; input: string; hash: string };

/** The answer of a worker. */
export type PasswordAnswer = { ok: true; value: string | boolean } | { ok: false; message: string };

interface Job {
  task: PasswordTask;
  resolve(value: string | boolean): void;
  reject(error: Error): void;
}

const BUSY_RETRY_SECONDS = 2;

/**
 * A few worker threads for bcrypt, so that no stream ever waits for a hash. Threads start with the first
 * task and never keep the process alive. Source: docs/reliability.md#a3, #s3-3.
 */
export class PasswordPool {
  readonly #idle: Worker[] = [];
  readonly #running = new Map<Worker, Job>();
  readonly #waiting: Job[] = [];
  readonly #maxWorkers: number;
  readonly #maxWaiting: number;
  #admitted = 0;

  constructor(maxWorkers: number, maxWaiting: number) {
    this.#maxWorkers = maxWorkers;
    this.#maxWaiting = maxWaiting;
  }

  /** The error while the pool is full; null while work is admitted. */
  get refusal(): GatewayError | null {
    return this.#admitted >= this.#maxWorkers + this.#maxWaiting ? busy() : null;
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
  run(task: PasswordTask): Promise<string | boolean> {
    return new Promise((resolve, reject) => {
      const job = { task, resolve, reject };
      const worker = this.#idle.pop() ?? this.#start();
      if (worker) return this.#give(worker, job);
      if (this.#waiting.length >= this.#maxWaiting) return reject(busy());
      this.#waiting.push(job);
    });
  }

  /** Ends the threads; tasks under way are rejected. */
  async close(): Promise<void> {
    const workers = [...this.#idle.splice(0), ...this.#running.keys()];
    for (const job of this.#waiting.splice(0)) job.reject(new Error("the password workers were closed"));
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #start(): Worker | null {
    if (this.#running.size >= this.#maxWorkers) return null;
    const worker = new Worker(workerPath("password-worker"));
    worker.unref();
    worker.on("message", (answer: PasswordAnswer) => this.#finish(worker, answer));
    worker.on("error", (error) => this.#lose(worker, error));
    worker.on("exit", () => this.#lose(worker, new Error("a password worker ended")));
    return worker;
  }

  #give(worker: Worker, job: Job): void {
    this.#running.set(worker, job);
    worker.ref();
    worker.postMessage(job.task);
  }

  #finish(worker: Worker, answer: PasswordAnswer): void {
    const job = this.#running.get(worker);
    this.#running.delete(worker);
    const next = this.#waiting.shift();
    if (next) this.#give(worker, next);
    else {
      worker.unref();
      this.#idle.push(worker);
    }
    if (answer.ok) job?.resolve(answer.value);
    else job?.reject(new Error(answer.message));
  }

  #lose(worker: Worker, error: Error): void {
    const position = this.#idle.indexOf(worker);
    if (position !== -1) this.#idle.splice(position, 1);
    const job = this.#running.get(worker);
    this.#running.delete(worker);
    job?.reject(error);
    const next = job && this.#waiting.shift();
    if (next) this.run(next.task).then(next.resolve, next.reject);
  }
}

function busy(): GatewayError {
  return new GatewayError("RATE_LIMITED", "Too many sign-ins at this moment. Try again in a few seconds.", {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}

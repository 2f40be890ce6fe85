import path from "node:path";
import { Worker } from "node:worker_threads";

/** Absolute path of a bundle, `dist/<name>.js` below the project root. */
export function bundlePath(name: string): string {
  return path.join(process.cwd(), "dist", `${name}.js`);
}

/** Absolute path of a bundled worker, `dist/workers/<name>.js` below the project root. */
export function workerPath(name: string): string {
  return bundlePath(path.join("workers", name));
}

/** The running and the waiting tasks have reached their limits. */
export class WorkersBusyError extends Error {}

interface Job<Task, Answer> {
  task: Task;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/**
 * A few threads of one bundled worker, each with one task at a time; it answers every message with one message. Threads
 * start with the tasks that find none idle, and keep the process alive only while they work. When a thread fails or
 * ends, only its own task fails. Source: docs/adr/0016-own-worker-pool.md#decision.
 */
export class WorkerPool<Task, Answer> {
  readonly #idle: Worker[] = [];
  readonly #running = new Map<Worker, Job<Task, Answer>>();
  readonly #waiting: Job<Task, Answer>[] = [];

  constructor(
    readonly file: string,
    readonly maxWorkers: number,
    readonly maxWaiting: number,
  ) {}

  /** Runs a task. Throws: WorkersBusyError when the queue is full; what the worker throws; Error when it ends. */
  run(task: Task): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const job = { task, resolve, reject };
      const worker = this.#idle.pop() ?? this.#start();
      if (worker) this.#give(worker, job);
      else if (this.#waiting.length < this.maxWaiting) this.#waiting.push(job);
      else reject(new WorkersBusyError("all workers are busy"));
    });
  }

  /** Ends the threads; tasks under way and those that wait are rejected. */
  async close(): Promise<void> {
    const workers = [...this.#idle.splice(0), ...this.#running.keys()];
    for (const job of this.#waiting.splice(0)) job.reject(new Error("the workers were closed"));
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #start(): Worker | null {
    if (this.#running.size >= this.maxWorkers) return null;
    const worker = new Worker(this.file);
    worker.on("message", (answer: Answer) => this.#finish(worker, answer));
    worker.on("error", (error) => this.#lose(worker, error));
    worker.on("exit", () => this.#lose(worker, new Error("a worker ended")));
    return worker;
  }

  #give(worker: Worker, job: Job<Task, Answer>): void {
    this.#running.set(worker, job);
    worker.ref();
    worker.postMessage(job.task);
  }

  #finish(worker: Worker, answer: Answer): void {
    const job = this.#running.get(worker);
    this.#running.delete(worker);
    const next = this.#waiting.shift();
    if (next) this.#give(worker, next);
    else {
      worker.unref();
      this.#idle.push(worker);
    }
    job?.resolve(answer);
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

/** The work took longer than it may. */
export class DeadlineError extends Error {
  constructor(readonly limitMs: number) {
    super(`no answer within ${limitMs} ms`);
    this.name = "DeadlineError";
  }
}

/**
 * The result of `work`, or a DeadlineError after `limitMs`. An answer that has arrived but was not read yet, because
 * this process was busy, still counts.
 */
export function withDeadline<T>(work: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    // Timers run before sockets are read; one turn of the loop lets a waiting answer in first.
    const timer = setTimeout(() => setImmediate(() => reject(new DeadlineError(limitMs))), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

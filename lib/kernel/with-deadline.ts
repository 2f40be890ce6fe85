/** The work did not finish before its deadline. */
export class DeadlineError extends Error {
  constructor(readonly limitMs: number) {
    super(`no answer within ${limitMs} ms`);
    this.name = "DeadlineError";
  }
}

/**
 * The result of `work`, or a DeadlineError after `limitMs`. A result that has arrived but was not read yet, because
 * the event loop was busy, still counts. Units: milliseconds. Throws: DeadlineError; what the work throws.
 */
export function withDeadline<T>(work: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    // Timers run before sockets are read; the immediate lets the loop read a waiting answer first.
    const timer = setTimeout(() => setImmediate(() => reject(new DeadlineError(limitMs))), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Serializes the runs of `work`: callers that arrive during a run share one run after it. Throws: what the work throws.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    running = work().finally(() => {
      running = null;
    });
    return running;
  };
  const runNext = (): Promise<void> => {
    next = null;
    return run();
  };
  return () => {
    if (next !== null) return next;
    if (running === null) return run();
    next = running.then(runNext, runNext);
    return next;
  };
}

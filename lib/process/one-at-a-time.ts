/**
 * Work that never runs twice at once: whoever asks while it runs gets the run after it, which all who ask meanwhile
 * share. Throws: what the work throws.
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

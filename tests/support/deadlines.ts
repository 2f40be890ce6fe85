/**
 * True when the work is done before a timer of so many milliseconds that began with it. Both run on one event loop, so a
 * machine that gives the process little time delays both, and their order stays.
 */
export async function endsWithin(work: unknown, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const done = () => true;
  try {
    return await Promise.race([Promise.resolve(work).then(done, done), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** True when the work waits for nothing outside the process: it is done before the event loop turns. */
export async function endsAtOnce(work: unknown): Promise<boolean> {
  const done = () => true;
  const turned = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([Promise.resolve(work).then(done, done), turned]);
}

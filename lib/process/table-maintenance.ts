import type { Maintained } from "@/lib/db/partitions";
import { MINUTE_MS } from "@/lib/kernel/durations";
import type { Log } from "@/lib/ops/log";

const TRIES = 20;

/**
 * Runs the maintenance of a table now and at regular intervals. A run that ended early, because the table was in use,
 * is repeated after a minute, up to 20 times; then the next regular run continues it. Returns a function that stops it.
 * Source: docs/reliability.md#s2-14.
 */
export function startMaintenance(options: {
  /** For the log. */
  table: string;
  everyMs: number;
  run(): Promise<Maintained>;
  log: Log;
  pauseMs?: number;
}): () => void {
  const { table, everyMs, run, log, pauseMs = MINUTE_MS } = options;
  let repeating: NodeJS.Timeout | undefined;
  let stopped = false;
  const attempt = async (number: number): Promise<void> => {
    const blocked = await run().then(
      (done) => done.blocked,
      (error: unknown) => {
        log.error({ err: error }, `the maintenance of the ${table} failed`);
        return false;
      },
    );
    if (!blocked || stopped) return;
    if (number === TRIES) {
      log.error(`the ${table} stayed in use: partitions that are due are made and dropped with a later run`);
      return;
    }
    if (number === 1)
      log.warn(`the ${table} is in use, e.g. by pg_dump or a long report; its partitions wait for that`);
    repeating = setTimeout(() => void attempt(number + 1), pauseMs);
    repeating.unref();
  };
  const begin = (): void => {
    clearTimeout(repeating);
    void attempt(1);
  };
  begin();
  const regular = setInterval(begin, everyMs);
  regular.unref();
  return () => {
    stopped = true;
    clearInterval(regular);
    clearTimeout(repeating);
  };
}

/** Runs tasks one after the other, so that all of them need one connection. Throws: what a task throws. */
export function oneAfterTheOther(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}

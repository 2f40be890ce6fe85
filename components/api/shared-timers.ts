import type { TimeoutProvider } from "@tanstack/react-query";

interface Timer {
  callback: () => void;
  /** When it ends, on the clock of `performance.now()`. Unit: ms. */
  dueAt: number;
  /** Units: ms; null for one that ends once. */
  everyMs: number | null;
}

/** The longest wait that a browser can time. Unit: ms. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Timers that share one timer of the browser, which waits for the earliest. Each query of a page has up to three, and
 * makes them anew at each change. Made in the browser one by one, they took up to 30 ms of the first commit where
 * developer tools record who made a timer.
 */
export function sharedTimers(): TimeoutProvider<number> {
  const timers = new Map<number, Timer>();
  let lastId = 0;
  let isPlanned = false;
  let armed: { dueAt: number; handle: ReturnType<typeof setTimeout> } | null = null;

  /** Sets the browser's timer once for all changes of this task. */
  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    queueMicrotask(arm);
  }

  function arm(): void {
    isPlanned = false;
    const dueAt = Math.min(...[...timers.values()].map((timer) => timer.dueAt));
    if (armed?.dueAt === dueAt) return;
    clearTimeout(armed?.handle);
    const wait = Math.min(Math.max(dueAt - performance.now(), 0), LONGEST_MS);
    armed = timers.size === 0 ? null : { dueAt, handle: setTimeout(run, wait) };
  }

  /** Calls what is due. What a failed call left out stays due, and is called by the timer set next. */
  function run(): void {
    armed = null;
    plan();
    const now = performance.now();
    for (const [id, timer] of timers) {
      if (timer.dueAt > now) continue;
      if (timer.everyMs === null) timers.delete(id);
      else timer.dueAt = now + timer.everyMs;
      timer.callback();
    }
  }

  function add(callback: () => void, delayMs: number, everyMs: number | null): number {
    timers.set(++lastId, { callback, dueAt: performance.now() + delayMs, everyMs });
    plan();
    return lastId;
  }

  /** The browser's timer may wake once for nothing: that costs less than to set it anew. */
  function remove(id: number | undefined): void {
    if (id !== undefined) timers.delete(id);
  }

  return {
    setTimeout: (callback, delayMs) => add(callback, delayMs, null),
    setInterval: (callback, delayMs) => add(callback, delayMs, delayMs),
    clearTimeout: remove,
    clearInterval: remove,
  };
}

import type { TokenSourceOptions } from "./token-source";

/** Timers of the operating system; they keep no process alive. */
export const startSystemTimer: TokenSourceOptions["startTimer"] = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

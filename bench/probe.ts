import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded before a server under test: answers its parent with the longest block of the event loop since the last question.
 */
const RESOLUTION_MS = 1;
const NS_PER_MS = 1e6;

if (isMainThread && process.send) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  process.on("message", (message) => {
    if (message !== "longest-block") return;
    const blockedMs = Math.max(0, delays.max / NS_PER_MS - RESOLUTION_MS);
    delays.reset();
    process.send?.({ blockedMs });
  });
}

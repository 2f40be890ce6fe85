import { describe, expect, test } from "vitest";
import { ConcurrencyLimiter } from "@/lib/kernel/concurrency-limiter";
import { EventLoopMonitor } from "@/lib/ops/event-loop-monitor";

/** How many places a fresh key gets before it is refused. */
function placesOf(qps: number | null, capacity = 5_000): number {
  const places = new ConcurrencyLimiter(capacity);
  let taken = 0;
  while (places.tryAcquire("key", qps)) taken += 1;
  return taken;
}

describe("places", () => {
  test("of a key are four times its QPS, at least 20, at most a quarter of the process", () => {
    expect([2, 5, 30, 1_000, null].map((qps) => placesOf(qps))).toEqual([20, 20, 120, 1_250, 1_250]);
    expect(placesOf(2, 40)).toBe(10);
  });

  test("of one key do not take another's, and come back", () => {
    const places = new ConcurrencyLimiter();
    for (let taken = 0; taken < 20; taken++) expect(places.tryAcquire("a", 2)).toBe(true);
    expect(places.tryAcquire("a", 2)).toBe(false);
    expect(places.tryAcquire("b", 2)).toBe(true);
    places.release("a");
    expect(places.tryAcquire("a", 2)).toBe(true);
    expect(places.tryAcquire("a", 2)).toBe(false);
  });
});

describe("an event loop", () => {
  test("is overloaded after three slow seconds on end, and no longer after one good one", () => {
    const watch = new EventLoopMonitor();
    const seen = [300, 300, 20, 300, 300, 300, 300, 150].map((delayMs, second) => {
      watch.record(delayMs, second * 1_000, (second + 1) * 1_000);
      return watch.overloaded;
    });
    expect(seen).toEqual([false, false, false, false, false, true, true, false]);
  });

  test("that is really blocked is seen to be", async () => {
    const watch = new EventLoopMonitor();
    watch.start();
    const until = performance.now() + 5_000;
    while (!watch.overloaded && performance.now() < until) {
      const blockedUntil = performance.now() + 400;
      while (performance.now() < blockedUntil);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(watch.overloaded).toBe(true);
    watch.stop();
  });
});

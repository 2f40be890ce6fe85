import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Deadlines } from "@/lib/kernel/deadlines";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("everything is looked at with one timer, until it is forgotten or wants no more", () => {
  const deadlines = new Deadlines(() => Date.now());
  const begun = Date.now();
  const seen: string[] = [];
  const watched = (name: string, untilMs: number) => ({
    onSweep(nowMs: number) {
      seen.push(`${name} ${Math.floor((nowMs - begun) / 10) * 10}`);
      return nowMs - begun < untilMs;
    },
  });
  const forgotten = watched("forgotten", 10_000);
  deadlines.watch(watched("short", 400));
  deadlines.watch(watched("long", 700));
  deadlines.watch(forgotten);
  expect(vi.getTimerCount()).toBe(1);
  deadlines.forget(forgotten);
  vi.advanceTimersByTime(1_000);
  expect(seen).toEqual(["short 250", "long 250", "short 500", "long 500", "long 750"]);
  expect(vi.getTimerCount()).toBe(0);
  deadlines.watch(watched("later", 0));
  expect(vi.getTimerCount()).toBe(1);
});

test("what forgets others while it is looked at leaves none out and has none looked at twice", () => {
  const deadlines = new Deadlines(() => Date.now(), 50);
  const calls: number[] = new Array(20).fill(0);
  const all = calls.map((_, index) => ({
    onSweep() {
      calls[index] = (calls[index] ?? 0) + 1;
      const next = all[index + 1];
      if (next && index % 2 === 0) deadlines.forget(next);
      return false;
    },
  }));
  for (const watched of all) deadlines.watch(watched);
  vi.advanceTimersByTime(60);
  expect(calls).toEqual(all.map((_, index) => (index % 2 === 0 ? 1 : 0)));
  expect(vi.getTimerCount()).toBe(0);
});

test("an answer that arrived in time wins although the event loop was busy beyond the deadline", async () => {
  vi.useRealTimers();
  const deadlines = new Deadlines(() => performance.now(), 50);
  const first = await new Promise<string>((resolve) => {
    deadlines.watch({
      onSweep() {
        resolve("deadline");
        return false;
      },
    });
    setImmediate(() => {
      const until = performance.now() + 120;
      while (performance.now() < until);
      setImmediate(() => resolve("answer"));
    });
  });
  expect(first).toBe("answer");
});

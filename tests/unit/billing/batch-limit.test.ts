import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withinLimit } from "@/lib/billing/ledger-batch";
import { Deadlines } from "@/lib/kernel/deadlines";
import { DeadlineError } from "@/lib/kernel/with-deadline";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a batch needs no timer of its own: its end is passed on, and its limit where that comes first", async () => {
  const deadlines = new Deadlines(() => performance.now(), 50);
  const never = withinLimit(deadlines, new Promise(() => {}), 100).catch((error: unknown) => error);
  const broken = new Error("broken");
  expect(await withinLimit(deadlines, Promise.resolve("done"), 100)).toBe("done");
  await expect(withinLimit(deadlines, Promise.reject(broken), 100)).rejects.toBe(broken);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(160);
  expect(await never).toBeInstanceOf(DeadlineError);
  vi.advanceTimersByTime(100);
  expect(vi.getTimerCount()).toBe(0);
});

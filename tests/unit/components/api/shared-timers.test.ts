// Guarantee: timers that share one timer of the browser end as its own would.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sharedTimers } from "@/components/api/shared-timers";

describe("shared timers", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("each ends at its own time, whatever the order in which they were set", async () => {
    const timers = sharedTimers();
    const ended: string[] = [];
    timers.setTimeout(() => ended.push("late"), 300);
    timers.setTimeout(() => ended.push("early"), 100);
    await vi.advanceTimersByTimeAsync(99);
    expect(ended).toEqual([]);
    timers.setTimeout(() => ended.push("next"), 50);
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toEqual(["early"]);
    await vi.advanceTimersByTimeAsync(50);
    expect(ended).toEqual(["early", "next"]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).toEqual(["early", "next", "late"]);
  });

  test("an interval ends again until it is cleared, and a cleared timer never", async () => {
    const timers = sharedTimers();
    const called = vi.fn();
    const cleared = vi.fn();
    const interval = timers.setInterval(called, 100);
    timers.clearTimeout(timers.setTimeout(cleared, 100));
    await vi.advanceTimersByTimeAsync(350);
    expect(called).toHaveBeenCalledTimes(3);
    timers.clearInterval(interval);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(called).toHaveBeenCalledTimes(3);
    expect(cleared).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a burst costs one timer of the browser", async () => {
    const timers = sharedTimers();
    for (let i = 0; i < 20; i++) timers.setTimeout(() => {}, 1_000 - i);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
  });

  test("a callback that throws stops no other", async () => {
    const timers = sharedTimers();
    const other = vi.fn();
    timers.setTimeout(() => {
      throw new Error("refused");
    }, 100);
    timers.setTimeout(other, 100);
    await expect(vi.advanceTimersByTimeAsync(100)).rejects.toThrow("refused");
    await vi.advanceTimersByTimeAsync(1);
    expect(other).toHaveBeenCalledOnce();
  });

  test("a wait longer than a browser can time does not end early", async () => {
    const timers = sharedTimers();
    const called = vi.fn();
    timers.setTimeout(called, 2 ** 31);
    await vi.advanceTimersByTimeAsync(2 ** 31 - 1);
    expect(called).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(called).toHaveBeenCalledOnce();
  });
});

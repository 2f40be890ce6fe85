import { beforeEach, describe, expect, test } from "vitest";
import { CachedRead } from "@/lib/kernel/cached-read";

let nowMs: number;
let reads: (() => Promise<number>)[];
let calls: number;

beforeEach(() => {
  nowMs = 0;
  reads = [];
  calls = 0;
});

function cached(freshMs = 60_000) {
  const read = () => {
    calls += 1;
    return (reads.shift() ?? (() => Promise.resolve(calls)))();
  };
  return new CachedRead({ read, freshMs, nowMs: () => nowMs });
}

const failing = () => Promise.reject(new Error("no answer"));

describe("a cached read", () => {
  test("reads once for all who ask while it is fresh, and during the read itself", async () => {
    const value = cached();
    expect(await Promise.all([value.get(), value.get(), value.get()])).toEqual([1, 1, 1]);
    nowMs = 59_999;
    expect([await value.get(), calls]).toEqual([1, 1]);
    nowMs = 60_000;
    expect([await value.get(), calls]).toEqual([2, 2]);
  });

  test("that fails serves the value before, and is tried again after a second", async () => {
    const value = cached();
    await value.get();
    nowMs = 60_000;
    reads = [failing];
    expect([await value.get(), await value.get(), calls]).toEqual([1, 1, 2]);
    nowMs = 61_000;
    expect(await value.get()).toBe(3);
  });

  test("that fails again and again is tried less and less often, at most once in the time it is fresh", async () => {
    const value = cached(10_000);
    await value.get();
    nowMs = 10_000;
    const tried: number[] = [];
    for (; nowMs < 60_000; nowMs += 500) {
      reads = [failing];
      const before = calls;
      expect(await value.get()).toBe(1);
      if (calls > before) tried.push(nowMs);
    }
    expect(tried).toEqual([10_000, 11_000, 13_000, 17_000, 25_000, 35_000, 45_000, 55_000]);
    reads = [];
    nowMs = 65_000;
    const read = await value.get();
    nowMs = 75_000;
    reads = [failing];
    expect(await value.get()).toBe(read);
    nowMs = 76_000;
    expect(await value.get()).toBeGreaterThan(read);
  });

  test("that takes longer than it stays fresh is not read a second time beside itself", async () => {
    const value = cached();
    let answer = (_: number) => {};
    reads = [() => new Promise((resolve) => (answer = resolve))];
    const first = value.get();
    nowMs = 300_000;
    const second = value.get();
    answer(7);
    expect([await first, await second, calls]).toEqual([7, 7, 1]);
    nowMs = 359_999;
    expect([await value.get(), calls]).toEqual([7, 1]);
  });

  test("tells the last value that it has read, without a wait, until it is cleared", async () => {
    const value = cached();
    expect(value.known).toBeUndefined();
    await value.get();
    nowMs = 60_000;
    reads = [() => new Promise(() => {})];
    value.get();
    expect(value.known).toBe(1);
    value.clear();
    expect(value.known).toBeUndefined();
  });

  test("that fails at first throws, at most once a second", async () => {
    const value = cached();
    reads = [failing];
    await expect(value.get()).rejects.toThrow("no answer");
    await expect(value.get()).rejects.toThrow("no answer");
    expect(calls).toBe(1);
    nowMs = 1_000;
    expect(await value.get()).toBe(2);
  });

  test("reads anew after clear", async () => {
    const value = cached();
    await value.get();
    value.clear();
    expect(await value.get()).toBe(2);
  });
});

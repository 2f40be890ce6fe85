import { beforeEach, describe, expect, test } from "vitest";
import { CachedRead } from "@/lib/kernel/clock";

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

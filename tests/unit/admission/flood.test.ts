import { describe, expect, it } from "vitest";
import { FloodGuard, KeyedRateLimit } from "@/lib/admission/flood-guard";

describe("flood guard", () => {
  it("lets ten times the QPS of a key through per second, then says how long to wait", () => {
    let now = 0;
    const guard = new FloodGuard(() => now);
    for (let i = 0; i < 20; i++) expect(guard.forKey("key", 2)).toBe(0);
    expect(guard.forKey("key", 2)).toBe(1_000);
    expect(guard.forKey("other", 2)).toBe(0);
    now = 999;
    expect(guard.forKey("key", 2)).toBe(1);
    now = 1_000;
    expect(guard.forKey("key", 2)).toBe(0);
  });

  it("has nothing to guard for a key without a QPS limit", () => {
    const guard = new FloodGuard(() => 0);
    for (let i = 0; i < 10_000; i++) expect(guard.forKey("key", null)).toBe(0);
  });

  it("lets 50 unauthenticated requests a second through per address", () => {
    const guard = new FloodGuard(() => 0);
    const passed = Array.from({ length: 80 }, () => guard.forAddress("192.0.2.1")).filter(
      (wait) => wait === 0,
    );
    expect(passed).toHaveLength(50);
    expect(guard.forAddress("192.0.2.2")).toBe(0);
  });

  it("lets 60 calls of a kind that costs nothing a minute through per key, in a sliding minute", () => {
    let now = 0;
    const guard = new FloodGuard(() => now);
    for (let i = 0; i < 60; i++) {
      expect(guard.forFreeCall("count key")).toBe(0);
      now += 500;
    }
    expect(guard.forFreeCall("count key")).toBe(30_000);
    now += 30_000;
    expect(guard.forFreeCall("count key")).toBe(0);
    expect(guard.forFreeCall("count key")).toBe(500);
  });

  it("holds a bounded number of addresses however many are invented", () => {
    const gate = new KeyedRateLimit(1_000, () => 0, 500);
    for (let i = 0; i < 5_000; i++) gate.take(`2001:db8::${i.toString(16)}`, 50);
    expect(gate.size).toBe(500);
  });
});

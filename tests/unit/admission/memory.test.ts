import { describe, expect, it } from "vitest";
import { MemoryLimiter } from "@/lib/admission/memory";
import { limiterSuite, ManualClock } from "./limiter-suite";

limiterSuite("memory limiter", async (clock) => new MemoryLimiter(clock.now), { traces: 2_000, bursts: 8 });

describe("memory limiter, bounds", () => {
  const limits = { qps: 2, rpm: 20, tpm: 40_000 };

  it("forgets idle keys in passing and keeps busy ones", () => {
    const clock = new ManualClock();
    const limiter = new MemoryLimiter(clock.now);
    for (let i = 0; i < 1_000; i++) limiter.admit({ keyId: `idle-${i}`, limits, tokens: 1 });
    clock.ms += 62_001;
    for (let i = 0; i < 2_000; i++) limiter.admit({ keyId: "busy", limits, tokens: 1 });
    expect(limiter.status().keys).toBe(1);
  });

  it("never holds more keys than its bound", () => {
    const limiter = new MemoryLimiter(new ManualClock().now, 100);
    for (let i = 0; i < 1_000; i++) limiter.admit({ keyId: `key-${i}`, limits, tokens: 1 });
    expect(limiter.status().keys).toBe(100);
  });

  it("stays exact when the clock it is given does not move or moves backwards", () => {
    const clock = new ManualClock();
    const limiter = new MemoryLimiter(clock.now);
    const ask = () => limiter.admit({ keyId: "key", limits, tokens: 1 }).allowed;
    expect([ask(), ask(), ask()]).toEqual([true, true, false]);
    clock.ms -= 5_000;
    expect(ask()).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { StoreBreaker } from "@/lib/admission/store-breaker";

describe("the breaker of the shared store", () => {
  it("opens at the third failure in a row and is probed once a second", () => {
    const breaker = new StoreBreaker();
    expect([breaker.failed(0), breaker.failed(0), breaker.succeeded(0)]).toEqual([false, false, false]);
    expect([breaker.failed(0), breaker.failed(0), breaker.failed(0)]).toEqual([false, false, true]);
    expect([breaker.takeProbe(999), breaker.takeProbe(1_000), breaker.takeProbe(1_500)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("has both sides enforced for a minute after a recovery, since the store may have forgotten", () => {
    const breaker = new StoreBreaker();
    for (let failure = 0; failure < 3; failure += 1) breaker.failed(0);
    expect(breaker.enforcesBoth(5_000)).toBe(false);
    expect(breaker.succeeded(5_000)).toBe(true);
    expect([breaker.enforcesBoth(64_999), breaker.enforcesBoth(65_000)]).toEqual([true, false]);
  });
});

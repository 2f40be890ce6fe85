import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect } from "vitest";
import type { Limiter, LimitTicket } from "@/lib/admission/limiter";
import type { LimitValues } from "@/lib/db/schema/accounts";
import { ReferenceLimiter } from "@/tests/support/reference-limiter";
import type { ManualClock } from "./limiter-suite";

/** A plan whose requests are counted in buckets. */
export const CUSTOM: LimitValues = { qps: null, rpm: 6_001, tpm: null };

interface Step {
  pauseMs: number;
  /** Waits instead for what the last refusal asked, or a millisecond less. */
  obey: "no" | "exactly" | "a millisecond short";
  tokens: number;
  limits: number;
  /** Tokens really used by an earlier request, settled now; null: nothing is settled. */
  settle: number | null;
}

const pause = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 60 }),
  fc.integer({ min: 100, max: 1_500 }),
  fc.integer({ min: 5_000, max: 62_000 }),
);
const step: fc.Arbitrary<Step> = fc.record({
  pauseMs: pause,
  obey: fc.constantFrom("no", "no", "exactly", "a millisecond short"),
  tokens: fc.integer({ min: 0, max: 4_000 }),
  limits: fc.nat(1),
  settle: fc.option(fc.nat(5_000)),
});
const limit = (max: number) => fc.option(fc.integer({ min: 1, max }), { freq: 6 });
const limitValues = fc.record({ qps: limit(4), rpm: fc.integer({ min: 1, max: 12 }), tpm: limit(3_000) });
/** Two plans and what a key asks under them. */
export const trace = fc.record({
  plans: fc.tuple(limitValues, limitValues),
  steps: fc.array(step, { minLength: 5, maxLength: 60 }),
});

/** Pauses and how many requests follow each, above 6,000 a minute. */
export const burstList = fc.array(
  fc.tuple(fc.integer({ min: 1, max: 9_000 }), fc.integer({ min: 1_700, max: 2_400 })),
  { minLength: 4, maxLength: 5 },
);

/** Asks a limiter and the reference the same, and compares every verdict. */
export async function replay(
  limiter: Limiter,
  clock: ManualClock,
  keyId: string,
  plans: readonly [LimitValues, LimitValues],
  steps: readonly Step[],
): Promise<void> {
  const reference = new ReferenceLimiter();
  const open: { ticket: LimitTicket; second: number; reserved: number }[] = [];
  let lastWaitMs = 0;
  for (const { pauseMs, obey, tokens, limits, settle } of steps) {
    const short = obey === "exactly" ? 0 : 1;
    clock.ms += obey === "no" || lastWaitMs === 0 ? pauseMs : lastWaitMs - short;
    const plan = plans[limits] ?? plans[0];
    const expected = reference.admit(clock.ms, plan, tokens);
    const verdict = await limiter.admit({ keyId, limits: plan, tokens });
    expect(verdict.allowed ? 0 : verdict.retryAfterMs).toBe(expected.waitMs);
    expect(verdict.state.rpm.used).toBe(reference.usedRequests(clock.ms, plan));
    expect(verdict.state.tpm.used).toBe(reference.usedTokens(clock.ms));
    if (verdict.allowed && expected.reservation !== null) {
      open.push({ ticket: verdict.ticket, ...expected.reservation });
    }
    lastWaitMs = expected.waitMs;
    const settled = settle === null ? undefined : open.shift();
    if (settle === null || settled === undefined) continue;
    await limiter.correct(settled.ticket, settle);
    await nextTurn(); // a shared store gets it before the clock moves on
    reference.correct(clock.ms, settled, settle);
  }
}

/** The same for bursts above 6,000 requests a minute. */
export async function replayBursts(
  limiter: Limiter,
  clock: ManualClock,
  keyId: string,
  bursts: readonly (readonly [number, number])[],
): Promise<void> {
  const reference = new ReferenceLimiter();
  let refusals = 0;
  for (const [pauseMs, count] of bursts) {
    clock.ms += pauseMs;
    for (let i = 0; i < count; i++) {
      if (i % 10 === 0) clock.ms += 1;
      const verdict = await limiter.admit({ keyId, limits: CUSTOM, tokens: 0 });
      if (verdict.allowed) {
        reference.admitted.push(clock.ms);
        continue;
      }
      refusals += 1;
      expect(verdict.retryAfterMs).toBe(reference.admit(clock.ms, CUSTOM, 0).waitMs);
      clock.ms += verdict.retryAfterMs;
    }
    const used = reference.usedRequests(clock.ms, CUSTOM);
    expect(used).toBeLessThanOrEqual(6_001);
    expect((await limiter.peek(keyId, CUSTOM)).rpm.used).toBe(used);
  }
  expect(refusals).toBeGreaterThan(0);
}

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Admission, Limiter } from "@/lib/admission/limiter";
import type { LimitValues } from "@/lib/db/schema/accounts";
import { burstList, CUSTOM, replay, replayBursts, trace } from "./limiter-traces";

/** Monotonic milliseconds that tests move by hand. */
export class ManualClock {
  ms = 1_700_000_000_000;
  readonly now = (): number => this.ms;
}

const FREE: LimitValues = { qps: 2, rpm: 20, tpm: 40_000 };
const PRO: LimitValues = { qps: 30, rpm: 600, tpm: 2_000_000 };
const NONE: LimitValues = { qps: null, rpm: null, tpm: null };

/** The guarantees of every limiter. `random`: how many random traces, so that slow backends stay affordable. */
export function limiterSuite(
  name: string,
  open: (clock: ManualClock) => Promise<Limiter>,
  size: { traces: number; bursts: number },
): void {
  describe(name, () => {
    const clock = new ManualClock();
    let limiter: Limiter;
    let keys = 0;
    const newKey = () => `key-${process.pid}-${Math.random()}-${keys++}`;
    const ask = (keyId: string, limits: LimitValues, tokens = 1) => limiter.admit({ keyId, limits, tokens });

    beforeAll(async () => {
      limiter = await open(clock);
    });
    afterAll(() => limiter.close());

    const fill = async (keyId: string, count: number, paceMs: number) => {
      for (let i = 0; i < count; i++) {
        expect((await ask(keyId, FREE)).allowed).toBe(true);
        clock.ms += paceMs;
      }
    };

    it("admits two within a second on Free and says to come back in the time the first takes to leave", async () => {
      const key = newKey();
      await fill(key, 2, 100);
      expect(refused(await ask(key, FREE))).toMatchObject({ violated: "qps", retryAfterMs: 800 });
      clock.ms += 799;
      expect((await ask(key, FREE)).allowed).toBe(false);
      clock.ms += 1;
      expect((await ask(key, FREE)).allowed).toBe(true);
    });

    /** Source: docs/reliability.md#r-88. */
    it("refuses the 21st paced request until exactly the first leaves the minute", async () => {
      const key = newKey();
      await fill(key, 20, 600);
      expect(refused(await ask(key, FREE))).toMatchObject({ violated: "rpm", retryAfterMs: 48_000 });
      clock.ms += 47_999;
      expect(refused(await ask(key, FREE)).retryAfterMs).toBe(1);
      clock.ms += 1;
      expect((await ask(key, FREE)).allowed).toBe(true);
    });

    /** Source: docs/reliability.md#r-89. */
    it("does not start a new minute at the full minute", async () => {
      const key = newKey();
      clock.ms = Math.ceil(clock.ms / 60_000) * 60_000 + 48_000;
      await fill(key, 20, 600);
      let admitted = 0;
      for (let i = 0; i < 20; i++) {
        if ((await ask(key, FREE)).allowed) admitted += 1;
        clock.ms += 600;
      }
      expect(admitted).toBe(0);
    });

    /** Source: docs/reliability.md#r-91. */
    it("admits five of ten requests that reserve 8,000 of 40,000 tokens", async () => {
      const key = newKey();
      const limits = { qps: null, rpm: 600, tpm: 40_000 };
      const all = await Promise.all(Array.from({ length: 10 }, () => ask(key, limits, 8_000)));
      expect(all.filter((verdict) => verdict.allowed)).toHaveLength(5);
      expect(all.filter((verdict) => !verdict.allowed && verdict.violated === "tpm")).toHaveLength(5);
    });

    it("admits a request larger than the token limit into an empty window only, and never for good refuses it", async () => {
      const key = newKey();
      expect((await ask(key, FREE, 64_000)).allowed).toBe(true);
      clock.ms += 5_000;
      const verdict = refused(await ask(key, FREE, 64_000));
      expect(verdict).toMatchObject({ violated: "tpm" });
      expect(verdict.retryAfterMs).toBeLessThanOrEqual(61_000);
      clock.ms += verdict.retryAfterMs;
      expect((await ask(key, FREE, 64_000)).allowed).toBe(true);
    });

    it("makes unused tokens available at once and corrects a ticket only once", async () => {
      const key = newKey();
      const { ticket } = allowed(await ask(key, FREE, 8_000));
      await limiter.correct(ticket, 100);
      await limiter.correct(ticket, 0);
      expect((await limiter.peek(key, FREE)).tpm.used).toBe(100);
    });

    it("keeps the tokens of a request that nobody corrects", async () => {
      const key = newKey();
      await ask(key, FREE, 8_000);
      clock.ms += 30_000;
      expect((await limiter.peek(key, FREE)).tpm.used).toBe(8_000);
    });

    it("gives tokens back on a refund but keeps the request counted", async () => {
      const key = newKey();
      await limiter.refund(allowed(await ask(key, FREE, 8_000)).ticket);
      const state = await limiter.peek(key, FREE);
      expect([state.tpm.used, state.rpm.used, state.qps.used]).toEqual([0, 1, 1]);
    });

    it("enlarges a reservation in the present, and counts the request once", async () => {
      const key = newKey();
      clock.ms = Math.ceil(clock.ms / 1_000) * 1_000;
      const { ticket } = allowed(await ask(key, FREE, 1_000));
      clock.ms += 3_000;
      const enlarged = allowed(await limiter.enlarge(ticket, { keyId: key, limits: FREE, tokens: 30_000 }));
      expect([enlarged.state.rpm.used, enlarged.state.tpm.used]).toEqual([1, 30_000]);
      expect(enlarged.state.tpm.resetMs).toBe(61_000);
      await limiter.correct(enlarged.ticket, 500);
      await limiter.correct(ticket, 0);
      const state = await limiter.peek(key, FREE);
      expect([state.rpm.used, state.qps.used, state.tpm.used]).toEqual([1, 0, 500]);
    });

    it("enlarges a reservation at the limit of requests, because the request is counted already", async () => {
      const key = newKey();
      const limits = { qps: 1, rpm: 1, tpm: 1_000 };
      const { ticket } = allowed(await ask(key, limits, 10));
      expect((await limiter.enlarge(ticket, { keyId: key, limits, tokens: 900 })).allowed).toBe(true);
      expect((await limiter.peek(key, limits)).tpm.used).toBe(900);
    });

    it("gives all tokens of a request back that does not fit enlarged, and says when it would", async () => {
      const key = newKey();
      clock.ms = Math.ceil(clock.ms / 1_000) * 1_000;
      const limits = { qps: null, rpm: 100, tpm: 1_000 };
      await ask(key, limits, 600);
      clock.ms += 10_000;
      const { ticket } = allowed(await ask(key, limits, 100));
      const verdict = refused(await limiter.enlarge(ticket, { keyId: key, limits, tokens: 500 }));
      expect(verdict).toMatchObject({ violated: "tpm", retryAfterMs: 51_000 });
      await limiter.refund(ticket);
      const state = await limiter.peek(key, limits);
      expect([state.rpm.used, state.tpm.used]).toEqual([2, 600]);
    });

    it("counts what a long request used beyond its reservation in the present once its bucket has left", async () => {
      const key = newKey();
      const { ticket } = allowed(await ask(key, FREE, 1_000));
      clock.ms += 90_000;
      await limiter.correct(ticket, 3_500);
      expect((await limiter.peek(key, FREE)).tpm.used).toBe(2_500);
    });

    /** Source: docs/reliability.md#r-95. */
    it("does not count refused requests", async () => {
      const key = newKey();
      await fill(key, 2, 0);
      let last = refused(await ask(key, FREE));
      for (let i = 0; i < 300; i++) {
        clock.ms += 1;
        last = refused(await ask(key, FREE));
      }
      clock.ms += last.retryAfterMs;
      expect((await ask(key, FREE)).allowed).toBe(true);
    });

    it("counts nothing of a request that one of the three limits refuses", async () => {
      const key = newKey();
      const limits = { qps: null, rpm: 100, tpm: 1_000 };
      await ask(key, limits, 900);
      await ask(key, limits, 200);
      const state = await limiter.peek(key, limits);
      expect([state.rpm.used, state.tpm.used]).toEqual([1, 900]);
    });

    it("counts every key for itself", async () => {
      const exhausted = newKey();
      await fill(exhausted, 2, 0);
      expect((await ask(exhausted, FREE)).allowed).toBe(false);
      expect(allowed(await ask(newKey(), FREE)).state.rpm).toMatchObject({ limit: 20, used: 1 });
    });

    it.each([
      ["Pro", PRO],
      ["no limit", NONE],
      ["a custom plan counted in buckets", CUSTOM],
    ])("keeps the window when the plan changes to %s and back", async (_, other) => {
      const key = newKey();
      await fill(key, 20, 600);
      expect((await ask(key, other)).allowed).toBe(true);
      expect((await limiter.peek(key, other)).rpm.used).toBe(21);
      expect(refused(await ask(key, FREE)).violated).toBe("rpm");
      const { rpm, tpm } = await limiter.peek(key, FREE);
      expect([rpm.used, tpm.used]).toEqual([21, 21]);
    });

    it("reports the state a header needs: used, and the time until the window is empty", async () => {
      const key = newKey();
      clock.ms = Math.ceil(clock.ms / 1_000) * 1_000;
      const { state } = allowed(await ask(key, FREE, 700));
      expect(state).toEqual({
        qps: { limit: 2, used: 1, resetMs: 1_000 },
        rpm: { limit: 20, used: 1, resetMs: 60_000 },
        tpm: { limit: 40_000, used: 700, resetMs: 61_000 },
      });
      clock.ms += 61_000;
      const idle = await limiter.peek(key, FREE);
      expect([idle.qps.used, idle.rpm.used, idle.tpm.used, idle.tpm.resetMs]).toEqual([0, 0, 0, 0]);
    });

    /** Source: docs/reliability.md#r-90, #r-160. */
    it(`agrees with a brute-force reference on ${size.traces} random traces`, {
      timeout: 120_000,
    }, async () => {
      const property = fc.asyncProperty(trace, async ({ plans, steps }) => {
        await replay(limiter, clock, newKey(), plans, steps);
      });
      await fc.assert(property, { numRuns: size.traces });
    });

    it("agrees with the reference above 6,000 requests a minute", { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(burstList, (list) => replayBursts(limiter, clock, newKey(), list)),
        { numRuns: size.bursts },
      );
    });
  });
}

/** The verdict as an admission; fails the test otherwise. */
function allowed(verdict: Admission): Extract<Admission, { allowed: true }> {
  if (!verdict.allowed) throw new Error(`refused by ${verdict.violated} for ${verdict.retryAfterMs} ms`);
  return verdict;
}

/** The verdict as a refusal; fails the test otherwise. */
function refused(verdict: Admission): Extract<Admission, { allowed: false }> {
  if (verdict.allowed) throw new Error("admitted");
  return verdict;
}

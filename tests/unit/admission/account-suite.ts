import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Admission, type Limiter, tighter } from "@/lib/admission/limiter";
import type { LimitValues } from "@/lib/db/schema/accounts";
import { type BothLimits, ReferenceAccount, type ReferenceCall } from "@/tests/support/reference-account";
import { ManualClock } from "./limiter-suite";

const NONE: LimitValues = { qps: null, rpm: null, tpm: null, concurrent: null };

interface Step {
  pauseMs: number;
  /** Waits instead for what the last refusal asked. */
  obeys: boolean;
  key: number;
  tokens: number;
  limits: number;
  /** Tokens that a running call has used which ends now; null: none ends. */
  end: number | null;
}

const limit = (max: number) => fc.option(fc.integer({ min: 1, max }), { freq: 3 });
const limitValues = fc.record({
  qps: limit(4),
  rpm: fc.integer({ min: 1, max: 20 }),
  tpm: limit(3_000),
  concurrent: limit(4),
});
const both = fc.record({ key: limitValues, account: limitValues });
const step: fc.Arbitrary<Step> = fc.record({
  pauseMs: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 1_500 }),
    fc.integer({ min: 5_000, max: 62_000 }),
  ),
  obeys: fc.boolean(),
  key: fc.nat(2),
  tokens: fc.integer({ min: 0, max: 4_000 }),
  limits: fc.nat(1),
  end: fc.option(fc.nat(5_000)),
});
const trace = fc.record({
  limits: fc.tuple(both, both),
  steps: fc.array(step, { minLength: 5, maxLength: 50 }),
});

/** What every limiter guarantees of the limits of an account and of calls at once. Source: docs/reliability.md#account-limits. */
export function accountSuite(
  name: string,
  open: (clock: ManualClock) => Promise<Limiter>,
  size: { traces: number; renew?: (limiter: Limiter) => void },
): void {
  describe(name, () => {
    const clock = new ManualClock();
    let limiter: Limiter;
    let made = 0;
    const newName = () => `${process.pid}-${Math.random()}-${made++}`;
    const accountOf = (limits: Partial<LimitValues>) => ({
      id: `account:${newName()}`,
      limits: { ...NONE, ...limits },
    });
    type Account = ReturnType<typeof accountOf> | null;
    const ask = (keyId: string, account: Account, limits: Partial<LimitValues> = {}, tokens = 1) =>
      limiter.admit({ keyId, limits: { ...NONE, ...limits }, account, tokens });

    beforeAll(async () => {
      limiter = await open(clock);
    });
    afterAll(async () => {
      await nextTurn();
      await limiter.close();
    });

    it("passes no more than the account's limit of any kind over ten keys at once", async () => {
      for (const [name, limits, tokens] of [
        ["qps", { qps: 4 }, 1],
        ["rpm", { rpm: 4 }, 1],
        ["tpm", { tpm: 4_000 }, 1_000],
        ["concurrent", { concurrent: 4 }, 1],
      ] as const) {
        const account = accountOf(limits);
        const keys = Array.from({ length: 10 }, newName);
        const asked = [...keys, ...keys].map(async (key) => ask(key, account, { qps: 2 }, tokens));
        const verdicts = await Promise.all(asked);
        expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(4);
        for (const verdict of verdicts)
          if (!verdict.allowed) expect(verdict).toMatchObject({ level: "account", violated: name });
      }
    });

    it("counts nothing of a request in the account that its key refuses, nor in the key what the account refuses", async () => {
      const account = accountOf({ rpm: 3 });
      const [narrow, other] = [newName(), newName()];
      allowed(await ask(narrow, account, { rpm: 1 }));
      for (let call = 0; call < 5; call += 1)
        expect(refused(await ask(narrow, account, { rpm: 1 }))).toMatchObject({
          level: "key",
          violated: "rpm",
        });
      expect((await limiter.peekAccount(account))?.rpm.used).toBe(1);
      allowed(await ask(other, account));
      allowed(await ask(other, account));
      expect(refused(await ask(other, account))).toMatchObject({ level: "account", violated: "rpm" });
      expect((await limiter.peek(other, NONE, account)).rpm.used).toBe(2);
    });

    it("says when a request fits that its account refuses: when the first one leaves the account's minute", async () => {
      const account = accountOf({ rpm: 2 });
      allowed(await ask(newName(), account));
      clock.ms += 10_000;
      allowed(await ask(newName(), account));
      clock.ms += 5_000;
      const last = newName();
      expect(refused(await ask(last, account)).retryAfterMs).toBe(45_000);
      clock.ms += 44_999;
      refused(await ask(last, account));
      clock.ms += 1;
      allowed(await ask(last, account));
    });

    it("lets a call begin when another one has given its place back, once for each place", async () => {
      const account = accountOf({ concurrent: 2 });
      const key = newName();
      const first = allowed(await ask(key, account));
      allowed(await ask(newName(), account));
      expect(refused(await ask(key, account)).retryAfterMs).toBe(1_000);
      first.ticket.place?.release();
      first.ticket.place?.release();
      await nextTurn();
      allowed(await ask(key, account));
      refused(await ask(key, account));
      expect((await limiter.peekAccount(account))?.concurrent).toEqual({ limit: 2, used: 2 });
    });

    it("limits the calls at once of each key by itself", async () => {
      const [key, other] = [newName(), newName()];
      const limits = { concurrent: 1 };
      allowed(await ask(key, null, limits));
      expect(refused(await ask(key, null, limits))).toMatchObject({ level: "key", violated: "concurrent" });
      allowed(await ask(other, null, limits));
      expect((await limiter.peek(key, { ...NONE, ...limits })).concurrent).toEqual({ limit: 1, used: 1 });
    });

    it("takes no place for calls whose number is not limited", async () => {
      expect(allowed(await ask(newName(), accountOf({ rpm: 5 }))).ticket.place).toBeNull();
      expect(allowed(await ask(newName(), null)).ticket.place).toBeNull();
    });

    it("enlarges a reservation at both levels, or gives all tokens back, and keeps the place", async () => {
      const account = accountOf({ tpm: 1_000, concurrent: 1 });
      const key = newName();
      const request = (tokens: number) => ({ keyId: key, limits: NONE, account, tokens });
      const { ticket } = allowed(await limiter.admit(request(100)));
      const larger = allowed(await limiter.enlarge(ticket, request(900)));
      expect(larger.accountState?.tpm.used).toBe(900);
      expect(larger.ticket.place).toBe(ticket.place);
      await limiter.correct(larger.ticket, 50);
      expect((await limiter.peekAccount(account))?.tpm.used).toBe(50);
      ticket.place?.release();
      await nextTurn();
      const second = allowed(await limiter.admit(request(100)));
      clock.ms += 1_000;
      await limiter.correct(
        allowed(
          await limiter.admit({ ...request(0), account: { ...account, limits: { ...NONE, tpm: 1_000 } } }),
        ).ticket,
        800,
      );
      await nextTurn();
      expect(refused(await limiter.enlarge(second.ticket, request(500)))).toMatchObject({
        level: "account",
        violated: "tpm",
      });
      expect((await limiter.peekAccount(account))?.tpm.used).toBe(850);
      expect((await limiter.peek(key, NONE, account)).tpm.used).toBe(850);
    });

    it("tells in headers the limit that leaves less", async () => {
      const account = accountOf({ rpm: 3, tpm: 100_000 });
      const key = newName();
      const { state, accountState } = allowed(await ask(key, account, { rpm: 20, tpm: 4_000 }, 1_000));
      if (accountState === null) throw new Error("the account has no state");
      const { rpm, tpm, qps } = tighter(state, accountState);
      expect([rpm.limit, rpm.used, tpm.limit, tpm.used, qps.limit]).toEqual([3, 1, 4_000, 1_000, null]);
    });

    it(`agrees with a brute-force reference on ${size.traces} random traces of three keys`, {
      timeout: 180_000,
    }, async () => {
      const property = fc.asyncProperty(trace, async ({ limits, steps }) => {
        const renew = () => size.renew?.(limiter);
        await replay({ limiter, clock, renew }, limits, steps, newName());
      });
      await fc.assert(property, { numRuns: size.traces });
    });
  });
}

/** Asks a limiter and the reference the same, and compares every verdict and every count. */
async function replay(
  { limiter, clock, renew }: { limiter: Limiter; clock: ManualClock; renew: () => void },
  plans: readonly [BothLimits, BothLimits],
  steps: readonly Step[],
  name: string,
): Promise<void> {
  const reference = new ReferenceAccount();
  const open: { verdict: Extract<Admission, { allowed: true }>; call: ReferenceCall }[] = [];
  let lastWaitMs = 0;
  for (const { pauseMs, obeys, key, tokens, limits, end } of steps) {
    clock.ms += obeys && lastWaitMs > 0 ? lastWaitMs : pauseMs;
    renew();
    // A place is taken where calls at once are limited when it begins, so that limit does not come and go.
    const { account, key: ofKey } = withConcurrent(plans[limits] ?? plans[0], plans[0]);
    const level = { id: `account:${name}`, limits: account };
    const expected = reference.admit(clock.ms, key, { key: ofKey, account }, tokens);
    const verdict = await limiter.admit({ keyId: `${name}-${key}`, limits: ofKey, account: level, tokens });
    expect(verdict.allowed ? 0 : verdict.retryAfterMs).toBe(expected.waitMs);
    if (!verdict.allowed) expect(verdict.level).toBe(expected.level);
    expect(verdict.accountState?.rpm.used).toBe(reference.account.usedRequests(clock.ms, account));
    expect(verdict.accountState?.tpm.used).toBe(reference.account.usedTokens(clock.ms));
    expect(verdict.state.tpm.used).toBe(reference.keys[key]?.usedTokens(clock.ms));
    if (account.concurrent !== null)
      expect(verdict.accountState?.concurrent?.used).toBe(reference.running.length);
    if (ofKey.concurrent !== null) expect(verdict.state.concurrent?.used).toBe(reference.runningOf(key));
    lastWaitMs = expected.waitMs;
    if (verdict.allowed && expected.call !== null) open.push({ verdict, call: expected.call });
    const ended = end === null ? undefined : open.shift();
    if (end === null || ended === undefined) continue;
    await limiter.correct(ended.verdict.ticket, end);
    ended.verdict.ticket.place?.release();
    await nextTurn(); // a shared store gets it before the clock moves on
    reference.end(clock.ms, ended.call, end);
  }
  for (const { verdict } of open) verdict.ticket.place?.release();
}

function withConcurrent(limits: BothLimits, from: BothLimits): BothLimits {
  return {
    key: { ...limits.key, concurrent: from.key.concurrent ?? null },
    account: { ...limits.account, concurrent: from.account.concurrent ?? null },
  };
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

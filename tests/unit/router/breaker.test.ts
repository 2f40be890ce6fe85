import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Breaker, type BreakerEntry, MAX_EJECTION_MS } from "@/lib/router/breaker";

const MIDDLE = 0.5;

/** Enters as usual; fails the test when that is refused. */
function enter(breaker: Breaker, now: number): BreakerEntry {
  const entry = breaker.enter(now);
  if (entry === null) throw new Error(`no entry at ${now}`);
  return entry;
}

function fail(breaker: Breaker, times: number, now: number): boolean {
  let ejected = false;
  for (let i = 0; i < times; i++) ejected = breaker.failed(enter(breaker, now), now, MIDDLE);
  return ejected;
}

function recover(breaker: Breaker, now: number): void {
  for (let i = 0; i < 3; i++) breaker.succeeded(enter(breaker, now), now);
}

/** Source: docs/reliability.md#r-79, #r-84, #r-85. */
describe("breaker", () => {
  it("opens at the fifth failure in a row, for 30 s, then 60 s", () => {
    const breaker = new Breaker();
    expect(fail(breaker, 4, 0)).toBe(false);
    expect(fail(breaker, 1, 0)).toBe(true);
    expect(breaker.returnsInMs(0)).toBe(30_000);
    expect(breaker.enter(29_999)).toBeNull();
    expect(breaker.phase(30_000)).toBe("half-open");
    expect(breaker.failed(enter(breaker, 30_000), 30_000, MIDDLE)).toBe(true);
    expect(breaker.returnsInMs(30_000)).toBe(60_000);
  });

  it("jitters an ejection by at most 20 % either way", () => {
    for (const [random, expected] of [
      [0, 24_000],
      [0.999_999, 36_000],
    ] as const) {
      const breaker = new Breaker();
      for (let i = 0; i < 5; i++) breaker.failed(enter(breaker, 0), 0, random);
      expect(breaker.returnsInMs(0)).toBeCloseTo(expected, -1);
    }
  });

  it("never ejects for longer than 300 s, however often and whatever the jitter", () => {
    const breaker = new Breaker();
    for (let i = 0; i < 5; i++) breaker.failed(enter(breaker, 0), 0, 0.999_999);
    let now = 0;
    for (let i = 0; i < 20; i++) {
      now += breaker.returnsInMs(now);
      breaker.failed(enter(breaker, now), now, 0.999_999);
    }
    expect(breaker.returnsInMs(now)).toBe(MAX_EJECTION_MS);
  });

  it("starts the count anew at a success", () => {
    const breaker = new Breaker();
    for (let i = 0; i < 4; i++) {
      expect(fail(breaker, 4, i)).toBe(false);
      breaker.succeeded(enter(breaker, i), i);
    }
    expect(breaker.consecutiveFailures).toBe(0);
  });

  it("opens at half of twenty within 30 s, not before the twentieth and not at a quarter", () => {
    const half = new Breaker();
    for (let i = 0; i < 19; i++) {
      const entry = enter(half, i * 1_000);
      if (i % 2 === 0) expect(half.failed(entry, i * 1_000, MIDDLE)).toBe(false);
      else half.succeeded(entry, i * 1_000);
    }
    expect(fail(half, 1, 19_000)).toBe(true);
    expect(half.cause).toBe("rate");
    const quarter = new Breaker();
    for (let i = 0; i < 400; i++) {
      const entry = enter(quarter, i * 50);
      if (i % 4 === 0) expect(quarter.failed(entry, i * 50, MIDDLE)).toBe(false);
      else quarter.succeeded(entry, i * 50);
    }
    expect(quarter.phase(20_000)).toBe("closed");
  });

  it.each([
    [29_999, true],
    [30_000, false],
  ])("counts failures of the last 30 s only: 14 of 19, and the 20th after %d ms", (later, ejects) => {
    const breaker = new Breaker();
    for (let i = 0; i < 19; i++) {
      if (i % 4 === 3 || i === 18) breaker.succeeded(enter(breaker, 0), 0);
      else expect(fail(breaker, 1, 0)).toBe(false);
    }
    expect(fail(breaker, 1, later)).toBe(ejects);
  });

  it("lets one trial in at a time and closes after three successes", () => {
    const breaker = new Breaker();
    fail(breaker, 5, 0);
    for (let i = 0; i < 3; i++) {
      const entry = enter(breaker, 30_000 + i);
      expect(entry.kind).toBe("trial");
      expect(breaker.enter(30_000 + i)).toBeNull();
      breaker.succeeded(entry, 30_000 + i);
    }
    expect(breaker.phase(30_003)).toBe("closed");
    expect(enter(breaker, 30_003).kind).toBe("normal");
  });

  it("lets another trial in when the end of one was never reported for longer than any request may take", () => {
    const breaker = new Breaker();
    fail(breaker, 5, 0);
    enter(breaker, 30_000);
    expect(breaker.enter(30_000 + 959_999)).toBeNull();
    expect(enter(breaker, 30_000 + 960_000).kind).toBe("trial");
  });

  it("gives the trial back when it ended without a verdict", () => {
    const breaker = new Breaker();
    fail(breaker, 5, 0);
    breaker.abandoned(enter(breaker, 30_000));
    expect(enter(breaker, 30_000).kind).toBe("trial");
  });

  it("forgets one ejection per healthy minute", () => {
    const breaker = new Breaker();
    fail(breaker, 5, 0);
    breaker.failed(enter(breaker, 30_000), 30_000, MIDDLE);
    recover(breaker, 90_000);
    expect(breaker.ejections(90_000)).toBe(2);
    expect(breaker.ejections(149_999)).toBe(2);
    expect(breaker.ejections(150_000)).toBe(1);
    expect(breaker.ejections(600_000)).toBe(0);
    fail(breaker, 5, 150_000);
    expect(breaker.returnsInMs(150_000)).toBe(60_000);
  });

  it("is not moved by results of calls that began before the ejection", () => {
    const breaker = new Breaker();
    const early = Array.from({ length: 50 }, () => enter(breaker, 0));
    fail(breaker, 5, 0);
    for (const entry of early) breaker.failed(entry, 1_000, MIDDLE);
    expect(breaker.ejections(1_000)).toBe(1);
    for (const entry of early) breaker.succeeded(entry, 31_000);
    expect(breaker.phase(31_000)).toBe("half-open");
  });

  it("lets one probe a second into an open circuit, and a success begins the recovery", () => {
    const breaker = new Breaker();
    fail(breaker, 5, 0);
    const probe = breaker.enter(0, "probe");
    expect(probe?.kind).toBe("probe");
    expect(breaker.enter(999, "probe")).toBeNull();
    const second = breaker.enter(1_000, "probe");
    if (probe === null || second === null) throw new Error("no probe");
    expect(breaker.failed(probe, 1_000, MIDDLE)).toBe(false);
    expect(breaker.returnsInMs(1_000)).toBe(29_000);
    breaker.succeeded(second, 1_500);
    expect(breaker.phase(1_500)).toBe("half-open");
    breaker.succeeded(enter(breaker, 1_500), 1_500);
    breaker.succeeded(enter(breaker, 1_500), 1_500);
    expect(breaker.phase(1_500)).toBe("closed");
  });

  it("counts a broken stream half", () => {
    const breaker = new Breaker();
    for (let i = 0; i < 9; i++) expect(breaker.failed(enter(breaker, 0), 0, MIDDLE, 0.5)).toBe(false);
    expect(breaker.failed(enter(breaker, 0), 0, MIDDLE, 0.5)).toBe(true);
  });
});

type Move = {
  advanceMs: number;
  act: "enter" | "probe" | "spare" | "succeed" | "fail" | "abandon";
  random: number;
};
const moves = fc.array(
  fc.record<Move>({
    advanceMs: fc.oneof(fc.constant(0), fc.nat(1_500), fc.nat(90_000)),
    act: fc.constantFrom("enter", "probe", "spare", "succeed", "fail", "fail", "abandon"),
    random: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
  }),
  { maxLength: 300 },
);

/** Source: docs/reliability.md#r-163. */
describe("breaker on random events", () => {
  it("has at most one trial running, ejects for at most 300 s, and recovers whenever the upstream is well again", () => {
    fc.assert(
      fc.property(moves, (list) => {
        const breaker = new Breaker();
        const running: BreakerEntry[] = [];
        let now = 0;
        for (const { advanceMs, act, random } of list) {
          now += advanceMs;
          step(breaker, running, act, now, random);
          expect(breaker.returnsInMs(now)).toBeLessThanOrEqual(MAX_EJECTION_MS);
          // Entries of an earlier era are over as far as the circuit is concerned.
          const era = Math.max(0, ...running.map((entry) => entry.epoch));
          const trials = running.filter((entry) => entry.kind === "trial" && entry.epoch === era);
          if (breaker.trialRunning(now)) expect(trials.length).toBeLessThanOrEqual(1);
        }
        for (const entry of running) breaker.abandoned(entry);
        expect(healthyAgain(breaker, now)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});

function step(
  breaker: Breaker,
  running: BreakerEntry[],
  act: Move["act"],
  now: number,
  random: number,
): void {
  if (act === "enter" || act === "probe" || act === "spare") {
    const half = breaker.phase(now) === "half-open";
    const wasRunning = breaker.trialRunning(now);
    const entry = breaker.enter(now, act === "enter" ? null : act === "probe" ? "probe" : "normal");
    if (half && wasRunning) expect(entry).toBeNull();
    if (half && entry !== null) expect(entry.kind).toBe("trial");
    if (entry !== null) running.push(entry);
    return;
  }
  const entry = running.shift();
  if (entry === undefined) return;
  if (act === "succeed") breaker.succeeded(entry, now);
  else if (act === "fail") breaker.failed(entry, now, random);
  else breaker.abandoned(entry);
}

/** With an upstream that answers every call, the circuit is closed within one ejection. */
function healthyAgain(breaker: Breaker, from: number): boolean {
  for (let now = from; now <= from + MAX_EJECTION_MS + 5_000; now += 500) {
    const entry = breaker.enter(now);
    if (entry !== null) breaker.succeeded(entry, now);
  }
  return breaker.phase(from + MAX_EJECTION_MS + 5_000) === "closed";
}

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ArrivalGate } from "@/lib/ops/arrival-gate";

/** Turns one after the other, each of so many milliseconds; returns the limit after each. */
function run(
  gate: ArrivalGate,
  turns: readonly [tookMs: number, entered: number, refused: number][],
  startMs = 0,
) {
  let nowMs = startMs;
  return turns.map(([tookMs, entered, refused]) => {
    const beganMs = nowMs;
    nowMs += tookMs;
    gate.begin(beganMs);
    gate.take({ beganMs, endedMs: nowMs, entered, refused });
    return gate.limit;
  });
}

const long = (turns: number): [number, number, number][] =>
  Array.from({ length: turns }, () => [400, 800, 0]);

describe("how many requests may begin in a turn of the event loop", () => {
  test("is not limited by bursts: a long turn between short ones, and long ones far apart", () => {
    const gate = new ArrivalGate();
    const mixed = Array.from({ length: 50 }, (_, turn): [number, number, number] => [
      turn % 4 === 3 ? 20 : 300,
      900,
      0,
    ]);
    expect(new Set(run(gate, mixed))).toEqual(new Set([Number.POSITIVE_INFINITY]));
    for (let burst = 0; burst < 10; burst += 1) run(gate, [[400, 900, 0]], 100_000 + burst * 1_000);
    expect(gate.limit).toBe(Number.POSITIVE_INFINITY);
  });

  test("is limited once every turn has been long for two seconds, to what fits into 50 milliseconds", () => {
    expect(run(new ArrivalGate(), long(5))).toEqual([...Array(4).fill(Number.POSITIVE_INFINITY), 100]);
  });

  test("shrinks while turns are long, never to nothing, and grows while they are short and somebody is refused", () => {
    const gate = new ArrivalGate();
    run(gate, long(5));
    const shrinking = run(gate, Array(40).fill([80, 20, 5]), 2_000);
    expect(shrinking[0]).toBeLessThan(100);
    expect(shrinking.at(-1)).toBe(16);
    const growing = run(gate, Array(20).fill([30, 16, 5]), 5_000);
    expect(growing.at(-1)).toBeGreaterThan(40);
  });

  test("keeps a share for those who are let in, however many are refused", () => {
    const gate = new ArrivalGate();
    run(gate, long(5));
    expect(run(gate, Array(60).fill([300, 100, 3_000]), 2_000).at(-1)).toBe(300);
  });

  test("is free again a second after the last refusal", () => {
    const gate = new ArrivalGate();
    run(gate, long(5));
    const limits = run(gate, Array(60).fill([20, 10, 0]), 2_000);
    expect(limits[40]).toBe(100);
    expect(limits.at(-1)).toBe(Number.POSITIVE_INFINITY);
  });

  test("is free again at once when nothing has come for a while", () => {
    const gate = new ArrivalGate();
    run(gate, long(5));
    gate.begin(2_150);
    expect(gate.limit).toBe(100);
    gate.begin(2_250);
    expect(gate.limit).toBe(Number.POSITIVE_INFINITY);
  });

  test("is counted within the turn, and the turn that really took long is seen", async () => {
    const gate = new ArrivalGate();
    const until = performance.now() + 2_700;
    while (performance.now() < until) {
      for (let entered = 0; entered < 50; entered += 1) gate.enter();
      const end = performance.now() + 230;
      while (performance.now() < end);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(gate.limit).toBeLessThan(50);
    expect(gate.full).toBe(false);
    for (let entered = 0; entered < gate.limit; entered += 1) gate.enter();
    expect(gate.full).toBe(true);
    await sleep(5);
    expect(gate.full).toBe(false);
  });
});

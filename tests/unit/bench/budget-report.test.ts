import { expect, test } from "vitest";
import type { Sample } from "@/bench/measure";
import { budgetTable } from "@/bench/report/budget-table";
import { budgetTargets } from "@/bench/report/budget-targets";
import { isMet } from "@/bench/report/targets";

function sample(arm: string, round: number, requests: number, databaseCpuMs: number): Sample {
  return {
    suite: "budgets",
    payload: "S",
    connections: 32,
    arm,
    round,
    requests,
    activeMs: 1_000,
    p50Us: 1,
    p99Us: 1,
    cpuMs: null,
    mainThreadCpuMs: null,
    databaseCpuMs,
    residentBytes: null,
    childrenResidentBytes: null,
    childrenCpuMs: null,
    mockCpuMs: 1,
    speed: { before: 100, after: 100 },
  };
}

/** The second round is half as fast for all: only ratios within a round say something. */
const samples = [1, 2].flatMap((round) => [
  sample("tollgate", round, 1_200 / round, 120 * 1.04),
  sample("base", round, 1_200 / round, 120),
  sample("accounts", round, 1_000 / round, 100),
  sample("rules-own", round, 800 / round, 120),
  sample("rules-shared", round, 790 / round, 79),
  sample("accounts-x3", round, 900 / round, 90),
  sample("rules-shared-x3", round, 450 / round, 90),
]);

test("rules by period are told as ratios to the same load without them", () => {
  const text = budgetTable(samples);
  expect(text).toMatch(/\| five rules for each of 8 keys \| 32 \| 600 \| 0\.80 \(.*\| 0\.225 \| 1\.50 \(/);
  expect(text).toMatch(/three processes \| 32 \| 338 \| 0\.50 \(.*\| 2\.00 \(/);
  expect(budgetTable([])).toBe("");
});

test("each target of rules by period is compared with its own arm", () => {
  const found = budgetTargets(samples);
  expect(found.map((target) => [target.measured, isMet(target)])).toEqual([
    [0.8, true],
    [0.79, false],
    [0.5, true],
    [expect.closeTo(1.04), true],
  ]);
  expect(budgetTargets(samples.filter(({ arm }) => arm !== "base"))).toHaveLength(3);
});

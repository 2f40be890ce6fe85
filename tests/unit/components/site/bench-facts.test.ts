import { expect, test } from "vitest";
import bench from "@/bench/results/bench.json";
import { benchFacts } from "@/components/site/bench-facts";

const sample = (arm: string, round: number, requests: number, cpuMs: number | null = null) => ({
  suite: "headline",
  payload: "S",
  connections: 128,
  arm,
  round,
  requests,
  activeMs: 1_000,
  cpuMs,
});

test("the figures are medians of the rounds", () => {
  const samples = [
    ...[100, 300, 200].map((requests, round) => sample("tollgate", round, requests, requests / 2)),
    ...[50, 100, 50].map((requests, round) => sample("gomodel", round, requests)),
    { ...sample("tollgate", 0, 9_999, 1), connections: 1 },
    { ...sample("tollgate", 1, 250), connections: 32 },
    { ...sample("portkey", 1, 100), connections: 32 },
  ];
  expect(benchFacts({ machine: { cores: 2 }, samples })).toEqual({
    cores: 2,
    requestsPerSecond: 200,
    timesGoModel: 3,
    timesPortkey: 2.5,
    cpuMsPerRequest: 0.5,
  });
});

test("results that lack a figure are refused, and the published ones lack none", () => {
  expect(() => benchFacts({ machine: { cores: 2 }, samples: [sample("tollgate", 0, 1, 1)] })).toThrow(
    "lack a figure",
  );
  expect(benchFacts(bench).requestsPerSecond).toBeGreaterThan(0);
});

import type { SizeResult } from "../log/run-size";
import type { Sample } from "../measure";
import type { Results } from "../results";
import type { CountSample } from "../suites/counts";
import { budgetTargets } from "./budget-targets";
import { COUNT_ROWS, leanCounts } from "./counts-table";
import { cpuTargets } from "./cpu-targets";
import { logTargets } from "./log-targets";
import { streamTargets } from "./stream-targets";
import { cpuPerRequest, inRoundDifference, inRoundRatio, type Row, rowOf, rows } from "./summary";

/** One performance target and its measurement. */
export interface Target {
  what: string;
  target: number;
  /** Whether the value should be above or below the target. */
  atLeast: boolean;
  unit: string;
  measured: number;
}

const MANY = [32, 128] as const;
/** Least requests per second, as ratios to other arms of the same round. */
const THROUGHPUT = {
  tollgate: { lean: { 32: 0.38, 128: 0.47 }, gomodel: { 32: 1, 128: 1 }, portkey: { 32: 5, 128: 9 } },
  embedded: { lean: { 32: 0.28, 128: 0.4 } },
} as const;
/** The longest latency that is added at one connection. Units: milliseconds. */
const MOST_ADDED_MS = { p50: 1.5, p99: 4 } as const;
const MOST_REDIS_OF_LEAN = 0.1;

/** Every target for which the run has a figure. Source: docs/performance.md#s3. */
export function targets(results: Results, log: readonly SizeResult[]): Target[] {
  return [
    ...cpuTargets(results.samples),
    ...throughput(results.samples),
    ...latency(results.samples),
    ...conversion(results.samples),
    ...streamTargets(results.streams),
    ...counted(results.counts),
    ...redis(results.samples),
    ...budgetTargets(results.samples),
    ...results.figures.flatMap(({ name, value, unit, goal }) =>
      goal === null ? [] : [{ what: name, target: goal.value, atLeast: goal.atLeast, unit, measured: value }],
    ),
    ...logTargets(log),
  ];
}

/** Whether a target is reached. */
export function isMet({ measured, target, atLeast }: Target): boolean {
  return atLeast ? measured >= target : measured <= target;
}

/** By what factor it is missed; 1 and below: reached. */
export function missedBy({ measured, target, atLeast }: Target): number {
  return atLeast ? target / measured : measured / target;
}

function throughput(samples: readonly Sample[]): Target[] {
  return MANY.flatMap((connections) =>
    Object.entries(THROUGHPUT).flatMap(([arm, bases]) => {
      const row = rowOf(samples, "headline", arm, connections);
      if (row === null) return [];
      return Object.entries(bases).flatMap(([base, least]) => {
        const found = inRoundRatio(samples, row, base);
        if (found === null) return [];
        const what = `requests per second, ${arm}, of ${base}'s, ${connections} connections`;
        return [{ what, target: least[connections], atLeast: true, unit: "x", measured: found.median }];
      });
    }),
  );
}

function latency(samples: readonly Sample[]): Target[] {
  const row = rowOf(samples, "headline", "tollgate", 1);
  if (row === null) return [];
  const added = (what: "p50" | "p99", value: (sample: Sample) => number): Target => ({
    what: `latency added at 1 connection, ${what}`,
    target: MOST_ADDED_MS[what],
    atLeast: false,
    unit: "ms",
    measured: (inRoundDifference(samples, row, "direct", value)?.median ?? Number.NaN) / 1_000,
  });
  return [added("p50", ({ p50Us }) => p50Us), added("p99", ({ p99Us }) => p99Us)];
}

function conversion(samples: readonly Sample[]): Target[] {
  const found = rows(samples).filter(
    ({ arm, suite, payload, connections }) =>
      arm === "converted" &&
      ((suite === "headline" && payload === "S" && connections > 1) ||
        (suite === "payloads" && payload === "M")),
  );
  return found.flatMap((row: Row) => {
    const ratio = inRoundRatio(samples, row, "tollgate");
    if (ratio === null) return [];
    const tools = row.payload === "M";
    const what = `converted against same protocol, ${tools ? "with tools (M)" : "plain text (S)"}, ${row.connections} connections`;
    return [{ what, target: tools ? 0.7 : 0.9, atLeast: true, unit: "x", measured: ratio.median }];
  });
}

/** What limits in Redis add to the gateway's processor time, beyond limits in memory. */
function redis(samples: readonly Sample[]): Target[] {
  const [shared, own] = ["redis", "tollgate"].map((arm) => {
    const row = rowOf(samples, "ladder", arm, 128);
    return row && inRoundRatio(samples, row, "lean", cpuPerRequest);
  });
  if (!shared || !own) return [];
  const what = "processor time for a request added by limits in Redis, of lean's, 128 connections";
  const measured = shared.median - own.median;
  return [{ what, target: MOST_REDIS_OF_LEAN, atLeast: false, unit: "x", measured }];
}

/** At one connection the work of a batch belongs to one request, so the targets are for many. */
function counted(samples: readonly CountSample[]): Target[] {
  const busy = samples.filter(({ arm, connections }) => arm === "tollgate" && connections > 1);
  return busy.flatMap(({ connections, each }) =>
    COUNT_ROWS.flatMap(({ what, value, atMost }) => {
      if (atMost === null) return [];
      const measured = value(each, leanCounts(samples, connections));
      const name = `${what} for a request, ${connections} connections`;
      return [{ what: name, target: atMost, atLeast: false, unit: "", measured }];
    }),
  );
}

import type { Sample } from "../measure";
import { databaseCpuPerRequest, inRoundRatio, rowOf } from "./summary";
import type { Target } from "./targets";

/** The suite of rules by period. */
export const BUDGETS = "budgets";

/** An arm with rules, the same without, and the least requests per second of it. */
export const WITH_RULES = [
  { arm: "rules-own", without: "accounts", least: 0.75, words: "five rules for each of 8 keys" },
  { arm: "rules-shared", without: "accounts", least: 0.8, words: "one rule for all keys" },
  {
    arm: "rules-shared-x3",
    without: "accounts-x3",
    least: 0.4,
    words: "one rule for all keys, three processes",
  },
] as const;

/** The database's time for a request without rules, of the version before. */
const MOST_WITHOUT_RULES = 1.05;

/** What rules by period may cost, as ratios to the same load without them. Source: docs/performance.md#s3. */
export function budgetTargets(samples: readonly Sample[]): Target[] {
  return [32, 128].flatMap((connections) => [
    ...WITH_RULES.flatMap(({ arm, without, least, words }) => {
      const row = rowOf(samples, BUDGETS, arm, connections);
      const found = row && inRoundRatio(samples, row, without);
      if (!found) return [];
      const what = `requests per second, ${words}, of those without rules, ${connections} connections`;
      return [{ what, target: least, atLeast: true, unit: "x", measured: found.median }];
    }),
    ...withoutRules(samples, connections),
  ]);
}

function withoutRules(samples: readonly Sample[], connections: number): Target[] {
  const row = rowOf(samples, BUDGETS, "tollgate", connections);
  const found = row && inRoundRatio(samples, row, "base", databaseCpuPerRequest);
  if (!found) return [];
  const what = `processor time of the database without rules, of the other checkout's, ${connections} connections`;
  return [{ what, target: MOST_WITHOUT_RULES, atLeast: false, unit: "x", measured: found.median }];
}

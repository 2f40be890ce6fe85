import type { Sample } from "../measure";
import { BUDGETS, WITH_RULES } from "./budget-targets";
import { databaseCpuPerRequest, inRoundRatio, rows } from "./summary";
import { fixed, interval } from "./table";

/** What rules by period cost, as Markdown; empty where the run has none. */
export function budgetTable(samples: readonly Sample[]): string {
  const found = rows(samples).flatMap((row) => {
    const rules = WITH_RULES.find(({ arm }) => row.suite === BUDGETS && arm === row.arm);
    return rules === undefined ? [] : [{ row, rules }];
  });
  if (found.length === 0) return "";
  const lines = found.map(({ row, rules: { words, without } }) => {
    const cells = [
      words,
      String(row.connections),
      Math.round(row.perSecond).toLocaleString("en-US"),
      interval(inRoundRatio(samples, row, without), 2),
      fixed(row.databaseCpuMs, 3),
      interval(inRoundRatio(samples, row, without, databaseCpuPerRequest), 2),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| Rules | Connections | req/s | of those without rules | database's CPU ms/request | of that without rules |",
    "|---|--:|--:|--:|--:|--:|",
    ...lines,
  ].join("\n");
}

import { figureTable } from "../figures/figure";
import { dataTable, pagesTable } from "../log/report";
import type { SizeResult } from "../log/run-size";
import type { Results } from "../results";
import { budgetTable } from "./budget-table";
import { countsTable } from "./counts-table";
import { machineSentence, targetTable } from "./last-run";
import { profileTable } from "./profile-table";
import { sessionTable } from "./session-table";
import { streamTable } from "./stream-table";
import { resultTable } from "./table";
import { targets } from "./targets";

/** Every figure of a run as Markdown, without missing ones. */
export function fullReport(results: Results, log: readonly SizeResult[]): string {
  const { samples, streams, figures, counts, profiles } = results;
  const found = targets(results, log);
  const sessions = sessionTable(streams);
  const budgets = budgetTable(samples);
  return [
    machineSentence(results),
    ...(found.length === 0 ? [] : ["## Targets", targetTable(found).join("\n")]),
    ...(samples.length === 0 ? [] : ["## Requests", resultTable(results)]),
    ...(budgets === "" ? [] : ["## Rules by period", budgets]),
    ...(streams.length === 0 ? [] : ["## Streams", streamTable(streams)]),
    ...(sessions === "" ? [] : ["## Sessions of agents", sessions]),
    ...(figures.length === 0 ? [] : ["## One process", figureTable(figures)]),
    ...(counts.length === 0 ? [] : ["## Counted for a request", countsTable(counts)]),
    ...(profiles.length === 0 ? [] : ["## Where the time goes", profileTable(profiles)]),
    ...(log.length === 0 ? [] : ["## The log as it grows", dataTable(log), pagesTable(log)]),
  ].join("\n\n");
}

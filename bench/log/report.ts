import { fixed } from "../report/table";
import type { SizeResult } from "./run-size";

/** A bounded count may read this much of a small log. */
const BOUNDED_ROWS = 50_000;
const MAX_LOG_SHARE = 0.9;
const SOME_OF_LOG = 0.1;

/** Statements that scanned the whole log or a large part of it; empty when all are bounded. */
export function scans(results: readonly SizeResult[]): string[] {
  return results.flatMap(({ rows, plans }) =>
    plans.flatMap(({ endpoint, plans: found }) =>
      found
        .filter(
          ({ scannedLogRows, readLogRows }) =>
            (scannedLogRows > BOUNDED_ROWS && scannedLogRows > SOME_OF_LOG * rows) ||
            (readLogRows > BOUNDED_ROWS && readLogRows > MAX_LOG_SHARE * rows),
        )
        .map(({ readLogRows }) => `${endpoint} with ${rows} rows: ${readLogRows} rows of the log were read`),
    ),
  );
}

/** Endpoints that could not be answered. */
export function failures(results: readonly SizeResult[]): string[] {
  return results.flatMap(({ asked }) =>
    asked.flatMap(({ name, rows, failure }) =>
      failure === null ? [] : [`${name} with ${rows} rows: ${failure}`],
    ),
  );
}

/** All sizes as one Markdown table, growth and targets beside the times. */
export function dataTable(results: readonly SizeResult[]): string {
  const names = results[0]?.asked.map(({ name }) => name) ?? [];
  const sizes = results.map(({ rows }) => sizeOf(rows));
  return [
    `| Median ms (p95) | ${sizes.join(" | ")} | growth | target | log rows read |`,
    `|---|${sizes.map(() => "--:|").join("")}--:|--:|--:|`,
    ...names.map((name) => lineOf(name, results)),
    `| settled per second, 128 connections | ${results.map(({ settledPerSecond }) => Math.round(settledPerSecond)).join(" | ")} | – | – | – |`,
  ].join("\n");
}

/** The pages in the browser, as one Markdown table; empty where there is none. */
export function pagesTable(results: readonly SizeResult[]): string {
  const timed = results.filter(({ pages }) => pages !== null);
  const paths = timed[0]?.pages?.map(({ path }) => path) ?? [];
  if (paths.length === 0) return "";
  const times = (path: string) =>
    timed.map(({ pages }) => {
      const page = pages?.find((one) => one.path === path);
      return page ? `${fixed(page.medianMs, 0)} (${fixed(page.slowestMs, 0)})` : "–";
    });
  return [
    `| Page: ms until nothing is waited for (slowest of 5) | ${timed.map(({ rows }) => sizeOf(rows)).join(" | ")} |`,
    `|---|${timed.map(() => "--:|").join("")}`,
    ...paths.map((path) => `| ${path} | ${times(path).join(" | ")} |`),
  ].join("\n");
}

function sizeOf(rows: number): string {
  return `${rows.toExponential(0).replace("e+", "e")} rows`;
}

function lineOf(name: string, results: readonly SizeResult[]): string {
  const asked = results.flatMap((result) => result.asked.filter((one) => one.name === name));
  const [smallest] = asked;
  const largest = asked.at(-1);
  const growth = smallest && largest && asked.length > 1 ? largest.medianMs / smallest.medianMs : null;
  const read = results.at(-1)?.plans.find(({ endpoint }) => endpoint === name)?.plans ?? [];
  const most = Math.max(0, ...read.map(({ readLogRows }) => readLogRows));
  const times = asked.map(({ medianMs, p95Ms, failure }) =>
    failure !== null ? "failed" : `${fixed(medianMs, 1)} (${fixed(p95Ms, 1)})`,
  );
  const target = smallest?.targetMs ?? null;
  return `| ${name} | ${times.join(" | ")} | ${growth === null ? "–" : `x ${fixed(growth, 2)}`} | ${target === null ? "–" : `≤ ${target}`} | ${most} |`;
}

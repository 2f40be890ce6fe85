import type { Results } from "../results";
import type { Estimate } from "../statistics";
import { cpuPerRequest, inRoundDifference, inRoundRatio, type Row, rows } from "./summary";

const BYTES_PER_MB = 1_000_000;

/** All cells as one Markdown table. */
export function resultTable({ samples }: Results): string {
  const lines = rows(samples).map((row) => lineOf(row, samples));
  return [
    "| Suite | Payload | Connections | Arm | req/s | of lean | CPU of lean | CPU of tollgate | of raw | of portkey | p50 ms | p99 ms | p50 added ms | CPU ms/request | of it main thread | its children's | database's | mock's | RSS MB |",
    "|---|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ...lines,
  ].join("\n");
}

function lineOf(row: Row, samples: Results["samples"]): string {
  const cells = [
    row.suite,
    row.payload,
    String(row.connections),
    row.arm,
    Math.round(row.perSecond).toLocaleString("en-US"),
    interval(inRoundRatio(samples, row, "lean"), 2),
    interval(inRoundRatio(samples, row, "lean", cpuPerRequest), 2),
    interval(inRoundRatio(samples, row, "tollgate", cpuPerRequest), 2),
    interval(inRoundRatio(samples, row, "raw"), 2),
    interval(inRoundRatio(samples, row, "portkey"), 1),
    fixed(row.p50Us / 1_000, 2),
    fixed(row.p99Us / 1_000, 2),
    interval(
      scaled(
        inRoundDifference(samples, row, "direct", ({ p50Us }) => p50Us),
        1_000,
      ),
      2,
    ),
    fixed(row.cpuMs, 3),
    fixed(row.mainThreadCpuMs, 3),
    fixed(row.childrenCpuMs, 3),
    fixed(row.databaseCpuMs, 3),
    fixed(row.mockCpuMs, 3),
    fixed(row.residentBytes === null ? null : row.residentBytes / BYTES_PER_MB, 0),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** An estimate as text, e.g. `0.41 (0.39–0.42)`; a dash for nothing. */
export function interval(found: Estimate | null, digits: number): string {
  if (found === null) return "–";
  return `${found.median.toFixed(digits)} (${found.low.toFixed(digits)}–${found.high.toFixed(digits)})`;
}

/** A number as text; a dash for nothing. */
export function fixed(value: number | null, digits: number): string {
  return value === null ? "–" : value.toFixed(digits);
}

function scaled(found: Estimate | null, by: number): Estimate | null {
  if (found === null) return null;
  return { ...found, median: found.median / by, low: found.low / by, high: found.high / by };
}

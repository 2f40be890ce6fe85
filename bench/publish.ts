import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { SizeResult } from "./log/run-size";
import { barChart } from "./report/chart";
import { fullReport } from "./report/full";
import { performanceSection, readmeParagraph, throughputBars } from "./report/last-run";
import { fillMarked } from "./report/marked";
import { type Results, refusalToPublish } from "./results";

/**
 * Fills the document of performance and the README, draws the chart and writes the full report from what the last full
 * runs have saved.
 */
const FOLDER = "bench/results";
const CHART = `${FOLDER}/throughput.svg`;
const DOCUMENT = "docs/performance.md";
const README = "README.md";

const results: Results = JSON.parse(readFileSync(path.resolve(FOLDER, "bench.json"), "utf8"));
const refusal = refusalToPublish(results);
if (refusal !== null) throw new Error(`${FOLDER}/bench.json is not published: ${refusal}`);
const log = readLog(path.resolve(FOLDER, "data.json"));

const bars = throughputBars(results);
const spoken = bars
  .flatMap(({ title, bars: group }) =>
    group.map(({ name, value }) => `${title}, ${name}: ${Math.round(value)}.`),
  )
  .join(" ");
writeFileSync(CHART, barChart("Requests per second with everything switched on", spoken, bars));
const section = "performance";
const chart = path.posix.relative(path.posix.dirname(DOCUMENT), CHART);
writeFileSync(
  DOCUMENT,
  fillMarked(readFileSync(DOCUMENT, "utf8"), section, performanceSection(results, log, chart)),
);
writeFileSync(README, fillMarked(readFileSync(README, "utf8"), section, readmeParagraph(results)));
writeFileSync(`${FOLDER}/report.md`, `# Performance, all figures\n\n${fullReport(results, log)}\n`);
process.stdout.write(`${DOCUMENT}, ${README}, ${CHART} and ${FOLDER}/report.md are written\n`);

function readLog(file: string): SizeResult[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).results : [];
}

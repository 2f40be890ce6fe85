import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { describeMachine, type Machine } from "../machine";
import { startMock } from "../mock-upstream";
import { postgresOfRun } from "../postgres-server";
import { inSession } from "../session";
import { dataTable, failures, pagesTable, scans } from "./report";
import { runSize, type SizeResult } from "./run-size";

const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    out: { type: "string" },
    "no-build": { type: "boolean", default: false },
  },
});
const OUT = values.out ?? `bench/results/${values.quick ? "quick-data" : "data"}`;
const SIZES = values.quick ? [1e5] : values.full ? [1e5, 1e6, 1e7] : [1e5, 1e6];

await inSession(async (directory) => {
  const rig = {
    directory,
    mock: await startMock(),
    postgres: await postgresOfRun(directory),
    settleSeconds: values.quick ? 2 : 5,
  };
  const results: SizeResult[] = [];
  for (const rows of SIZES) results.push(await runSize(rig, rows));
  save(results, describeMachine(directory));
  process.stdout.write(`\n${dataTable(results)}\n\n${pagesTable(results)}\n`);
  const problems = [...failures(results), ...scans(results)];
  if (problems.length > 0) throw new Error(`the pages are not fit for such a log:\n${problems.join("\n")}`);
});

/** Figures as JSON, plans as text. */
function save(results: readonly SizeResult[], machine: Machine): void {
  mkdirSync(path.dirname(OUT), { recursive: true });
  const figures = results.map(({ plans, ...rest }) => ({
    ...rest,
    plans: plans.map((one) => ({ ...one, plans: one.plans.map((plan) => ({ ...plan, text: "" })) })),
  }));
  writeFileSync(
    `${OUT}.json`,
    `${JSON.stringify({ began: new Date(), machine, results: figures }, null, 1)}\n`,
  );
  const plans = results.flatMap(({ rows, plans: found }) =>
    found.map(({ endpoint, plans }) =>
      [`## ${endpoint}, ${rows} rows`, ...plans.map(({ text }) => `\`\`\`\n${text}\n\`\`\``)].join("\n\n"),
    ),
  );
  writeFileSync(`${OUT}-plans.md`, `# Statements as the database ran them\n\n${plans.join("\n\n")}\n`);
}

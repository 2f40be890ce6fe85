import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { describeMachine, type Machine } from "../machine";
import { startMock } from "../mock-upstream";
import { postgresOfRun } from "../postgres-server";
import { inSession } from "../session";
import { dataTable, failures, pagesTable, scans } from "./report";
import { dropFilled, type FilledServer, measureSize, type SizeResult, startFilled } from "./run-size";

const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    out: { type: "string" },
    build: { type: "boolean", default: true },
    pages: { type: "boolean", default: true },
    pause: { type: "boolean", default: false },
  },
  allowNegative: true,
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
  const filled: FilledServer[] = [];
  const results: SizeResult[] = [];
  try {
    for (const rows of SIZES) filled.push(await startFilled(rig, rows));
    if (values.pause) await untilEnter();
    for (const each of filled) results.push(await measureSize(rig, each, values.pages));
  } finally {
    for (const each of filled) await dropFilled(rig, each);
  }
  save(results, describeMachine(directory));
  process.stdout.write(`\n${dataTable(results)}\n\n${pagesTable(results)}\n`);
  const problems = [...failures(results), ...scans(results)];
  if (problems.length > 0) throw new Error(`the pages are not fit for such a log:\n${problems.join("\n")}`);
});

/** Filling takes long and may share the machine; measuring may not. */
async function untilEnter(): Promise<void> {
  process.stdout.write("  press Enter to measure\n");
  await once(process.stdin, "data");
  process.stdin.destroy();
}

/** Figures as JSON, plans of the largest log as text. */
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
  const plans = results
    .slice(-1)
    .flatMap(({ rows, plans: found }) =>
      found.map(({ endpoint, plans }) =>
        [`## ${endpoint}, ${rows} rows`, ...plans.map(({ text }) => `\`\`\`\n${text}\n\`\`\``)].join("\n\n"),
      ),
    );
  writeFileSync(`${OUT}-plans.md`, `# Statements as the database ran them\n\n${plans.join("\n\n")}\n`);
}

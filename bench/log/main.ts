import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { killAll } from "../child";
import { describeMachine } from "../machine";
import { startMock } from "../mock-upstream";
import { postgresOfRun, stopPostgres } from "../postgres-server";
import { dataTable, scans } from "./report";
import { runSize, type SizeResult } from "./run-size";

const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    out: { type: "string", default: "bench/results/data" },
    "no-build": { type: "boolean", default: false },
  },
});
const SIZES = values.quick ? [1e5] : values.full ? [1e5, 1e6, 1e7] : [1e5, 1e6];
const directory = mkdtempSync(path.join(tmpdir(), "tollgate-bench-"));
try {
  const rig = {
    directory,
    mock: await startMock(),
    postgres: await postgresOfRun(directory),
    settleSeconds: values.quick ? 2 : 5,
  };
  const results: SizeResult[] = [];
  for (const rows of SIZES) results.push(await runSize(rig, rows));
  save(results);
  process.stdout.write(`\n${dataTable(results)}\n`);
  const problems = scans(results);
  if (problems.length > 0) throw new Error(`the log was scanned:\n${problems.join("\n")}`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await killAll();
  stopPostgres();
  rmSync(directory, { recursive: true, force: true });
}

/** Figures as JSON, plans as text. */
function save(results: readonly SizeResult[]): void {
  mkdirSync(path.dirname(values.out), { recursive: true });
  const machine = describeMachine(directory);
  const figures = results.map(({ plans, ...rest }) => ({
    ...rest,
    plans: plans.map((one) => ({ ...one, plans: one.plans.map((plan) => ({ ...plan, text: "" })) })),
  }));
  writeFileSync(
    `${values.out}.json`,
    `${JSON.stringify({ began: new Date(), machine, results: figures }, null, 1)}\n`,
  );
  const plans = results.flatMap(({ rows, plans: found }) =>
    found.map(({ endpoint, plans }) =>
      [`## ${endpoint}, ${rows} rows`, ...plans.map(({ text }) => `\`\`\`\n${text}\n\`\`\``)].join("\n\n"),
    ),
  );
  writeFileSync(`${values.out}-plans.md`, `# Statements as the database ran them\n\n${plans.join("\n\n")}\n`);
}

// Fault tests: kill -9 everywhere, cut databases, broken upstreams, storms. `--full` uses the real waiting times.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { providePrograms } from "./machine.mjs";
import { launch, prepare, root, tool } from "./prepare.mjs";
import { add, emptyTally, readVitest, vitestReporters } from "./test-report.mjs";

const REPORT = path.join(root, "test-results", "faults.md");

/**
 * Runs them on the existing build. `names`: files by their names, e.g. `kill-requests` or `ledger`; none: all. Returns the
 * tally and writes the report.
 */
export async function runFaults({ env, names = [], full = false }) {
  const files = names.filter((name) => name !== "ledger");
  const runs = {
    ...(names.length === 0 || files.length > 0 ? { faults: {} } : {}),
    ...(names.length === 0 || names.includes("ledger")
      ? { ledger: { LEDGER_MODEL_RUNS: full ? "3500" : "300" } }
      : {}),
  };
  const folder = mkdtempSync(path.join(tmpdir(), "tollgate-faults-"));
  const tally = emptyTally();
  const lines = [];
  try {
    for (const [project, variables] of Object.entries(runs)) {
      const report = path.join(folder, `${project}.json`);
      const chosen = project === "faults" ? files : [];
      // A database crash loses no data only with durable writes.
      const durable = { TEST_DATABASE_DURABLE: "1", ...(full ? { FAULTS_FULL: "1" } : {}) };
      const succeeded = await runProject(project, chosen, report, { ...env, ...variables, ...durable });
      const found = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : null;
      add(tally, readVitest(found, succeeded));
      lines.push(...describe(found));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  mkdirSync(path.dirname(REPORT), { recursive: true });
  writeFileSync(REPORT, `# Fault tests\n\n${[...lines, ...tally.notes, "", sum(tally)].join("\n")}\n`);
  return tally;
}

function runProject(project, files, report, env) {
  const args = ["run", "--config", "vitest.faults.config.ts", "--project", project, ...files];
  return launch(process.execPath, [tool("vitest/vitest.mjs"), ...args, ...vitestReporters(report)], { env });
}

function describe(report) {
  return (report?.testResults ?? []).flatMap((file) =>
    file.assertionResults.map(
      ({ status, fullName, duration }) =>
        `- ${status}: ${fullName} (${Math.round((duration ?? 0) / 100) / 10} s)`,
    ),
  );
}

function sum({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await prepare();
  const missing = await providePrograms({ faults: true });
  const { buildWhenChanged } = await import("./build.mjs");
  await buildWhenChanged();
  const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  const tally = await runFaults({ env: process.env, names, full: process.argv.includes("--full") });
  for (const note of [...missing, ...tally.notes]) process.stdout.write(`${note}\n`);
  process.stdout.write(`Report: ${path.relative(root, REPORT)}\n${sum(tally)}\n`);
  process.exitCode = tally.failed === 0 ? 0 : 1;
}

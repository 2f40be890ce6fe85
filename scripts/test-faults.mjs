// Fault tests: kill -9 everywhere, cut databases, broken upstreams, storms. `--full` takes the real waiting times.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { providePrograms } from "./machine.mjs";
import { checkNode, installPackages, root, tool } from "./prepare.mjs";
import { add, emptyTally, readVitest } from "./test-report.mjs";

const REPORT = path.join(root, "test-results", "faults.md");
const full = process.argv.includes("--full");
/** Files by their names, e.g. `npm run test:faults -- kill-requests ledger`; without any, all. */
const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const files = names.filter((name) => name !== "ledger");
const RUNS = {
  ...(names.length === 0 || files.length > 0 ? { faults: {} } : {}),
  ...(names.length === 0 || names.includes("ledger")
    ? { ledger: { LEDGER_MODEL_RUNS: full ? "3500" : "300" } }
    : {}),
};

checkNode();
process.chdir(root);
const folder = mkdtempSync(path.join(tmpdir(), "tollgate-faults-"));
const tally = emptyTally();
const lines = [];
try {
  installPackages();
  tally.notes.push(...providePrograms());
  const { buildWhenChanged } = await import("./build.mjs");
  await buildWhenChanged();
  for (const [name, variables] of Object.entries(RUNS)) {
    const report = path.join(folder, `${name}.json`);
    const succeeded = runVitest(name, report, variables);
    const found = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : null;
    add(tally, readVitest(found, succeeded));
    lines.push(...describe(found));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const sum = `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`;
mkdirSync(path.dirname(REPORT), { recursive: true });
writeFileSync(REPORT, `# Fault tests\n\n${[...lines, ...tally.notes].join("\n")}\n\n${sum}\n`);
for (const note of tally.notes) process.stdout.write(`${note}\n`);
process.stdout.write(`Report: ${path.relative(root, REPORT)}\n${sum}\n`);
process.exitCode = tally.failed === 0 ? 0 : 1;

function runVitest(name, report, variables) {
  const chosen = name === "faults" ? files : [];
  const args = ["run", "--config", "vitest.faults.config.ts", "--project", name, ...chosen];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  // Crashes of the database lose nothing only where it is durable.
  const env = {
    ...process.env,
    ...variables,
    TEST_DATABASE_DURABLE: "1",
    ...(full ? { FAULTS_FULL: "1" } : {}),
  };
  const stdio = ["ignore", "inherit", "inherit"];
  return (
    spawnSync(process.execPath, [tool("vitest/vitest.mjs"), ...args, ...reporters], { cwd: root, env, stdio })
      .status === 0
  );
}

function describe(report) {
  return (report?.testResults ?? []).flatMap((file) =>
    file.assertionResults.map(
      ({ status, fullName, duration }) =>
        `- ${status}: ${fullName} (${Math.round((duration ?? 0) / 100) / 10} s)`,
    ),
  );
}

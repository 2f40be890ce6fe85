// Sums over all parts of the test run.
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

/** Nothing counted yet. */
export function emptyTally() {
  return { passed: 0, failed: 0, skipped: 0, notes: [] };
}

/** Adds one part to the sum. */
export function add(tally, part) {
  tally.passed += part.passed;
  tally.failed += part.failed;
  tally.skipped += part.skipped;
  tally.notes.push(...part.notes);
}

/** One check that passed or failed. */
export function single(passed) {
  return { ...emptyTally(), passed: passed ? 1 : 0, failed: passed ? 0 : 1 };
}

/** Arguments of vitest with which it writes the report that `readVitest` reads. */
export function vitestReporters(file) {
  const report = fileURLToPath(new URL("vitest-report.mjs", import.meta.url));
  return ["--reporter=default", `--reporter=${report}`, `--outputFile.json=${file}`];
}

/** Counts of a vitest JSON report. A file that could not be loaded, and errors outside tests, are failures. */
export function readVitest(report, succeeded) {
  const tally = emptyTally();
  if (report === null) return { ...tally, failed: 1, notes: ["vitest ended without a report"] };
  const skipped = new Map();
  const failures = [];
  for (const file of report.testResults) {
    if (file.status === "failed" && file.assertionResults.every(({ status }) => status !== "failed"))
      failures.push(file.name);
    for (const test of file.assertionResults) {
      if (test.status === "passed") tally.passed += 1;
      else if (test.status === "failed")
        failures.push(`${file.name} › ${test.fullName}${reasons(test.failureMessages)}`);
      else {
        tally.skipped += 1;
        const group = test.ancestorTitles.filter(Boolean).slice(0, 2).join(" › ") || test.title;
        skipped.set(group, (skipped.get(group) ?? 0) + 1);
      }
    }
  }
  for (const error of report.errorsOutsideTests ?? []) failures.push(`vitest, outside its tests: ${error}`);
  if (!succeeded && failures.length === 0) failures.push("vitest, outside its tests");
  tally.failed = failures.length;
  tally.notes = [
    ...[...skipped].map(([group, count]) => `skipped ${count}: ${group}`),
    ...failures.map((name) => `failed: ${name}`),
  ];
  return tally;
}

/** Counts of a Playwright JSON report. */
export function readPlaywright(report, succeeded) {
  if (report === null) return { ...emptyTally(), failed: 1, notes: ["Playwright ended without a report"] };
  const { expected, flaky, unexpected, skipped } = report.stats;
  const failed = unexpected + (report.errors?.length ?? 0);
  return {
    passed: expected + flaky,
    failed: failed === 0 && !succeeded ? 1 : failed,
    skipped,
    notes: [
      ...(skipped > 0 ? [`skipped ${skipped}: browser tests that say so themselves`] : []),
      ...[...specsOf(report)]
        .filter(({ spec }) => !spec.ok)
        .map(({ suite, spec }) => `failed: ${suite.file} › ${spec.title}${reasons(errorsOf(spec))}`),
    ],
  };
}

/** Units: lines of each error. */
const SHOWN_LINES = 6;

/** The beginnings of a test's errors, one for each try, to be added to its name. */
function reasons(errors = []) {
  const texts = errors.map((error) => stripVTControlCharacters(error).split("\n").slice(0, SHOWN_LINES));
  return texts.map((lines) => lines.map((line) => `\n  ${line}`).join("")).join("");
}

function errorsOf(spec) {
  return spec.tests.flatMap(({ results }) =>
    results.flatMap(({ errors }) => errors.map(({ message }) => message ?? "")),
  );
}

/** Each spec of a Playwright report with the suite it stands in. */
function* specsOf(report) {
  const suites = [...(report?.suites ?? [])];
  for (const suite of suites) {
    for (const spec of suite.specs ?? []) yield { suite, spec };
    suites.push(...(suite.suites ?? []));
  }
}

/** The duration of each file of a vitest report, in milliseconds. */
export function vitestTimes(report) {
  const files = report?.testResults ?? [];
  return new Map(files.map((file) => [file.name, file.endTime - file.startTime]));
}

/** The duration of each file of a Playwright report, in milliseconds. */
export function playwrightTimes(report) {
  const times = new Map();
  for (const { suite, spec } of specsOf(report)) {
    const file = `${report.config.rootDir}/${suite.file}`;
    for (const { results } of spec.tests) {
      const ms = results.reduce((sum, { duration }) => sum + duration, 0);
      times.set(file, (times.get(file) ?? 0) + ms);
    }
  }
  return times;
}

/** The slowest files, one per line. */
export function describeSlowest(times, count) {
  const slowest = [...times].sort(([, one], [, other]) => other - one).slice(0, count);
  const lines = slowest.map(([file, ms]) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`);
  return `The ${lines.length} slowest files:\n${lines.join("\n")}\n`;
}

// Sums over all parts of the test run.

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

/** Counts of a vitest JSON report. A file that could not be loaded, and errors outside tests, are failures. */
export function readVitest(report, succeeded) {
  const tally = emptyTally();
  if (report === null) return { ...tally, failed: 1, notes: ["vitest ended without a report"] };
  const skipped = new Map();
  for (const file of report.testResults) {
    if (file.status === "failed" && file.assertionResults.every(({ status }) => status !== "failed"))
      tally.failed += 1;
    for (const test of file.assertionResults) {
      if (test.status === "passed") tally.passed += 1;
      else if (test.status === "failed") tally.failed += 1;
      else {
        tally.skipped += 1;
        const group = test.ancestorTitles.filter(Boolean).slice(0, 2).join(" › ") || test.title;
        skipped.set(group, (skipped.get(group) ?? 0) + 1);
      }
    }
  }
  if (!succeeded && tally.failed === 0) tally.failed = 1;
  tally.notes = [...skipped].map(([group, count]) => `skipped ${count}: ${group}`);
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
    notes: skipped > 0 ? [`skipped ${skipped}: browser tests that say so themselves`] : [],
  };
}

/** The duration of each file of a vitest report, in milliseconds. */
export function vitestTimes(report) {
  const files = report?.testResults ?? [];
  return new Map(files.map((file) => [file.name, file.endTime - file.startTime]));
}

/** The duration of each file of a Playwright report, in milliseconds. */
export function playwrightTimes(report) {
  const times = new Map();
  const visit = (suite) => {
    for (const { tests } of suite.specs ?? []) {
      for (const { results } of tests) {
        const ms = results.reduce((sum, { duration }) => sum + duration, 0);
        const file = `${report.config.rootDir}/${suite.file}`;
        times.set(file, (times.get(file) ?? 0) + ms);
      }
    }
    for (const inner of suite.suites ?? []) visit(inner);
  };
  for (const suite of report?.suites ?? []) visit(suite);
  return times;
}

/** The slowest files, one per line. */
export function describeSlowest(times, count) {
  const slowest = [...times].sort(([, one], [, other]) => other - one).slice(0, count);
  const lines = slowest.map(([file, ms]) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`);
  return `The ${lines.length} slowest files:\n${lines.join("\n")}\n`;
}

// Types, lint, unit, API, SDK and browser tests; finds or installs the programs they need. `--all`: also repeats them
// on other looks, the fault tests and a short run of the benchmark. `--record`: keeps the measured times of the files.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findTestBrowser, providePrograms } from "./machine.mjs";
import { launch, prepare, root, tool } from "./prepare.mjs";
import { runFaults } from "./test-faults.mjs";
import {
  add,
  describeSlowest,
  emptyTally,
  playwrightTimes,
  readPlaywright,
  readVitest,
  single,
  vitestReporters,
  vitestTimes,
} from "./test-report.mjs";

// Each page in each theme and language on its own, details of pages that no other test needs, and what one of several
// like cases shows as well: `--all` has them. Without it a page is opened once, in English and light, on a phone, and in
// Chinese and dark. `TEST_ALL` tells the tests themselves: those of recorded traffic then take all of it for every
// library. `TEST_SHORT` tells vitest.config.ts to leave files out.
const REPEATS = [
  "pass axe",
  "passes axe",
  "(light|dark), (en|zh-CN)$",
  "fits a screen of 320 pixels$",
  "in dark and light, is hindered",
  "scrolls sideways",
  "(announcements|charts|console-errors|contact|first-data|kitchen|list-columns|lists|long-names|models|odd-input)\\.spec",
  "(palette|reference|settings|sign-ins|states|status-page)\\.spec",
  "(key-details|playground-(conversations|functions|images|settings)|record-form|tables|unsaved-input|usage-groups)\\.spec",
  "log-(list|receipts|values|views)\\.spec",
  "admin-(audit|details|failures|forms|import|node-setup|palette|price-list|rehearsal|traffic|usage|user)\\.spec",
  "regressions(-admin|-account)?\\.spec",
  "an account's page fits",
  "login never leads to another site: (//|/\\\\|javascript)",
  "a (402|403|404|503) is told in words",
  "stays in its place at 1280 px",
  "at 1280 pixels$",
  "usable within 3 s",
  "connect and verify (passes for Claude Code|says)",
  "the charts are loaded where",
  "the head of the public pages is one row, zh-CN",
];
const TIMES_FILE = path.join(root, "tests", "file-times.json");
const SHORT_BENCH = ["--quick", "--no-build", "--rounds", "1", "--seconds", "1"];

const all = process.argv.includes("--all");
await prepare();
const environment = cleanEnvironment();
const reports = mkdtempSync(path.join(tmpdir(), "tollgate-tests-"));
const tally = emptyTally();
const times = new Map();
const parts = [];
try {
  const programs = timed("programs, beside the build", () => providePrograms({ faults: all }));
  const { buildWhenChanged } = await import("./build.mjs");
  await timed("build", buildWhenChanged);
  tally.notes.push(...(await programs));
  add(tally, await timed("checks", checkSources));
  add(tally, await timed("unit, API and SDK tests", runVitest));
  add(tally, await timed("browser tests", runBrowserTests));
  if (all) {
    add(tally, await timed("faults", () => runFaults({ env: environment })));
    add(tally, await timed("short benchmark", runBench));
  }
} finally {
  rmSync(reports, { recursive: true, force: true });
}
if (process.argv.includes("--record")) recordTimes();
process.stdout.write(describeSlowest(times, 10));
process.stdout.write(`The parts: ${parts.join(", ")}\n`);
for (const note of tally.notes) process.stdout.write(`${note}\n`);
process.stdout.write(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped\n`);
process.exitCode = tally.failed === 0 ? 0 : 1;

/** Keeps how long a part took. */
async function timed(name, part) {
  const start = performance.now();
  const result = await part();
  parts.push(`${name} ${Math.round((performance.now() - start) / 1_000)} s`);
  return result;
}

/** Settings of this machine's gateway must not reach the tests. */
function cleanEnvironment() {
  const example = readFileSync(path.join(root, ".env.example"), "utf8");
  const settings = [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]);
  const proxies = ["HTTPS_PROXY", "NO_PROXY"];
  const kept = Object.entries(process.env).filter(
    ([name]) => !settings.includes(name) || proxies.includes(name),
  );
  return { ...Object.fromEntries(kept), CI: "true", [all ? "TEST_ALL" : "TEST_SHORT"]: "1" };
}

async function checkSources() {
  const { runChecks } = await import("./check.mjs");
  const sum = emptyTally();
  for (const [name, passed] of await runChecks()) {
    add(sum, single(passed));
    if (!passed) sum.notes.push(`failed: ${name}`);
  }
  return sum;
}

async function runVitest() {
  const file = path.join(reports, "vitest.json");
  const succeeded = await start(tool("vitest/vitest.mjs"), ["run", ...vitestReporters(file)]);
  const report = readReport(file);
  keepTimes(vitestTimes(report));
  return readVitest(report, succeeded);
}

async function runBrowserTests() {
  const browser = await browserVariables();
  if (browser === null) {
    const notes = ["skipped 1: all browser tests, because there is no Chromium"];
    return { ...emptyTally(), skipped: 1, notes };
  }
  const file = path.join(reports, "playwright.json");
  const variables = { ...browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const selection = all ? [] : ["--grep-invert", REPEATS.join("|")];
  const choice = ["test", "--reporter=list,json", ...selection];
  const succeeded = await start(tool("@playwright/test/cli.js"), choice, variables);
  const report = readReport(file);
  keepTimes(playwrightTimes(report));
  return readPlaywright(report, succeeded);
}

async function runBench() {
  const passed = await start(path.join(root, "bench", "run.mjs"), ["bench", ...SHORT_BENCH]);
  return { ...single(passed), notes: passed ? [] : ["failed: the short run of the benchmark"] };
}

/** A browser of the machine, or else Playwright's own; null without one. */
async function browserVariables() {
  const chromium = process.env.CHROMIUM_PATH || findTestBrowser();
  if (chromium) return { CHROMIUM_PATH: chromium };
  return (await start(tool("@playwright/test/cli.js"), ["install", "chromium"])) ? {} : null;
}

function start(file, args, variables = {}) {
  return launch(process.execPath, [file, ...args], { env: { ...environment, ...variables } });
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

function keepTimes(found) {
  for (const [file, ms] of found) times.set(path.relative(root, file), Math.round(ms));
}

/** The durations that determine the order of the files; see tests/support/longest-first.ts. */
function recordTimes() {
  const sorted = [...times].sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(TIMES_FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

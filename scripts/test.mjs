// Everything: types, lint, unit, API, SDK and browser tests, with what they need found or installed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findChromium, providePrograms } from "./machine.mjs";
import { checkNode, installPackages, root, tool } from "./prepare.mjs";
import { add, emptyTally, readPlaywright, readVitest, single } from "./test-report.mjs";

// Each page in each theme and language, and each detail of charts and lists, take minutes: `npm run test:browsers` has
// them. Here every page of the admin is tried light in English and dark in Chinese.
const LEFT_OUT = [
  "pass axe",
  "passes axe",
  "(dark, en|light, zh-CN)$",
  "in dark and light, is hindered",
  "scrolls sideways",
  "charts\\.spec",
  "log-list\\.spec",
];

checkNode();
process.chdir(root);
const environment = cleanEnvironment();
const reports = mkdtempSync(path.join(tmpdir(), "tollgate-tests-"));
const tally = emptyTally();
try {
  installPackages();
  tally.notes.push(...providePrograms());
  const { buildWhenChanged } = await import("./build.mjs");
  await buildWhenChanged();
  await runChecks();
  add(tally, runVitest());
  add(tally, runBrowserTests());
} finally {
  rmSync(reports, { recursive: true, force: true });
}
for (const note of tally.notes) process.stdout.write(`${note}\n`);
process.stdout.write(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped\n`);
process.exitCode = tally.failed === 0 ? 0 : 1;

/** Settings of this machine's gateway must not reach the tests. */
function cleanEnvironment() {
  const example = readFileSync(path.join(root, ".env.example"), "utf8");
  const settings = [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]);
  const proxies = ["HTTPS_PROXY", "NO_PROXY"];
  const kept = Object.entries(process.env).filter(
    ([name]) => !settings.includes(name) || proxies.includes(name),
  );
  return { ...Object.fromEntries(kept), CI: "true" };
}

async function runChecks() {
  const { checks } = await import("./check.mjs");
  for (const [name, check] of Object.entries(checks)) {
    const passed = check();
    add(tally, single(passed));
    if (!passed) tally.notes.push(`failed: ${name}`);
  }
}

function runVitest() {
  const file = path.join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const succeeded = launch(tool("vitest/vitest.mjs"), ["run", ...reporters], {});
  return readVitest(readReport(file), succeeded);
}

function runBrowserTests() {
  const folder = path.join(root, "tests", "e2e");
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const tests = files.filter((name) => /\.(spec|test)\.ts$/.test(name)).length;
  if (tests === 0) return emptyTally();
  const browser = browserVariables();
  if (browser === null)
    return {
      ...emptyTally(),
      skipped: tests,
      notes: [`skipped ${tests} files of browser tests: no Chromium`],
    };
  const file = path.join(reports, "playwright.json");
  const variables = { ...browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const selection = ["--grep-invert", LEFT_OUT.join("|")];
  const choice = ["test", "--reporter=list,json", ...selection];
  const succeeded = launch(tool("@playwright/test/cli.js"), choice, variables);
  return readPlaywright(readReport(file), succeeded);
}

/** A browser of the machine, or as the last resort Playwright's own; null when there is none. */
function browserVariables() {
  const chromium = process.env.CHROMIUM_PATH || findChromium();
  if (chromium) return { CHROMIUM_PATH: chromium };
  return launch(tool("@playwright/test/cli.js"), ["install", "chromium"], {}) ? {} : null;
}

function launch(file, args, variables) {
  const env = { ...environment, ...variables };
  return (
    spawnSync(process.execPath, [file, ...args], { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] })
      .status === 0
  );
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

import { defineConfig } from "@playwright/test";
import { findTestBrowser } from "./scripts/machine.mjs";
import { runDirectory } from "./tests/support/run-directory";

runDirectory(); // its workers, which read this file again, find it in the environment
const chromium = process.env.CHROMIUM_PATH || findTestBrowser();

const browserArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-extensions",
  "--disable-site-isolation-trials",
  "--no-first-run",
  // Letters of a snapshot look alike on every machine.
  "--font-render-hinting=none",
  "--disable-lcd-text",
];

export default defineConfig({
  testDir: "tests/e2e",
  globalSetup: "./tests/e2e/support/global-setup.ts",
  workers: 2,
  fullyParallel: true,
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  expect: {
    timeout: 10_000,
    toHaveScreenshot: { maxDiffPixelRatio: 0.002, stylePath: "tests/e2e/support/snapshots.css" },
  },
  snapshotPathTemplate: "{testDir}/snapshots/{arg}{ext}",
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  use: {
    contextOptions: { reducedMotion: "reduce" },
    viewport: { width: 1440, height: 900 },
    // A test that fails is run again and then recorded; recording every test costs a third of the time.
    trace: process.env.CI ? "on-first-retry" : "retain-on-failure",
    launchOptions: { ...(chromium ? { executablePath: chromium } : {}), args: browserArguments },
  },
});

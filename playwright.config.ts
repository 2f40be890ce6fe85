import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { defineConfig } from "@playwright/test";

// Workers read this file again; they must find the port and the directory that the first reading chose.
process.env.TOLLGATE_E2E_PORT ??= String(20_000 + Math.floor(Math.random() * 20_000));
process.env.TOLLGATE_E2E_DATA ??= mkdtempSync(path.join(tmpdir(), "tg-e2e-"));
const PORT = Number(process.env.TOLLGATE_E2E_PORT);
const chromium = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find((file) => file && existsSync(file));

const browserArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export default defineConfig({
  testDir: "tests/e2e",
  workers: 1,
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    viewport: { width: 1440, height: 900 },
    trace: "retain-on-failure",
    launchOptions: { ...(chromium ? { executablePath: chromium } : {}), args: browserArguments },
  },
  webServer: {
    command: `node dist/server.js`,
    url: `http://127.0.0.1:${PORT}/api/health/ready`,
    timeout: 120_000,
    gracefulShutdown: { signal: "SIGINT", timeout: 10_000 },
    env: {
      NODE_ENV: "production",
      PORT: String(PORT),
      DATA_DIR: process.env.TOLLGATE_E2E_DATA,
      INIT_ADMIN_PASSWORD: "correct-horse-battery",
      LOGIN_PER_IP_PER_MINUTE: "100000",
      REGISTER_PER_IP_PER_MINUTE: "100000",
      ALLOW_PRIVATE_UPSTREAMS: "1",
      CONFIG_FILE: "tests/e2e/support/tollgate.yaml",
      DEMO_PROVIDER: "1",
      LOG_LEVEL: "warn",
    },
  },
});

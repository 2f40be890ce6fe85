import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { defineConfig } from "@playwright/test";

const PORT = 24_731;
const chromium = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find((file) => file && existsSync(file));

// Workers read this file again; they must find the directory that the first reading made.
process.env.TOLLGATE_E2E_DATA ??= mkdtempSync(path.join(tmpdir(), "tg-e2e-"));

export default defineConfig({
  testDir: "tests/e2e",
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    viewport: { width: 1440, height: 900 },
    trace: "retain-on-failure",
    launchOptions: { ...(chromium ? { executablePath: chromium } : {}), args: ["--no-sandbox"] },
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
      LOG_LEVEL: "warn",
    },
  },
});

// Takes the screenshots of the README from a new demo, light and dark, into public/screenshots.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "@playwright/test";
import { findChromium } from "./machine.mjs";
import { prepare, root } from "./prepare.mjs";

const PORT = process.env.PORT ?? "3000";
const BASE = `http://127.0.0.1:${PORT}`;
const ADMIN = { username: "admin", password: "of-the-pictures-only" };
const FOLDER = path.join(root, "public", "screenshots");
const SIZE = { width: 1440, height: 900 };
const QUALITY = 80;
const START_WITHIN_MS = 300_000;

await prepare();
const dataDir = mkdtempSync(path.join(tmpdir(), "tollgate-screenshots-"));
const server = startDemo();
try {
  await waitUntilReady();
  await takeAll();
} finally {
  await stopDemo();
  rmSync(dataDir, { recursive: true, force: true });
}

function startDemo() {
  const env = {
    ...process.env,
    PORT,
    DATA_DIR: dataDir,
    INIT_ADMIN_PASSWORD: ADMIN.password,
    LOG_LEVEL: "error",
  };
  return spawn(process.execPath, ["scripts/start.mjs", "--demo"], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

async function stopDemo() {
  if (server.exitCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGINT");
  await ended;
}

async function waitUntilReady() {
  const end = Date.now() + START_WITHIN_MS;
  while (Date.now() < end) {
    if (server.exitCode !== null) throw new Error("The demo did not start; its message is above.");
    const ready = await fetch(`${BASE}/api/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error("The demo did not become ready.");
}

async function takeAll() {
  mkdirSync(FOLDER, { recursive: true });
  const executablePath = process.env.CHROMIUM_PATH || findChromium() || undefined;
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const admin = await post("/api/user/login", ADMIN);
    const requestId = await someTraffic(admin.token);
    for (const theme of ["light", "dark"]) await takeTheme(browser, theme, admin.token, requestId);
  } finally {
    await browser.close();
  }
}

/** Sends calls that cause a failover and open the circuit of a node. Returns the id of a request with failover. */
async function someTraffic(token) {
  const { key } = await post("/api/user/tokens", { name: "Pictures", planId: 3 }, token);
  let last = "";
  for (let index = 0; index < 6; index += 1) {
    for (const model of ["sim-resilient", "sim-large", "claude-sim"]) {
      const body = { model, max_tokens: 200, messages: [{ role: "user", content: "Hello" }] };
      const answer = await send("/v1/chat/completions", body, key);
      await answer.text();
      if (model === "sim-resilient" && index === 0) last = answer.headers.get("x-request-id");
    }
  }
  return last;
}

async function takeTheme(browser, theme, token, requestId) {
  const context = await browser.newContext({
    viewport: SIZE,
    baseURL: BASE,
    locale: "en-US",
    reducedMotion: "reduce",
  });
  await context.addCookies([
    { name: "theme", value: theme, url: BASE },
    { name: "locale", value: "en", url: BASE },
  ]);
  const page = await context.newPage();
  await take(page, "landing", theme, "/");
  await signIn(page, token);
  await take(page, "overview", theme, "/console");
  await take(page, "usage", theme, "/console/usage?period=7d");
  await take(page, "log", theme, `/console/logs?request=${requestId}`);
  await take(page, "key", theme, "/console/keys?create=1", revealKey);
  await take(page, "nodes", theme, "/admin/nodes");
  await take(page, "rehearsal", theme, "/admin/rehearsal?model=sim-large", supposeFaults);
  await context.close();
}

async function signIn(page, token) {
  const { csrfToken } = await (await page.request.get("/api/auth/csrf")).json();
  const form = { csrfToken, jwt: token, json: "true" };
  await page.request.post("/api/auth/callback/credentials", { form });
}

/** Creates a key in a database that is deleted afterwards. */
async function revealKey(page) {
  await page.getByRole("dialog").getByLabel("Name").fill("Build server");
  await page.keyboard.press("Enter");
  await page.getByLabel("Your new API key").waitFor();
}

async function supposeFaults(page) {
  await page.getByLabel("demo-chat-node").selectOption("down");
  await page.getByText("What the router learns").waitFor();
}

/** A page that is not taken over yet does not answer. */
async function hideNotice(page) {
  const notice = page.getByRole("button", { name: "Hide this announcement" });
  while (await notice.isVisible()) {
    await notice.click();
    await page.waitForTimeout(250);
  }
}

async function take(page, name, theme, address, prepare) {
  await page.goto(address);
  await page.waitForLoadState("networkidle");
  if (!prepare && !(await page.getByRole("dialog").isVisible())) await hideNotice(page);
  await prepare?.(page);
  await page.mouse.move(0, 0);
  await page.waitForTimeout(500);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  writeFileSync(path.join(FOLDER, `${name}-${theme}.webp`), Buffer.from(data, "base64"));
}

function send(address, body, token) {
  const headers = {
    "content-type": "application/json",
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  return fetch(BASE + address, { method: "POST", headers, body: JSON.stringify(body) });
}

async function post(address, body, token) {
  const answer = await send(address, body, token);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

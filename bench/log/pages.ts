import { type Browser, chromium, type Page } from "@playwright/test";
import { findChromium } from "@/scripts/machine.mjs";
import { median } from "../statistics";
import type { TollgateServer } from "../tollgate-server";

/** How long a page took, from the start of its navigation until nothing in it is waited for. Units: milliseconds. */
export interface PageTime {
  path: string;
  medianMs: number;
  slowestMs: number;
}

const CONSOLE = [
  "",
  "/keys",
  "/usage",
  "/usage?period=30d",
  "/logs",
  "/logs?status=error",
  "/billing",
  "/limits",
];
const ADMIN = [
  "",
  "?period=30d",
  "/nodes",
  "/models",
  "/plans",
  "/users",
  "/logs",
  "/logs?status=error",
  "/audit",
];
const PATHS = [...CONSOLE.map((rest) => `/console${rest}`), ...ADMIN.map((rest) => `/admin${rest}`)];
const TIMES = 5;
const PAGE_TIMEOUT_MS = 30_000;
/** What still stands for something that is on its way. */
const WAITING = 'main .skeleton, main [aria-busy="true"]';
/** Nothing was waited for or asked for so long. */
const QUIET_MS = 300;

/** Opens every page with figures in Chromium as the account that owns the log, warm. Null: no Chromium here. */
export async function timePages(server: TollgateServer): Promise<PageTime[] | null> {
  const executablePath = process.env.CHROMIUM_PATH ?? findChromium();
  if (!executablePath) return null;
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await openedPage(browser, server);
    const times: PageTime[] = [];
    for (const path of PATHS) times.push({ path, ...(await timed(page, path)) });
    return times;
  } finally {
    await browser.close();
  }
}

async function openedPage(browser: Browser, server: TollgateServer): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const { csrfToken } = await (await page.request.get("/api/auth/csrf")).json();
  const form = { csrfToken, jwt: await server.login(), json: "true" };
  await page.request.post("/api/auth/callback/credentials", { form });
  return page;
}

async function timed(page: Page, path: string): Promise<Omit<PageTime, "path">> {
  await opened(page, path);
  const times: number[] = [];
  for (let turn = 0; turn < TIMES; turn++) times.push(await opened(page, path));
  return { medianMs: median(times), slowestMs: Math.max(...times) };
}

/** Goes there and returns when the last placeholder went or the last answer came. Throws: when that never happens. */
async function opened(page: Page, path: string): Promise<number> {
  const answer = await page.goto(path, { timeout: PAGE_TIMEOUT_MS });
  if (answer?.status() !== 200) throw new Error(`${path}: ${answer?.status()}`);
  const settled = await page.waitForFunction(
    contentAt,
    { waiting: WAITING, quietMs: QUIET_MS },
    {
      polling: "raf",
      timeout: PAGE_TIMEOUT_MS,
    },
  );
  return Number(await settled.jsonValue());
}

/** Runs in the page, every frame: 0 while anything is on its way, then the moment at which the last of it had come. */
function contentAt(order: { waiting: string; quietMs: number }): number {
  const seen = window as unknown as { lastWaiting?: number }; // a place of its own in a page that is gone soon
  const now = performance.now();
  const waiting =
    document.querySelector("main h1") === null || document.querySelector(order.waiting) !== null;
  if (waiting || seen.lastWaiting === undefined) seen.lastWaiting = now;
  const asked = performance
    .getEntriesByType("resource")
    .filter((entry) => entry.name.includes("/api/"))
    .map((entry) => entry.startTime + entry.duration);
  const last = Math.max(seen.lastWaiting, ...asked);
  return now - last > order.quietMs ? last : 0;
}

import { type Browser, chromium, type Page } from "@playwright/test";
import { findChromium } from "@/scripts/machine.mjs";
import { median } from "../statistics";
import type { TollgateServer } from "../tollgate-server";

/** The duration of a page from the start of its navigation until nothing is loading. Units: milliseconds. */
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
/** Placeholders of loading content. */
const WAITING = 'main .skeleton, main [aria-busy="true"]';
/** The time without loading or requests. */
const QUIET_MS = 300;

/**
 * Opens every page with statistics in Chromium as the account that owns the log, after a warm-up. Null: no Chromium.
 */
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

/** Navigates and returns when the last placeholder is replaced or the last response arrived. Throws: on a timeout. */
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

/** Runs in the page at every frame: 0 while anything is loading, then the time at which loading ended. */
function contentAt(order: { waiting: string; quietMs: number }): number {
  const seen = window as unknown as { lastWaiting?: number }; // a global of a page that is closed soon
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

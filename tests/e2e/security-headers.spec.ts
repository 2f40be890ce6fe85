import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { callModel, makeKey, openSession, register } from "./support/member";
import { test } from "./support/people";

/** Every page there is, by its file. */
const pages = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter((file) => path.basename(file) === "page.tsx")
  .map((file) => `/${path.dirname(file)}`.replace(/\/\([^)]+\)/g, "").replace(/^\/\.$|^$/, "/"))
  .sort();
const opened = [
  "/console/keys?create=1",
  "/console/usage?metric=latency",
  "/admin/nodes?create=1",
  "/nothing-here",
];

/** Hears everything the policy stops, also what no console tells. */
async function watch(page: Page): Promise<string[]> {
  const stopped: string[] = [];
  await page.exposeFunction("toldViolation", (text: string) => stopped.push(text));
  await page.addInitScript(() => {
    const { toldViolation } = window as unknown as { toldViolation(text: string): void }; // exposed above
    document.addEventListener("securitypolicyviolation", (event) => {
      toldViolation(`${location.pathname}: ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) stopped.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => stopped.push(`${page.url()}: ${error.message}`));
  return stopped;
}

/** Pages that show parts which wait, as examples. */
const SHOWN_BUSY: Readonly<Record<string, number>> = { "/console/kitchen": 2 };

async function walk(page: Page, paths: string[]): Promise<void> {
  for (const target of paths) {
    await page.goto(target);
    await page.waitForLoadState("networkidle");
    await expect(page.locator("h1:visible, [role=dialog]").first()).toBeVisible();
    // Scripts that were stopped would leave the page as the server rendered it.
    await expect(page.locator("[aria-busy=true]")).toHaveCount(SHOWN_BUSY[target] ?? 0);
  }
}

test("no page, in dark and light, is hindered by its content security policy", async ({ page, context }) => {
  test.setTimeout(240_000);
  expect(pages.length).toBeGreaterThan(20);
  const stopped = await watch(page);
  await walk(page, [...pages, ...opened]);
  await context.addCookies([{ name: "theme", value: "dark", url: "http://127.0.0.1" }]);
  await walk(page, ["/", "/console", "/admin"]);
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  expect(stopped).toEqual([]);
});

test("charts, dialogs, menus and the playground work under the policy", async ({ page, request }) => {
  const stopped = await watch(page);
  const member = await register(request);
  await page.context().clearCookies();
  await page.goto("/");
  await openSession(page, member.token);
  const key = await makeKey(request, member);
  for (let call = 0; call < 3; call++) expect((await callModel(request, key.secret)).status).toBe(200);
  await walk(page, ["/console", "/console/usage", "/console/logs", "/console/playground"]);
  await page.locator("header button").last().click();
  await page.keyboard.press("Escape");
  expect(stopped).toEqual([]);
});

test("a script that got into a page without the page's nonce does not run", async ({ page }) => {
  const stopped = await watch(page);
  await page.goto("/login");
  await page.evaluate(() => {
    const holder = document.createElement("div");
    holder.innerHTML = `<img src="/missing.png" onerror="document.title = 'taken over'">`;
    document.body.append(holder);
  });
  await expect.poll(() => stopped.length).toBeGreaterThan(0);
  expect(await page.title()).not.toBe("taken over");
  expect(stopped.join()).toContain("script-src");
});

import { type ConsoleMessage, expect, type Page } from "@playwright/test";
import { axeViolations, smallTargets } from "./support/axe";
import { layoutProblems } from "./support/layout";
import { adminPages } from "./support/pages";
import { freshName, signIn, test } from "./support/people";

const pages = [...adminPages, "/admin/usage?by=user", "/admin/margin/bill", "/docs/api"];
const looks = [
  { theme: "light", locale: "en" },
  { theme: "light", locale: "zh-CN" },
  { theme: "dark", locale: "en" },
  { theme: "dark", locale: "zh-CN" },
] as const;
type Look = (typeof looks)[number];

/** Opens a page in one look and returns what is wrong with it. */
async function problemsOf(page: Page, path: string, { theme, locale }: Look): Promise<string[]> {
  const errors: string[] = [];
  const note = (text: string) => errors.push(`${theme}, ${locale}: ${text}`);
  const onConsole = (message: ConsoleMessage) => message.type() === "error" && note(message.text());
  const onError = (error: Error) => note(error.message);
  page.on("console", onConsole).on("pageerror", onError);
  const url = "http://127.0.0.1";
  await page.context().addCookies([
    { name: "theme", value: theme, url },
    { name: "locale", value: locale, url },
  ]);
  await page.goto(path);
  await expect(page.locator("html")).toHaveAttribute("lang", locale);
  await expect(page.locator("main h1")).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  for (const problem of [...(await axeViolations(page)), ...(await smallTargets(page))]) note(problem);
  page.off("console", onConsole).off("pageerror", onError);
  return errors;
}

async function fitsAPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 800 });
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(overflow).toBeLessThanOrEqual(0);
}

test("the menus of rows are in view on every screen, and tables fit from 1024 pixels", async ({ page }) => {
  for (const path of ["/admin/nodes", "/admin/models", "/admin/users", "/admin/plans", "/admin/audit"]) {
    await page.goto(path);
    for (const width of [1280, 1024, 768]) {
      await page.setViewportSize({ width, height: 900 });
      const menu = page.getByRole("row").getByRole("button", { name: /^(Actions|Details)/ });
      await expect(menu.first(), `${path} at ${width} px`).toBeInViewport({ ratio: 1 });
      const over = () =>
        page
          .getByRole("table")
          .evaluate(({ parentElement: box }) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0));
      if (width >= 1024) await expect.poll(over, `${path} at ${width} px`).toBe(0);
    }
  }
});

for (const path of pages) {
  test(`${path} has no accessibility violation, no console error, and fits a phone, in English and Chinese`, async ({
    page,
  }) => {
    expect(await problemsOf(page, path, { theme: "light", locale: "en" })).toEqual([]);
    await fitsAPhone(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await problemsOf(page, path, { theme: "dark", locale: "zh-CN" })).toEqual([]);
  });

  for (const look of looks) {
    test(`${path} has no accessibility violation and no console error, ${look.theme}, ${look.locale}`, async ({
      page,
    }) => {
      expect(await problemsOf(page, path, look)).toEqual([]);
    });
  }

  test(`${path} fits a screen of 320 pixels`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto(path);
    await expect(page.locator("main h1")).toBeVisible();
    await fitsAPhone(page);
    await page.waitForLoadState("networkidle");
    expect(await layoutProblems(page)).toEqual([]);
  });
}

test("an ordinary account gets the 403 page and no data, a visitor the login page", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), storageState: undefined });
  const page = await context.newPage();
  await page.goto("/admin/users");
  await expect(page).toHaveURL(/\/login\?next=%2Fadmin%2Fusers/);
  const person = { username: freshName("plain"), password: "secret-password" };
  const registered = await page.request.post("/api/user/register", { data: person });
  expect(registered.status()).toBe(201);
  await signIn(page, person);
  const answer = await page.goto("/admin/users");
  expect(answer?.status()).toBe(403);
  await expect(page.getByRole("heading", { name: "You need admin rights" })).toBeVisible();
  await expect(page.getByRole("table")).toHaveCount(0);
  await context.close();
});

test("console and administration are two spaces with a switch, and no two entries share an icon", async ({
  page,
}) => {
  await page.goto("/console");
  const icons: string[] = [];
  const rail = page.getByRole("complementary", { name: "Menu" });
  for (const [space, own, other] of [
    ["Main navigation", "API keys", "Nodes"],
    ["Administration", "Nodes", "API keys"],
  ] as const) {
    const entries = rail.getByRole("navigation", { name: space });
    await expect(entries.getByRole("link", { name: own })).toBeVisible();
    await expect(rail.getByRole("link", { name: other })).toHaveCount(0);
    await expect(entries.getByRole("link", { name: "Overview" })).toHaveCount(1);
    icons.push(...(await entries.locator("svg").evaluateAll((all) => all.map((svg) => svg.innerHTML))));
    await rail.getByRole("link", { name: "Admin" }).click();
    await page.waitForURL("**/admin");
  }
  expect(new Set(icons).size).toBe(icons.length);
});

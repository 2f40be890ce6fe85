import AxeBuilder from "@axe-core/playwright";
import { expect } from "@playwright/test";
import { freshName, signIn, test } from "./support/people";

const pages = [
  "/admin",
  "/admin/nodes",
  "/admin/models",
  "/admin/plans",
  "/admin/users",
  "/admin/logs",
  "/admin/audit",
  "/admin/rehearsal",
  "/docs/api",
];
const looks = [
  { theme: "light", locale: "en" },
  { theme: "light", locale: "zh-CN" },
  { theme: "dark", locale: "en" },
  { theme: "dark", locale: "zh-CN" },
] as const;

for (const path of pages) {
  for (const { theme, locale } of looks) {
    test(`${path} has no accessibility violation and no console error, ${theme}, ${locale}`, async ({
      page,
      context,
      baseURL,
    }) => {
      const errors: string[] = [];
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      page.on("pageerror", (error) => errors.push(error.message));
      await context.addCookies([
        { name: "theme", value: theme, url: baseURL ?? "" },
        { name: "locale", value: locale, url: baseURL ?? "" },
      ]);
      await page.goto(path);
      await expect(page.locator("html")).toHaveAttribute("lang", locale);
      await expect(page.locator("main h1")).toBeVisible();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
      );
      expect(found).toEqual([]);
      expect(errors).toEqual([]);
    });
  }

  test(`${path} fits a screen of 320 pixels`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto(path);
    await expect(page.locator("main h1")).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
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

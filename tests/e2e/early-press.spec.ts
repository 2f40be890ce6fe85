import { type BrowserContext, expect, type Page } from "@playwright/test";
import { test } from "./support/member";

/** Opens a page whose scripts, except the start script, wait for `release`. */
async function openWithoutScripts(
  context: BrowserContext,
  path: string,
): Promise<{ page: Page; release: () => void }> {
  const page = await context.newPage(); // does not wait for the scripts
  let release = () => {};
  const scripts = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/_next\/static\/chunks\/(?!start-).*\.js$/, async (route) => {
    await scripts;
    await route.continue();
  });
  const asked = page.waitForRequest(/turbopack-.*\.js$/);
  await page.goto(path, { waitUntil: "commit" });
  await asked; // the start script has run
  return { page, release };
}

test("a button that is pressed before the scripts run is pressed once when they do", async ({
  context,
  member: _member,
}) => {
  const { page, release } = await openWithoutScripts(context, "/console/keys");
  const create = page.getByRole("button", { name: "Create key" }).first();
  await create.click();
  await create.click();
  release();
  await expect(page.getByRole("dialog", { name: "Create an API key" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await create.click();
  await expect(page.getByRole("dialog", { name: "Create an API key" })).toBeVisible();
});

test("the account menu opens when it was pressed before the scripts run", async ({
  context,
  member: _member,
}) => {
  const { page, release } = await openWithoutScripts(context, "/console");
  await page.getByRole("button", { name: "Account" }).click();
  release();
  await expect(page.getByRole("menu")).toBeVisible();
});

test("the keys of the palette and what is typed after them are kept until the scripts run", async ({
  context,
  member: _member,
}) => {
  const { page, release } = await openWithoutScripts(context, "/console/usage");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("logs");
  release();
  await expect(page.getByRole("dialog").getByRole("combobox")).toHaveValue("logs");
});

test("Escape takes back keys of the palette that wait for the scripts", async ({
  context,
  member: _member,
}) => {
  const { page, release } = await openWithoutScripts(context, "/console/keys");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Escape");
  release();
  await page.getByRole("button", { name: "Create key" }).first().click();
  await expect(page.getByRole("dialog", { name: "Create an API key" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(1);
});

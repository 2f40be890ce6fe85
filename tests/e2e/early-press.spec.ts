import { type BrowserContext, expect, type Page } from "@playwright/test";
import { callModel, makeKey, test } from "./support/member";

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

test("what is typed after a button that opens a form goes into the form, and Enter sends it", async ({
  context,
  member: _member,
}) => {
  const { page, release } = await openWithoutScripts(context, "/console/keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  await page.keyboard.type("Early keyy");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  release();
  await expect(page.getByRole("dialog", { name: "Save your key" })).toBeVisible();
  const { data } = await (await page.request.get("/api/user/tokens")).json();
  expect(data).toMatchObject([{ name: "Early key" }]);
});

test("Enter after early keys of the palette runs what they find", async ({ context, member: _member }) => {
  const { page, release } = await openWithoutScripts(context, "/console/usage");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("billing");
  await page.keyboard.press("Enter");
  release();
  await page.waitForURL("**/console/billing");
});

test("single keys of a page are kept until the scripts run", async ({ context, member: _member }) => {
  const { page, release } = await openWithoutScripts(context, "/console/usage");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.type("gl");
  release();
  await page.waitForURL("**/console/logs");
  await page.close();
  const help = await openWithoutScripts(context, "/console/limits");
  await help.page.getByRole("heading", { level: 1 }).waitFor();
  await help.page.keyboard.type("?");
  help.release();
  await expect(help.page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
});

test("a key that means nothing holds back nothing that is typed into a field later", async ({ context }) => {
  const { page, release } = await openWithoutScripts(context, "/docs");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.type("q");
  release();
  const search = page.getByRole("searchbox").first();
  await search.pressSequentially("quota");
  await expect(search).toHaveValue("quota");
});

test("a period that is chosen before the scripts run stays chosen", async ({ context, member: _member }) => {
  const { page, release } = await openWithoutScripts(context, "/console/usage");
  const chosen = page.getByRole("radio", { name: "30 days" });
  await chosen.check();
  release();
  await expect(page).toHaveURL(/period=30d/);
  await expect(chosen).toBeChecked();
});

test("a message that Enter sends before the scripts run is sent when they do", async ({
  context,
  member: _member,
}) => {
  const { page, release } = await openWithoutScripts(context, "/console/playground");
  const message = page.getByLabel("Message", { exact: true });
  await message.click();
  await page.keyboard.type("Good morning");
  await page.keyboard.press("Enter");
  release();
  await expect(page.getByRole("article").first()).toContainText("Good morning");
  await expect(message).toHaveValue("");
});

test("the search of the docs gets what is typed before the scripts run", async ({ context }) => {
  const { page, release } = await openWithoutScripts(context, "/docs");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("embed");
  release();
  await expect(page.getByRole("searchbox").first()).toHaveValue("embed");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("searchbox").first()).not.toBeFocused();
});

test("what is typed on the Playground before the scripts run is its message", async ({
  context,
  member: _member,
}) => {
  const { page, release } = await openWithoutScripts(context, "/console/playground");
  await page.getByLabel("Message", { exact: true }).waitFor();
  await page.keyboard.type("give me a haiku");
  await page.keyboard.press("Enter");
  release();
  await expect(page.getByRole("article").first()).toContainText("give me a haiku");
});

test("a row that early keys lead to is opened by Enter", async ({ context, request, member }) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  const { page, release } = await openWithoutScripts(context, "/console/logs");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  release();
  await expect(page.getByRole("dialog", { name: "Request" })).toBeVisible();
});

test("Enter in the search of the docs opens the first page that is found, once it is", async ({
  context,
}) => {
  const { page, release } = await openWithoutScripts(context, "/docs");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.type("/streaming");
  await page.keyboard.press("Enter");
  release();
  await page.waitForURL("**/docs/streaming");
  await expect(page.locator("main")).toBeFocused();
});

import { devices, expect, type Locator } from "@playwright/test";
import { layoutProblems } from "./support/layout";
import { callModel, makeKey, test } from "./support/member";

const { userAgent } = devices["Pixel 7"];

test.use({ viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true, userAgent });

async function sizeOf(target: Locator) {
  const box = await target.boundingBox();
  if (box === null) throw new Error("it is not on the page");
  return box;
}

for (const locale of ["en", "zh-CN"]) {
  test(`the head of the public pages is one row, ${locale}`, async ({ page, context, baseURL }) => {
    await context.addCookies([{ name: "locale", value: locale, url: baseURL ?? "" }]);
    for (const path of ["/", "/models", "/login"]) {
      await page.goto(path);
      const { height, width } = await sizeOf(page.locator("header").first());
      expect([path, height < 72, width]).toEqual([path, true, 320]);
    }
  });
}

test("the head of the public pages has the sign-up, and a menu with the sign-in, the language and the theme", async ({
  page,
}) => {
  await page.goto("/");
  const head = page.getByRole("banner");
  await expect(head.getByRole("link", { name: "Sign up" })).toBeInViewport();
  const menu = head.getByLabel("More");
  await menu.tap();
  await expect(head.getByRole("link", { name: "Sign in" })).toBeInViewport();
  await head.getByRole("button", { name: /^Theme: / }).tap();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await page.keyboard.press("Escape");
  await expect(head.getByRole("button", { name: /^Theme: / })).toBeHidden();
  await menu.tap();
  await page.getByRole("heading", { level: 1 }).tap({ position: { x: 5, y: 5 } });
  await expect(head.getByRole("button", { name: /^Theme: / })).toBeHidden();
  await menu.tap();
  await head.getByRole("button", { name: "Switch to 简体中文" }).tap();
  await expect(head.getByRole("link", { name: "注册" })).toBeInViewport();
});

test("keys and requests are cards, with targets for a thumb", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member, { name: "On a phone" });
  await callModel(request, secret);
  await page.goto("/console/keys");
  const card = page.getByRole("listitem").filter({ hasText: "On a phone" });
  await expect(card).toContainText("Active");
  await expect(page.getByRole("table")).toHaveCount(0);
  const menu = card.getByRole("button", { name: "Actions for On a phone" });
  const { width, height } = await sizeOf(menu);
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  await menu.tap();
  expect((await sizeOf(page.getByRole("menuitem", { name: "Edit" }))).height).toBeGreaterThanOrEqual(44);
  await page.getByRole("menuitem", { name: "View logs" }).tap();
  await page.waitForURL("**/console/logs?key=**");
  await expect(page.getByRole("table", { name: "Requests" })).toHaveCount(0);
  const filters = page.getByRole("button", { name: /^Filters/ });
  await expect(filters).toHaveText("Filters1");
  expect((await sizeOf(page.getByRole("listitem").filter({ hasText: "demo-chat" }))).y).toBeLessThan(400);
  await expect(page.getByLabel("Find by request id")).toBeVisible();
  await expect(page.getByLabel("Key", { exact: true })).toBeHidden();
  await filters.tap();
  await expect(page.getByLabel("Key", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "More filters" }).tap();
  await expect(page.getByLabel("Operation")).toBeVisible();
  await page.keyboard.press("Escape");
  await filters.tap();
  await page.getByRole("listitem").filter({ hasText: "demo-chat" }).getByRole("link").tap();
  const drawer = page.getByRole("dialog", { name: "Request" });
  await expect(drawer).toContainText("Answered in");
  expect(Math.round((await sizeOf(drawer)).width)).toBeLessThanOrEqual(320);
});

test("a key is made with thumbs alone, and its secret can be read whole", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/keys");
  await page.getByRole("button", { name: "Search pages and actions" }).tap();
  await expect(page.getByRole("option", { name: "Overview" })).toBeVisible();
  await expect(page.getByText("g o", { exact: true }), "there are no keys to press").toBeHidden();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Create key" }).first().tap();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Thumb");
  await dialog.getByRole("button", { name: "Create key" }).tap();
  const secret = dialog.getByLabel("Your new API key");
  await expect(secret).toHaveValue(/^tgw-/);
  await secret.evaluate((field) => {
    field.blur();
    field.scrollLeft = field.scrollWidth;
    field.focus();
  });
  await expect.poll(() => secret.evaluate((field) => field.scrollLeft)).toBe(0);
  await dialog.getByLabel("I have saved this key").tap();
  await dialog.getByRole("button", { name: "Done" }).tap();
  await expect(page.getByRole("listitem").filter({ hasText: "Thumb" })).toBeVisible();
});

test("the head of the Playground has two rows, also while models are compared", async ({
  page,
  member: _member,
}) => {
  for (const models of ["demo-chat", "demo-chat,demo-mixed,demo-messages"]) {
    await page.goto(`/console/playground?model=${models}`);
    const asked = page.getByRole("list", { name: "Asked" });
    await expect(asked.getByRole("listitem")).toHaveCount(models.split(",").length);
    const head = page.getByRole("main").locator("header");
    expect((await sizeOf(head)).height, models).toBeLessThan(110);
    expect(await layoutProblems(page)).toEqual([]);
    for (const name of ["Conversations", "New", "Copy as", "Parameters"]) {
      const { x, width } = await sizeOf(head.getByRole("button", { name, exact: true }));
      expect(Math.min(x, 320 - x - width), name).toBeGreaterThanOrEqual(0);
    }
  }
});

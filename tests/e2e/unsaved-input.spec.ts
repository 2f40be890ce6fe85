import { expect, type Locator, type Page } from "@playwright/test";
import { freshName, make, test } from "./support/people";

const question = (page: Page) => page.getByRole("alertdialog", { name: "Discard changes?" });

async function openAddUser(page: Page): Promise<Locator> {
  await page.goto("/admin/users");
  await page.getByRole("button", { name: "Add user" }).click();
  return page.getByRole("dialog", { name: "Add a user" });
}

test("Escape, Close, a click beside it and Back ask before they close a form with input", async ({
  page,
}) => {
  const sheet = await openAddUser(page);
  const username = sheet.getByLabel("Username");
  await username.fill("half-typed");
  const ways = [
    () => page.keyboard.press("Escape"),
    () => sheet.getByRole("button", { name: "Close" }).click(),
    () => page.mouse.click(200, 400),
    () => page.evaluate(() => window.history.back()),
  ];
  for (const way of ways) {
    await way();
    await expect(question(page).getByRole("button", { name: "Keep editing" })).toBeFocused();
    await question(page).getByRole("button", { name: "Keep editing" }).click();
    await expect(question(page)).toBeHidden();
    await expect(username).toHaveValue("half-typed");
  }
  await page.keyboard.press("Escape");
  await question(page).getByRole("button", { name: "Discard changes" }).click();
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(/\/admin\/users$/);
});

test("a form without input closes without a question, and its first field has the focus", async ({
  page,
}) => {
  const sheet = await openAddUser(page);
  await expect(sheet.getByLabel("Username")).toBeFocused();
  await sheet.getByLabel("Username").fill("gone-again");
  await sheet.getByLabel("Username").fill("");
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(question(page)).toBeHidden();
});

test("a dialog with a half-filled form asks as well; Cancel does not", async ({ page }) => {
  await page.goto("/admin/users?search=admin");
  const row = page.getByRole("row", { name: /\(You\)/ });
  await row.getByRole("button", { name: /Actions/ }).click();
  await page.getByRole("menuitem", { name: "Grant or take quota" }).click();
  const grant = page.getByRole("dialog", { name: /^Quota of/ });
  await grant.getByLabel("Reason").fill("because");
  await page.keyboard.press("Escape");
  await question(page).getByRole("button", { name: "Keep editing" }).click();
  await expect(grant.getByLabel("Reason")).toHaveValue("because");
  await page.evaluate(() => window.history.back());
  await question(page).getByRole("button", { name: "Keep editing" }).click();
  await grant.getByRole("button", { name: "Cancel" }).click();
  await expect(grant).toBeHidden();
  await expect(question(page)).toBeHidden();
});

test("Back closes a drawer and stays on the page; the page before is one Back away", async ({ page }) => {
  await page.goto("/admin");
  await page.getByRole("link", { name: "Models & prices" }).click();
  const open = () => page.getByRole("button", { name: "Show model demo-chat", exact: true }).click();
  const sheet = page.getByRole("dialog", { name: "demo-chat" });
  await open();
  await expect(sheet).toBeVisible();
  await expect(page).toHaveURL(/model=/);
  await page.evaluate(() => window.history.back());
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(/\/admin\/models$/);
  await open();
  await sheet.getByRole("button", { name: "Close" }).click();
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(/\/admin\/models$/);
  await page.evaluate(() => window.history.back());
  await expect(page).toHaveURL(/\/admin$/);
});

test("a drawer that its address has opened closes and stays closed", async ({ page }) => {
  await page.goto("/admin/models");
  const models = await (await page.request.get("/api/admin/models")).json();
  const { id } = models.data.find(({ alias }: { alias: string }) => alias === "demo-chat");
  await page.goto(`/admin/models?model=${id}&tab=details`);
  const sheet = page.getByRole("dialog", { name: "demo-chat" });
  await sheet.getByRole("button", { name: "Close" }).click();
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(/\/admin\/models$/);
});

test("a drawer asks for the input of a tab that is not shown", async ({ page }) => {
  const alias = freshName("tabs-");
  await page.goto("/admin/models");
  await make(page, "/api/admin/models", { alias, routes: [{ node: "demo-chat-node", model: "demo" }] });
  await page.reload();
  await page.getByRole("button", { name: `Show model ${alias}` }).click();
  const sheet = page.getByRole("dialog", { name: alias });
  await sheet.getByLabel("Display name").fill("Half");
  await sheet.getByRole("tab", { name: "Routes" }).click();
  await expect(sheet.getByLabel("Upstream model")).toBeVisible();
  await page.keyboard.press("Escape");
  await question(page).getByRole("button", { name: "Keep editing" }).click();
  await sheet.getByRole("tab", { name: "Details" }).click();
  await expect(sheet.getByLabel("Display name")).toHaveValue("Half");
  await page.keyboard.press("Escape");
  await question(page).getByRole("button", { name: "Discard changes" }).click();
  await expect(sheet).toBeHidden();
});

test("the settings ask before a link, Back or a reload loses a change, and not after it is saved", async ({
  page,
}) => {
  await page.goto("/admin/plans");
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  const reward = page.getByLabel("Invitation reward (¥)");
  const before = await reward.inputValue();
  await reward.fill("7.77");
  const models = page.getByRole("link", { name: "Models & prices" });
  await models.click();
  await question(page).getByRole("button", { name: "Keep editing" }).click();
  await expect(reward).toHaveValue("7.77");
  await page.evaluate(() => window.history.back());
  await question(page).getByRole("button", { name: "Keep editing" }).click();
  await page.getByRole("heading", { name: "Settings", exact: true }).click();
  await page.keyboard.press("g");
  await page.keyboard.press("n");
  await question(page).getByRole("button", { name: "Keep editing" }).click();
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => window.location.reload()));
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await expect(reward).toHaveValue("7.77");
  await models.click();
  await question(page).getByRole("button", { name: "Discard changes" }).click();
  await expect(page).toHaveURL(/\/admin\/models$/);
  await page.evaluate(() => window.history.back());
  await expect(reward).toHaveValue(before);
  await reward.fill("0.01");
  await page.locator("form").filter({ has: reward }).getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Registration is saved.").first()).toBeVisible();
  await models.click();
  await expect(page).toHaveURL(/\/admin\/models$/);
  await expect(question(page)).toBeHidden();
});

test("Back asks for the input of a drawer that the address names", async ({ page }) => {
  const name = freshName("back-");
  await page.goto("/admin/plans");
  await make(page, "/api/admin/plans", { name, qps: null, rpm: null, tpm: null });
  await make(page, "/api/admin/models", {
    alias: name,
    routes: [{ node: "demo-chat-node", model: "demo" }],
  });
  for (const [path, opener, label] of [
    ["/admin/models", `Show model ${name}`, /^Display name/],
    ["/admin/plans", `Edit “${name}”`, /^Name/],
  ] as const) {
    await page.goto(path);
    await page.getByRole("button", { name: opener }).click();
    const sheet = page.locator("[data-drawer]");
    const field = sheet.getByLabel(label);
    await field.fill("Half");
    await page.evaluate(() => window.history.back());
    await question(page).getByRole("button", { name: "Keep editing" }).click();
    await expect(field).toHaveValue("Half");
    await page.evaluate(() => window.history.back());
    await question(page).getByRole("button", { name: "Discard changes" }).click();
    await expect(sheet).toBeHidden();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  }
});

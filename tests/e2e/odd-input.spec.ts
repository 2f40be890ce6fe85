import { expect, type Page } from "@playwright/test";
import { ask, callModel, makeKey, test } from "./support/member";
import { chooseModel } from "./support/playground";

/** The longest name that a key may have, without a place to break it. */
const WIDE = "W".repeat(100);

async function isWiderThanItsWindow(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}

for (const width of [320, 1280]) {
  test(`a name without a space stays in its place at ${width} px`, async ({ page, request, member }) => {
    const { secret } = await makeKey(request, member, { name: WIDE });
    await callModel(request, secret);
    await page.setViewportSize({ width, height: 900 });
    for (const path of ["/console/keys", "/console", "/console/limits", "/console/usage", "/console/logs"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await page.waitForLoadState("networkidle");
      expect([path, await isWiderThanItsWindow(page)]).toEqual([path, false]);
    }
    await page.goto("/console/keys");
    const name = await page.getByText(WIDE).locator("visible=true").first().boundingBox();
    const next = await page.getByText("Active", { exact: true }).locator("visible=true").last().boundingBox();
    expect(name === null || next === null).toBe(false);
    const apart = width === 320 || (name?.x ?? 0) + (name?.width ?? 0) <= (next?.x ?? 0);
    expect(apart).toBe(true);
  });
}

test("a name with two spaces is confirmed as it is shown", async ({ page, request, member }) => {
  await makeKey(request, member, { name: "two  spaces" });
  await page.goto("/console/keys");
  await page
    .getByRole("button", { name: /Actions for two/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("textbox").fill("two spaces");
  await dialog.getByRole("button", { name: /Delete/ }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("row", { name: /two/ })).toBeHidden();
});

test("a link to a key that is gone can be widened again", async ({ page, member: _member }) => {
  await page.goto("/console/usage?key=gone");
  await expect(page.getByText("There is no such key.")).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Key" })).toHaveValue("gone");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(/\/console\/usage$/);
  await expect(page.getByText("There is no such key.")).toBeHidden();
});

test("a conversation that is cleared while it streams stays cleared", async ({ page, request, member }) => {
  await page.goto("/console/playground?model=demo-chat");
  await page.getByLabel("Message").fill(`Tell a long story. ${"And then? ".repeat(300)}`);
  await page.getByLabel("Max. tokens").fill("4000");
  const begun = page.waitForResponse(/\/v1\/(chat\/completions|messages)$/);
  await page.getByRole("button", { name: "Send" }).click();
  await begun;
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await page.getByRole("button", { name: "New", exact: true }).click();
  await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
  const logged = async () => (await ask<{ data: unknown[] }>(request, member, "/api/user/logs")).data.length;
  await expect.poll(logged).toBe(1);
  await expect(page.getByText("Tell a long story.")).toBeHidden();
  await page.getByLabel("Message").fill("Once more");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("link", { name: "See it in the logs" })).toBeVisible({ timeout: 30_000 });
});

test("the token limit of the playground can be typed anew", async ({ page, member: _member }) => {
  await page.goto("/console/playground?model=demo-chat");
  const limit = page.getByLabel("Max. tokens");
  await limit.focus();
  await limit.press("End");
  for (let digits = (await limit.inputValue()).length; digits > 0; digits -= 1)
    await limit.press("Backspace");
  await limit.pressSequentially("20");
  await expect(limit).toHaveValue("20");
  for (const wrong of ["", "-5", "99999999"]) {
    await limit.fill(wrong);
    await limit.blur();
    await expect(limit).toHaveValue(wrong);
    await expect(limit).toHaveAccessibleDescription(
      /^Use a whole number from 1 to [\d,]+, the most that the model can give\.$/,
    );
  }
  await limit.fill("30");
  await expect(limit).toHaveAccessibleDescription("");
});

test("the playground says that its address names no model of this gateway, and who is asked instead", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/playground?model=nope");
  await expect(
    page.getByText("Not a chat model of this gateway: nope. Asked instead: demo-chat."),
  ).toBeVisible();
  await chooseModel(page, "Model", "demo-mixed");
  await expect(page.getByText("Not a chat model of this gateway")).toHaveCount(0);
});

test("a page that does not exist says so in its title", async ({ page, member: _member }) => {
  await page.goto("/console/nothing-here");
  await expect(page).toHaveTitle(/^(?!Tollgate$).+ · Tollgate$/);
});

import { expect, type Page } from "@playwright/test";
import { ask, callModel, makeKey, test } from "./support/member";

const menu = (page: Page) => page.getByRole("button", { name: /^Columns/ });
const head = (page: Page, name: string) => page.getByRole("columnheader", { name, exact: true });

test("the menu of columns says which the window hides, and a chosen one is shown at any width, also later", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  const logged = () => ask<{ data: unknown[] }>(request, member, "/api/user/logs");
  await expect.poll(async () => (await logged()).data.length, "the log is written").toBe(1);
  await page.setViewportSize({ width: 1024, height: 800 });
  await page.goto("/console/logs");
  await expect(head(page, "Stream")).toBeHidden();
  await expect(menu(page)).toHaveAccessibleName(/hidden: the window is narrow/);
  await menu(page).click();
  const panel = page.getByRole("dialog", { name: "Columns" });
  const stream = panel.getByRole("checkbox", { name: "Stream hidden: narrow window" });
  await expect(stream).not.toBeChecked();
  await stream.check();
  await expect(panel.getByRole("checkbox", { name: "Stream", exact: true })).toBeChecked();
  await panel.getByRole("checkbox", { name: "Model", exact: true }).uncheck();
  for (const name of ["Request id", "Cache read", "Reasoning"])
    await panel.getByRole("checkbox", { name, exact: true }).check();
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await page.reload();
  await expect(head(page, "Stream")).toBeVisible();
  await expect(head(page, "Model")).toHaveCount(0);
  await page.setViewportSize({ width: 780, height: 800 });
  const scrolling = page.getByRole("group", { name: "Requests" });
  await expect(scrolling, "it scrolls by keyboard").toHaveAttribute("tabindex", "0");
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await menu(page).click();
  await expect(head(page, "HTTP")).toHaveCount(0);
  await panel.getByRole("checkbox", { name: "HTTP", exact: true }).check();
  await expect(head(page, "HTTP")).toBeVisible();
  await expect(page.getByRole("cell", { name: "200", exact: true }).first()).toBeVisible();
  await panel.getByRole("button", { name: "Reset" }).click();
  await expect(head(page, "HTTP")).toHaveCount(0);
  await expect(panel.getByRole("button", { name: "Reset" })).toBeDisabled();
  await expect(head(page, "Model")).toBeVisible();
  await expect(head(page, "Stream")).toBeHidden();
});

test("j, k and Enter lead through the rows of a list and open one", async ({ page, request, member }) => {
  for (const name of ["First key", "Second key"]) await makeKey(request, member, { name });
  await page.goto("/console/keys?sort=name");
  await expect(menu(page)).toBeVisible();
  const opener = (name: string) => page.getByRole("link", { name, exact: true });
  await page.keyboard.press("j");
  await expect(opener("First key")).toBeFocused();
  await page.keyboard.press("j");
  await expect(opener("Second key")).toBeFocused();
  await page.keyboard.press("k");
  await expect(opener("First key")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toContainText("First key");
});

test("a chosen time of the log can be widened, and left for all days", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.goto("/console/logs?from=2026-01-10T00:00:00.000Z&to=2026-01-12T00:00:00.000Z");
  await expect(page.getByText("No matches")).toBeVisible();
  await page.getByRole("button", { name: "Wider" }).click();
  await expect(page).toHaveURL(/from=2026-01-09.*to=2026-01-13/);
  await page.getByRole("button", { name: "All days" }).click();
  await expect(page).not.toHaveURL(/from=|to=/);
  await expect(page.getByRole("status").filter({ hasText: "1 request" })).toBeVisible();
});

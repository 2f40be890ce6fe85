import { expect } from "@playwright/test";
import { callModel, makeKey, test } from "./support/member";
import { tabTo } from "./support/people";

test("the drawer walks the list with j and k, closes with Escape, and gives the focus back", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  const first = await callModel(request, secret);
  const second = await callModel(request, secret);
  await page.goto("/console/logs");
  const link = page.getByRole("table", { name: "Requests" }).getByRole("link").first();
  await tabTo(page, link);
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("dialog", { name: "Request" });
  await expect(drawer).toContainText(second.requestId);
  await page.keyboard.press("j");
  await expect(drawer).toContainText(first.requestId);
  await page.keyboard.press("k");
  await expect(drawer).toContainText(second.requestId);
  await tabTo(page, drawer.getByRole("button", { name: "Copy as curl" }));
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(link).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(drawer).toContainText(second.requestId);
  await page.keyboard.press("j");
  await expect(drawer).toContainText(first.requestId);
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  const shownLast = page.getByRole("table", { name: "Requests" }).getByRole("link").nth(1);
  await expect(shownLast, "the row of the request that was shown last").toBeFocused();
});

test("a drawer leaves the keys of the console alone, and scrolls by those of a page", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  const last = await callModel(request, secret);
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto(`/console/logs?request=${last.requestId}`);
  const drawer = page.getByRole("dialog", { name: "Request" });
  await expect(drawer).toContainText("Tokens and cost");
  const heading = drawer.getByText("Summary", { exact: true });
  await expect(heading).toBeInViewport();
  await page.keyboard.press("End");
  await expect(heading).not.toBeInViewport();
  await page.keyboard.press("j");
  await expect(drawer).not.toContainText(last.requestId);
  await drawer.getByRole("button", { name: "Previous" }).focus();
  await page.keyboard.press("k");
  await expect(drawer).toContainText(last.requestId);
  await expect(drawer.getByRole("button", { name: "Previous" }), "it has nothing to lead to").toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: /^Search pages/ })).toBeFocused();
  await page.keyboard.type("kj");
  await expect(page.getByRole("combobox", { name: /^Search pages/ })).toHaveValue("kj");
  await page.keyboard.press("Escape");
  await expect(drawer).toBeVisible();
  await expect(drawer).toContainText(last.requestId);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.type("gu");
  await page.waitForURL("**/console/usage");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

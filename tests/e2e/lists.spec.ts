import { expect, type Locator, type Page } from "@playwright/test";
import { callModel, makeKey, openSession, test } from "./support/member";
import { test as asAdmin } from "./support/people";

const filteredLists = ["/console/keys?status=active", "/console/models?q=demo"];
const adminLists = ["/admin/models?search=demo&attention=true"];

/** Whether another control stands left of this one in its row. */
async function sharesItsRow(button: Locator): Promise<boolean> {
  return button.evaluate((element) => {
    const own = element.getBoundingClientRect();
    const others = element.closest("fieldset")?.querySelectorAll("input, select") ?? [];
    return [...others].some((other) => {
      const { left, right, top, bottom } = other.getBoundingClientRect();
      return right > left && left < own.left && top < own.bottom && bottom > own.top;
    });
  });
}

async function expectNoRowOfItsOwn(page: Page, path: string): Promise<void> {
  for (const width of [1440, 1280, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(path);
    const clear = page.locator("fieldset").getByRole("button", { name: "Clear filters" });
    await expect(clear).toBeVisible();
    expect(await sharesItsRow(clear), `${path} at ${width} px`).toBe(true);
  }
}

for (const path of filteredLists) {
  test(`“Clear filters” never starts a row: ${path}`, async ({ page, request, member }) => {
    await makeKey(request, member, { name: "In a row" });
    await expectNoRowOfItsOwn(page, path);
  });
}

for (const path of adminLists) {
  asAdmin(`“Clear filters” never starts a row: ${path}`, async ({ page }) => {
    await expectNoRowOfItsOwn(page, path);
  });
}

async function expectNoTableToScroll(page: Page, paths: string[]): Promise<void> {
  for (const width of [768, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole("table").first(), path).toBeVisible();
      await expect(page.locator("[data-scrolls]:has(table)"), `${path} at ${width} px`).toHaveCount(0);
    }
  }
}

test("no table of the console scrolls sideways on a tablet", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member, { name: "A key with a rather long name" });
  await callModel(request, secret);
  await expectNoTableToScroll(page, ["/console/keys", "/console/logs", "/console/usage", "/console/models"]);
});

asAdmin("no table of the admin pages scrolls sideways on a tablet", async ({ page }) => {
  await expectNoTableToScroll(page, ["/admin/nodes", "/admin/models", "/admin/plans", "/admin/users"]);
});

test("filters live in the address: Back undoes a choice, and clearing gives the focus to the page", async ({
  page,
  request,
  member,
}) => {
  await makeKey(request, member, { name: "Alpha" });
  await page.goto("/console/keys");
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(2);
  await page.getByLabel("Status").selectOption({ label: "Disabled" });
  await expect(page).toHaveURL(/status=disabled/);
  await expect(page.getByText("No matches")).toBeVisible();
  await page.goBack();
  await expect(rows).toHaveCount(2);
  await page.goForward();
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await expect(rows).toHaveCount(2);
  await expect(page.locator("#main")).toBeFocused();
  await expect(page).not.toHaveURL(/status/);
});

test("a list that was never filled offers the first step and no filters", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/keys");
  await expect(page.getByText("No keys yet.")).toBeVisible();
  await expect(page.getByRole("searchbox")).toHaveCount(0);
  await page.getByRole("main").getByRole("button", { name: "Create key" }).last().click();
  await expect(page.getByRole("dialog").getByLabel("Name")).toBeVisible();
});

test("an unknown value of a filter in the address is no filter", async ({ page, request, member }) => {
  await makeKey(request, member, { name: "Alpha" });
  await page.goto("/console/keys?status=nonsense");
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Clear filters" })).toBeHidden();
});

test("when the next page cannot be read, the rows before it stay, dimmed, with a way to try again", async ({
  page,
  request,
  member,
}) => {
  for (let index = 0; index < 51; index += 1) await makeKey(request, member, { name: `Key ${index}` });
  await openSession(page, member.token);
  await page.goto("/console/keys");
  await expect(page.getByText("51 keys", { exact: true })).toBeVisible();
  let failing = true;
  await page.route("**/api/user/tokens?page=2**", (route) =>
    failing
      ? route.fulfill({
          status: 400,
          json: { error: { code: "INVALID_REQUEST", message: "No.", requestId: "r" } },
        })
      : route.continue(),
  );
  await page.getByRole("button", { name: "Older" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "Still showing the selection before this one" });
  await expect(alert).toBeVisible();
  await expect(page.locator("[data-old]").getByRole("row")).toHaveCount(51);
  failing = false;
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
  await expect(page.locator("[data-old]")).toHaveCount(0);
});

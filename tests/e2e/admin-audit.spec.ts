import { expect, type Page } from "@playwright/test";
import { register } from "./support/member";
import { freshName, make, test } from "./support/people";

function account(page: Page, username: string): Promise<{ id: string; username: string }> {
  return make(page, "/api/admin/users", { username, password: "secret-password" });
}

test("the audit is narrowed to a person, who is found by typing", async ({ page }) => {
  await page.goto("/admin/audit");
  const member = await register(page.request);
  const headers = { authorization: `Bearer ${member.token}` };
  const { id } = await (await page.request.get("/api/user/self", { headers })).json();
  await page.request.post(`/api/admin/users/${id}/logout-everywhere`, {
    headers: { origin: new URL(page.url()).origin },
  });
  await page.getByRole("combobox", { name: "Account" }).fill(member.username);
  await expect(page).toHaveURL(new RegExp(`person=${id}`));
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(3);
  const ended = rows.nth(1);
  await expect(ended).toContainText(`Account ${member.username}`);
  await ended.getByRole("button").click();
  await page
    .getByRole("dialog")
    .getByRole("link", { name: new RegExp(member.username) })
    .click();
  await page.waitForURL(`**/admin/users/${id}`);
  await page.goto(`/admin/audit?person=${id}`);
  await expect(rows.last()).toContainText("Registered");
  await rows.last().getByRole("link", { name: member.username, exact: true }).click();
  await page.waitForURL(`**/admin/users/${id}`);
});

test("a change of several accounts is one line, which opens to them, and is found by its reason", async ({
  page,
}) => {
  await page.goto("/admin/audit");
  const group = freshName("gone");
  const people = [];
  for (const number of [1, 2, 3]) people.push(await account(page, `${group}${number}`));
  const reason = `end of ${group}`;
  const changed = await page.request.patch("/api/admin/users", {
    data: { ids: people.map(({ id }) => id), status: "suspended", reason },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(changed.status()).toBe(200);
  await page.getByRole("searchbox", { name: "Search the audit" }).fill(reason);
  await expect(page).toHaveURL(/q=end/);
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText("Account suspended");
  await expect(rows.last()).toContainText("3 accounts");
  await expect(rows.last()).toContainText(reason);
  await rows.last().getByRole("button", { name: "Show 3" }).click();
  await expect(rows).toHaveCount(5);
  await expect(page).toHaveURL(/batch=/);
  for (const { username } of people)
    await expect(rows.filter({ hasText: `Account ${username}` })).toContainText("Account suspended");
  await page.reload();
  await expect(rows).toHaveCount(5);
  await rows
    .filter({ hasText: `Account ${group}2` })
    .getByRole("button")
    .click();
  await expect(page.getByRole("dialog")).toContainText(people[1]?.id ?? "");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Hide 3" }).click();
  await expect(rows).toHaveCount(2);
  await page.getByRole("searchbox", { name: "Search the audit" }).fill(`${group}2`);
  await expect(rows.filter({ hasText: "Account suspended" })).toContainText(`${group}2`);
  const href = await page.getByRole("link", { name: "Export CSV" }).getAttribute("href");
  const file = await (await page.request.get(href ?? "")).text();
  expect(file.trimEnd().split("\r\n")).toHaveLength(3);
});

test("the filters of the audit are one line on a wide screen", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/admin/audit");
  const bar = page.getByRole("group", { name: "Filters" });
  await expect(bar.getByLabel("To", { exact: true })).toBeVisible();
  expect((await bar.boundingBox())?.height).toBeLessThan(48);
});

test("a day that no calendar has is said below its field, once it is left", async ({ page }) => {
  await page.goto("/admin/audit");
  const from = page.getByLabel("From", { exact: true });
  const fault = page.getByText("No such day. Write it as 2026-11-28.");
  await from.fill("2026-13-45");
  await expect(fault).toHaveCount(0);
  await from.press("Tab");
  await expect(fault).toBeVisible();
  await expect(from).toHaveAttribute("aria-invalid", "true");
  await from.fill("2026-11-20");
  await from.press("Tab");
  await expect(fault).toHaveCount(0);
  await expect(page).toHaveURL(/from=2026-11-20/);
});

import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { callModel, type Member, makeKey, register } from "./support/member";
import { test } from "./support/people";

/** An account with two calls. */
async function caller(page: Page): Promise<Member & { id: string }> {
  const member = await register(page.request);
  const { secret } = await makeKey(page.request, member, { name: "Only key" });
  for (const model of ["demo-chat", "demo-messages"])
    expect((await callModel(page.request, secret, { model })).status).toBe(200);
  const headers = { authorization: `Bearer ${member.token}` };
  const { id } = await (await page.request.get("/api/user/self", { headers })).json();
  return { ...member, id };
}

test("everybody's usage by user leads to one user's keys, and the file has the same rows", async ({
  page,
}) => {
  const member = await caller(page);
  await page.goto("/admin/usage?by=user&period=24h");
  const table = page.getByRole("table", { name: "By user" });
  await expect(table.getByRole("row", { name: new RegExp(member.username) })).toContainText("2");
  const stats = await (await page.request.get("/api/admin/stats?period=24h&groupBy=user")).json();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^tollgate-usage-by-user-/);
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(stats.groups.rows.length + (stats.groups.others === null ? 2 : 3));
  expect(lines.at(-1)).toContain(`Total,${stats.totals.requestCount},`);
  await table.getByRole("button", { name: member.username }).click();
  await expect(page).toHaveURL(new RegExp(`user=${member.id}`));
  await expect(page.getByRole("combobox", { name: "Account", exact: true })).toHaveValue(member.username);
  await page.getByRole("radio", { name: "By key" }).check();
  const keys = page.getByRole("table", { name: "By key" });
  await expect(keys.getByRole("row", { name: /Only key/ })).toContainText("2");
  await expect(keys.getByRole("row")).toHaveCount(3);
});

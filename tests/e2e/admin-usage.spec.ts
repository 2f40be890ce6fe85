import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { callModel, type Member, makeKey, register } from "./support/member";
import { freshName, make, test } from "./support/people";

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
  for (const path of ["/admin", "/admin/usage"]) {
    await page.goto(path);
    await expect(page.getByText(/nothing in the previous 7 days/i), path).toHaveCount(1);
  }
  await page.goto("/admin/usage?by=user&period=24h");
  const table = page.getByRole("table", { name: "By account" });
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
  expect(lines[0]).toContain(",Billed CNY,Share of billed %");
  expect(lines.at(-1)).toContain(`Total,${stats.totals.requestCount},`);
  await table.getByRole("button", { name: member.username }).click();
  await expect(page).toHaveURL(new RegExp(`user=${member.id}`));
  await expect(page.getByRole("combobox", { name: "Account", exact: true })).toHaveValue(member.username);
  await page.getByRole("radio", { name: "By key" }).check();
  const keys = page.getByRole("table", { name: "By key" });
  await expect(keys.getByRole("row", { name: /Only key/ })).toContainText("2");
  await expect(keys.getByRole("row")).toHaveCount(3);
});

test("a route's cost is entered in yuan, and the margin shows what is left of what was billed", async ({
  page,
}) => {
  const alias = freshName("margin-");
  const routes = [{ node: "demo-chat-node", model: "demo" }];
  await page.goto("/admin/margin");
  await make(page, "/api/admin/models", { alias, prices: { input: 100_000, output: 100_000 }, routes });
  await page.goto("/admin/models");
  await page.getByRole("button", { name: `Show model ${alias}` }).click();
  const sheet = page.getByRole("dialog", { name: alias, exact: true });
  await sheet.getByRole("tab", { name: "Routes" }).click();
  await sheet.getByText("Provider cost of this route").click();
  await sheet.getByLabel("Provider cost: Input", { exact: true }).fill("250");
  await sheet.getByRole("button", { name: "Save routes" }).click();
  await expect(sheet.getByLabel("Provider cost: Output", { exact: true })).toHaveAttribute(
    "aria-invalid",
    "true",
  );
  await sheet.getByLabel("Provider cost: Output", { exact: true }).fill("250");
  await sheet.getByRole("button", { name: "Save routes" }).click();
  await expect(page.getByText(`Routes of “${alias}” are saved.`).first()).toBeVisible();

  const member = await register(page.request);
  const { secret } = await makeKey(page.request, member);
  expect((await callModel(page.request, secret, { model: alias })).status).toBe(200);
  await page.goto("/admin/margin?period=24h");
  const row = page.getByRole("table", { name: "By model" }).getByRole("row", { name: new RegExp(alias) });
  await expect(row).toContainText("100.0%");
  await expect(row).toContainText("75.0%");
  await expect(row.getByRole("link", { name: alias })).toHaveAttribute("href", `/admin/usage?model=${alias}`);
  const rate = page.getByRole("columnheader", { name: "Margin rate" });
  await rate.getByRole("button").click();
  await expect(rate).toHaveAttribute("aria-sort", "ascending");
  await expect(page).toHaveURL(/sort=share/);
  await expect(page.getByRole("columnheader", { name: "Provider cost" })).toBeVisible();
  await page.getByRole("button", { name: "Show as table" }).click();
  const overTime = page.getByRole("table", { name: "Billed over time, ¥" });
  await expect(overTime.getByRole("columnheader", { name: "Billed" })).toBeVisible();
  await expect(page.getByText("24 hours").first()).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines[0]).toContain("Model,Billed CNY,Billed with known cost CNY,Provider cost CNY,Margin CNY");
  const [, revenue, covered, cost, margin] = (lines.find((line) => line.startsWith(alias)) ?? "").split(",");
  expect(covered).toBe(revenue);
  expect(Number(cost) * 4).toBeCloseTo(Number(revenue), 10);
  expect(Number(margin) * 4).toBeCloseTo(Number(revenue) * 3, 10);
  await page.getByRole("radio", { name: "By node" }).check();
  await expect(page.getByRole("table", { name: "By node" })).toContainText("demo-chat-node");
  await page.getByRole("radio", { name: "By account" }).check();
  const account = page
    .getByRole("table", { name: "By account" })
    .getByRole("row", { name: new RegExp(member.username) });
  await expect(account).toContainText("75.0%");
  await expect(account.getByRole("link", { name: member.username })).toHaveAttribute(
    "href",
    /\/admin\/users\/[0-9a-f-]{36}$/,
  );
});

test("the missing provider costs are asked for where they are missing", async ({ page }) => {
  await page.goto("/admin/models");
  const [known, unknown] = [freshName("costed-"), freshName("uncosted-")];
  const route = { node: "demo-chat-node", model: "demo" };
  const prices = { input: 1_000, output: 1_000 };
  await make(page, "/api/admin/models", {
    alias: known,
    prices,
    routes: [{ ...route, cost: { input: 1, output: 1 } }],
  });
  await make(page, "/api/admin/models", { alias: unknown, prices, routes: [route] });
  const { secret } = await makeKey(page.request, await register(page.request));
  for (const model of [known, unknown])
    expect((await callModel(page.request, secret, { model })).status).toBe(200);
  await page.goto("/admin/margin");
  await page.getByRole("link", { name: "Enter the missing provider costs" }).click();
  await page.waitForURL("**/admin/models?uncosted=true");
  await expect(page.getByRole("button", { name: `Show model ${unknown}` })).toBeVisible();
  await expect(page.getByRole("button", { name: `Show model ${known}` })).toHaveCount(0);
});

test("a change of money has no colour on any page of admins; one of errors has", async ({ page }) => {
  await page.route(/\/api\/admin\/(stats|margin)\?/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const money = { cost: "1", revenue: "1", covered: "1", margin: "1" };
    answer.previous = {
      ...answer.totals,
      ...answer.previous,
      ...money,
      requestCount: 900,
      errors: {},
      partial: false,
    };
    Object.assign(answer.totals, {
      cost: "500",
      revenue: "500",
      requestCount: 1_000,
      errors: { UPSTREAM_ERROR: 400 },
    });
    await route.fulfill({ response, json: answer });
  });
  for (const path of ["/admin", "/admin/usage", "/admin/margin"]) {
    await page.goto(path);
    await page.getByRole("radio", { name: /^24 h/ }).check();
    const changes = page
      .getByRole("main")
      .locator(".kpi-grid")
      .getByText(/24 hours/);
    await expect(changes.first(), path).toBeVisible();
    await expect(page.locator(".kpi-grid .text-success"), path).toHaveCount(0);
    const bad = page.locator(".kpi-grid .text-danger");
    await expect(bad, path).toHaveText(path === "/admin/margin" ? [] : [/pp vs/]);
  }
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

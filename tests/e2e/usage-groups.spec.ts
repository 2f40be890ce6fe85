import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { ask, callModel, makeKey, test } from "./support/member";

interface Grouped {
  totals: { cost: string; requestCount: number };
  groups: { rows: Array<{ id: string; name: string; cost: string; requestCount: number; deleted: boolean }> };
}

async function csvOf(page: Page): Promise<string[][]> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  const text = readFileSync(await download.path(), "utf8")
    .replace("\uFEFF", "")
    .trim();
  return text.split("\r\n").map((line) => line.split(","));
}

/** Moves the decimal point of cents two places, as text. */
function yuan(cents: string): number {
  return Number(cents) / 100;
}

test("usage by key has each key, a deleted one too, and their sums are the total of page, table and file", async ({
  page,
  request,
  member,
  consoleErrors,
}) => {
  const [busy, gone] = [
    await makeKey(request, member, { name: "Busy" }),
    await makeKey(request, member, { name: "Gone" }),
  ];
  for (const { secret } of [busy, busy, gone]) await callModel(request, secret);
  const headers = { authorization: `Bearer ${member.token}` };
  await request.delete(`/api/user/tokens/${gone.id}`, { headers });
  await page.goto("/console/usage");
  const sorted = page.locator("th[aria-sort=descending]");
  await expect(sorted).toHaveText("Cost");
  await page.getByRole("radio", { name: "By day" }).check();
  await expect(sorted).toHaveText("Day");
  await page.getByRole("radio", { name: "By key" }).check();
  await expect(page).toHaveURL(/by=key/);
  const table = page.getByRole("table", { name: "By key" });
  await expect(table.getByRole("row")).toHaveCount(4);
  await expect(table.getByRole("row", { name: /Busy/ })).toContainText("2");
  await expect(table.getByRole("row", { name: /Gone/ })).toContainText("deleted");
  await expect(table.getByRole("row", { name: /^Total/ })).toContainText("3");
  await expect(page.locator("figure").getByRole("list").getByRole("button")).toHaveText([/^Busy/, /^Gone/]);
  const stats = await ask<Grouped>(request, member, "/api/user/stats?groupBy=key&tz=Asia/Shanghai");
  const lines = await csvOf(page);
  expect(lines.map(([name]) => name)).toEqual(["Key", "Busy", "Gone", "Total"]);
  const costs = lines.slice(1).map((line) => Number(line.at(-2)));
  expect(costs[2]).toBe(yuan(stats.totals.cost));
  expect((costs[0] ?? 0) + (costs[1] ?? 0)).toBeCloseTo(costs[2] ?? 0, 10);
  const names = table.getByRole("row").getByRole("button", { name: /^(Busy|Gone)$/ });
  await table.getByRole("button", { name: "Requests" }).click();
  await expect(names).toHaveText(["Busy", "Gone"]);
  await table.getByRole("button", { name: "Requests" }).click();
  await expect(names).toHaveText(["Gone", "Busy"]);
  await expect(table.getByRole("row").last()).toContainText("Total");
  for (const path of ["/console/logs", page.url()]) {
    await page.goto(path);
    const option = page.getByLabel("Key", { exact: true }).getByRole("option", { name: "Gone (deleted)" });
    await expect(option).toHaveAttribute("value", gone.id);
  }
  await table.getByRole("button", { name: "Busy" }).click();
  await expect(page).toHaveURL(new RegExp(`key=${busy.id}`));
  await expect(table.getByRole("row")).toHaveCount(3);
  expect(consoleErrors).toEqual([]);
});

test("chosen days are checked where they are typed, shown in the viewer's zone and exported", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.goto("/console/usage");
  await page.getByText("Custom", { exact: true }).click();
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Shanghai" }).format(new Date());
  await expect(page.getByLabel("To", { exact: true })).toHaveValue(today);
  const from = page.getByLabel("From", { exact: true });
  await from.fill("2030-01-01");
  await expect(page.getByText("The first day is after the last. The figures below are still")).toBeVisible();
  await from.fill("2020-01-01");
  await expect(page.getByText("Choose at most 92 days.")).toBeVisible();
  await expect(page).not.toHaveURL(/from=2020/);
  await from.fill(today);
  await expect(page).toHaveURL(new RegExp(`from=${today}&to=${today}`));
  await expect(page.locator("figure").first()).toContainText("over 1 day");
  await page.getByRole("radio", { name: "By hour" }).check();
  const rows = page.getByRole("table", { name: "By hour" }).getByRole("row");
  const hour = new Date(Date.now() + 8 * 3_600_000).getUTCHours();
  await expect(rows).toHaveCount(hour + 3);
  const lines = await csvOf(page);
  expect(lines[0]?.[0]).toBe("From (Asia/Shanghai)");
  expect(lines[1]?.[0]).toMatch(new RegExp(`^${today} \\d\\d:00$`));
  await page.getByText("7 days", { exact: true }).click();
  await expect(page).not.toHaveURL(/from=/);
});

test("an address with days that cannot be shown says why, and leads back", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.goto("/console/usage?from=2098-12-30&to=2098-12-31");
  await expect(page.getByText("The last day is in the future.")).toBeVisible();
  await expect(page.getByText("Request id")).toHaveCount(0);
  await expect(page.getByText("Loading")).toHaveCount(0);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByText("Requests", { exact: true }).first()).toBeVisible();
  await expect(page.locator("figure").first()).toContainText("over 7 days");
});

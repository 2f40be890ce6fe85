import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { ask, callModel, makeKey, test } from "./support/member";

interface Stats {
  totalRequests: number;
  totals: { cost: string; errorCount: number };
  modelBreakdown: Array<{ model: string; requestCount: number; cost: string }>;
}

/** Three calls to one model, one to another, one refused. */
async function someUse(request: Parameters<typeof makeKey>[0], member: Parameters<typeof makeKey>[1]) {
  const key = await makeKey(request, member, { name: "Used" });
  for (const model of ["demo-chat", "demo-chat", "demo-chat", "demo-messages", "no-such-model"]) {
    await callModel(request, key.secret, { model });
  }
  return key;
}

function yuan(cents: string): number {
  return Number(cents) / 100;
}

test("the numbers of the page are the numbers of the API", async ({
  page,
  request,
  member,
  consoleErrors,
}) => {
  await someUse(request, member);
  await page.goto("/console/usage");
  const stats = await ask<Stats>(request, member, "/api/user/stats?period=7d&tz=Asia/Shanghai");
  expect(stats.totalRequests).toBe(5);
  await expect(page.getByText("Requests", { exact: true }).first().locator("..")).toContainText("5");
  await expect(page.getByText("1 failed request")).toBeVisible();
  const table = page.getByRole("group", { name: "By model" });
  for (const row of stats.modelBreakdown) {
    const line = table.getByRole("row", { name: new RegExp(row.model.replace(/[()]/g, "\\$&")) });
    await expect(line).toContainText(String(row.requestCount));
  }
  await expect(page.locator("figure")).toContainText(/Spend ¥0\.0\d+ over 7 days, peak .* mostly demo-chat/);
  await expect(page.locator("figure svg.recharts-surface").first()).toBeVisible();
  expect(consoleErrors).toEqual([]);
});

test("every chart has a table and a file with the same numbers", async ({ page, request, member }) => {
  await someUse(request, member);
  const stats = await ask<Stats>(request, member, "/api/user/stats?period=7d&tz=Asia/Shanghai");
  await page.goto("/console/usage");
  await page.getByRole("button", { name: "Show as table" }).click();
  const table = page.getByRole("table", { name: "Cost, ¥" });
  await expect(table.getByRole("row")).toHaveCount(8);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Chart as CSV" }).click(),
  ]);
  const text = readFileSync(await download.path(), "utf8").trim();
  const [head = "", ...rows] = text.split("\r\n").map((line) => line.split(","));
  expect(rows).toHaveLength(7);
  expect(head.at(-1)).toBe("Total");
  const sum = rows.reduce((total, row) => total + Number(row.at(-1)), 0);
  expect(sum).toBeCloseTo(yuan(stats.totals.cost), 8);
  expect(download.suggestedFilename()).toContain("Asia_Shanghai");
  for (const metric of ["Requests", "Tokens", "Latency", "Errors"]) {
    await page.getByRole("tab", { name: metric }).click();
    await page.getByRole("tabpanel").getByRole("button", { name: "Show as table" }).click();
    await expect(page.getByRole("tabpanel").getByRole("table")).toBeVisible();
  }
});

test("what is shown lives in the address, and the zone can be changed", async ({ page, request, member }) => {
  const key = await someUse(request, member);
  await page.goto(`/console/usage?period=24h&key=${key.id}&metric=requests`);
  await expect(page.getByRole("radio", { name: "24 h" })).toBeChecked();
  await expect(page.getByRole("tab", { name: "Requests" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByLabel("Key", { exact: true })).toHaveValue(key.id);
  await page.getByLabel("Time zone").selectOption("UTC");
  await expect(page).toHaveURL(/tz=UTC/);
  await page.getByRole("button", { name: "demo-messages", exact: true }).click();
  await expect(page).toHaveURL(/model=demo-messages/);
  await expect(page.getByText("Requests", { exact: true }).first().locator("..")).toContainText("1");
});

test("the axis of tiny amounts is whole, and refusals by limits are counted apart", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { planId: 1 });
  const statuses = [];
  for (let index = 0; index < 4; index += 1) statuses.push((await callModel(request, secret)).status);
  expect(statuses).toContain(429);
  await page.goto("/console/usage?period=24h");
  await expect(page.getByText(/failed requests?, of these \d+ rate-limited/)).toBeVisible();
  const chart = page.locator("figure svg.recharts-surface").first();
  await expect(chart).toBeVisible();
  const axis = await chart.evaluate((svg) => {
    const { left } = svg.getBoundingClientRect();
    const labels = [...svg.querySelectorAll("text")];
    return labels.map((label) => ({
      text: label.textContent,
      room: label.getBoundingClientRect().left - left,
    }));
  });
  expect(axis.some(({ text }) => /^¥0\.000\d/.test(text ?? ""))).toBe(true);
  for (const { room } of axis) expect(room).toBeGreaterThanOrEqual(0);
});

test("a bar leads to the logs of its time", async ({ page, request, member }) => {
  await someUse(request, member);
  await page.goto("/console/usage?period=24h");
  await page.getByRole("button", { name: "Show as table" }).click();
  await page.getByRole("table", { name: "Cost, ¥" }).getByRole("link").last().click();
  await page.waitForURL("**/console/logs?from=**");
  await expect(page.getByRole("table", { name: "Requests" }).getByRole("row")).toHaveCount(6);
});

test("an account without any use sees a call to make, not an empty axis", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/usage");
  await expect(page.getByText("No usage yet.")).toBeVisible();
  await expect(page.getByRole("tab", { name: "OpenAI Python" })).toBeVisible();
});

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
  await expect(page.getByRole("link", { name: "1 refused" }).first()).toBeVisible();
  const latency = page.getByText("Latency, p50", { exact: true }).locator("..");
  await expect(latency, "both are estimates").toContainText(/≈ \d.*p95 ≈ \d/);
  const table = page.getByRole("group", { name: "By model" });
  for (const row of stats.modelBreakdown) {
    const name = row.model === "(unknown)" ? "Unknown model" : row.model;
    const line = table.getByRole("row", { name: new RegExp(name) });
    await expect(line).toContainText(String(row.requestCount));
  }
  const foot = table.getByRole("row", { name: /^Total/ });
  await expect(foot).toContainText("80.0%");
  await expect(foot).not.toContainText(/100(\.0)?%/);
  await expect(page.locator("figure")).toContainText(/Cost ¥0\.0\d+ over 7 days, peak .* most on demo-chat/);
  await expect(page.getByRole("list", { name: "Cost, ¥" }).getByRole("link")).toHaveCount(7);
  await expect(page.getByText(/nothing in the previous 7 days/i)).toHaveCount(1);
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
  expect(download.suggestedFilename()).toMatch(/^tollgate-cost-\d{4}-\d\d-\d\d--\d{4}-\d\d-\d\d\.csv$/);
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
  await expect(page.getByText(/\d+ refused \(\d+ rate-limited\)/)).toBeVisible();
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

test("each count of failures and refusals leads to exactly the requests that it counts, in one vocabulary", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  for (const model of ["demo-chat", "no-such-model", "no-such-model", "zz-file-model"])
    await callModel(request, secret, { model });
  const rows = page.getByRole("table", { name: "Requests" }).locator("tbody").getByRole("row");
  for (const from of ["/console", "/console/usage"]) {
    await page.goto(from);
    const card = page.getByText("Error rate", { exact: true }).first().locator("..");
    await expect(card).toContainText("1 failed · 2 refused");
    await card.getByRole("link", { name: "2 refused" }).click();
    await page.waitForURL("**/console/logs?**outcome=refused**");
    await expect(rows).toHaveCount(2);
    await expect(rows.filter({ hasText: /Refused\s*404/ })).toHaveCount(2);
    await page.goBack();
    await card.getByRole("link", { name: "1 failed" }).click();
    await page.waitForURL("**/console/logs?**outcome=failed**");
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText(/Failed\s*50\d/);
  }
  await page.goto("/console/usage?metric=errors");
  await page.getByText("By key", { exact: true }).click();
  await expect(page.getByRole("table", { name: "By key" })).toBeVisible();
  await page.getByRole("radio", { name: "By code" }).check();
  await expect(page).toHaveURL(/errors=code/);
  await page.getByRole("tabpanel").getByRole("button", { name: "Show as table" }).click();
  await page
    .getByRole("table", { name: "Failed and refused requests by code" })
    .getByRole("link")
    .last()
    .click();
  await page.waitForURL("**/console/logs?**outcome=unanswered**");
  await expect(rows).toHaveCount(3);
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

test("when another period cannot be read, the old numbers stay, dimmed, with the error", async ({
  page,
  request,
  member,
}) => {
  await someUse(request, member);
  await page.goto("/console/usage");
  const requests = page.getByText("Requests", { exact: true }).first().locator("..");
  await expect(requests).toContainText("5");
  let failing = true;
  await page.route("**/api/user/stats?period=30d**", (route) =>
    failing
      ? route.fulfill({
          status: 500,
          json: { error: { code: "INTERNAL_ERROR", message: "No.", requestId: "r" } },
        })
      : route.continue(),
  );
  await page.getByRole("radio", { name: "30 days" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "Something went wrong" });
  await expect(alert).toContainText(
    /Still showing the selection before this one, with data from \d\d:\d\d:\d\d/,
  );
  await expect(requests).toContainText("5");
  await expect(page.locator("figure")).toContainText("over 7 days");
  const old = page.locator("[data-old]").filter({ has: page.locator("figure") });
  await expect(old).toHaveCSS("outline-style", "dashed");
  failing = false;
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator("figure")).toContainText("over 30 days");
  await expect(alert).toBeHidden();
  await expect(page.locator("[data-old]")).toHaveCount(0);
});

test("the overview tells that its numbers cannot be read, and keeps the last ones", async ({
  page,
  request,
  member,
}) => {
  await someUse(request, member);
  const refuse = () =>
    page.route("**/api/user/stats?**", (route) =>
      route.fulfill({
        status: 500,
        json: { error: { code: "INTERNAL_ERROR", message: "No.", requestId: "r" } },
      }),
    );
  await refuse();
  await page.goto("/console");
  const alert = page.getByRole("alert").filter({ hasText: "Something went wrong" });
  await expect(alert).toBeVisible();
  await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
  await page.unroute("**/api/user/stats?**");
  await alert.getByRole("button", { name: "Try again" }).click();
  const requests = page.getByText("Requests", { exact: true }).locator("..");
  await expect(requests).toContainText("5");
  await expect(alert).toBeHidden();
});

test("a chart's table has every digit of numbers that the page shortens", async ({
  page,
  request,
  member,
}) => {
  await someUse(request, member);
  await page.route("**/api/user/stats?**", async (route) => {
    const response = await route.fetch();
    const stats = await response.json();
    for (const bucket of stats.buckets) bucket.promptTokens = 1_234_567;
    await route.fulfill({ response, json: stats });
  });
  await page.goto("/console/usage?metric=tokens&by=day");
  await expect(page.locator("figure")).toContainText("8.6M tokens over 7 days");
  await page.getByRole("tabpanel").getByRole("button", { name: "Show as table" }).click();
  const input = page.getByRole("tabpanel").getByRole("cell", { name: "1,234,567", exact: true });
  await expect(input.first()).toBeVisible();
  await page.unrouteAll({ behavior: "ignoreErrors" }); // the page may be reading again
});

test("days of one's own choice stand in one line with the other filters", async ({
  page,
  request,
  member,
}) => {
  await someUse(request, member);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/console/usage?period=30d");
  await page.getByText("Custom", { exact: true }).click();
  const first = new Date(Date.now() - 29 * 86_400_000);
  await expect(page.getByLabel("From", { exact: true })).toHaveValue(
    new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Shanghai" }).format(first),
  );
  const top = async (label: string) => (await page.getByLabel(label, { exact: true }).boundingBox())?.y ?? 0;
  const from = await top("From");
  for (const label of ["To", "Key", "Model", "Time zone"]) expect(await top(label), label).toBe(from);
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Shanghai" }).format(new Date());
  await page.getByRole("button", { name: "This month" }).click();
  await expect(page.getByLabel("From", { exact: true })).toHaveValue(`${today.slice(0, 8)}01`);
  await expect(page.getByLabel("To", { exact: true })).toHaveValue(today);
  await page.getByRole("button", { name: "Last month" }).click();
  await expect(page.getByLabel("To", { exact: true })).toHaveValue(/-(28|29|30|31)$/);
  await expect(page).toHaveURL(/from=\d{4}-\d\d-01/);
  await page.getByRole("button", { name: "Last 90 days" }).click();
  await expect(page.getByLabel("From", { exact: true })).toHaveValue(
    new Date(Date.parse(today) - 89 * 86_400_000).toISOString().slice(0, 10),
  );
  await expect(page.getByLabel("To", { exact: true })).toHaveValue(today);
});

test("beside the latency the table has that of each model or key, by which it can be sorted", async ({
  page,
  request,
  member,
}) => {
  await someUse(request, member);
  await page.goto("/console/usage?metric=latency");
  const table = page.getByRole("table", { name: "By model" });
  await table.getByRole("button", { name: "p95" }).click();
  await expect(table.locator("th[aria-sort=descending]")).toHaveText("p95");
  const row = table.getByRole("row", { name: /demo-messages/ });
  await expect(row.getByRole("cell", { name: /^[\d.]+ m?s$/ })).toHaveCount(2);
  await page.getByRole("radio", { name: "By key" }).check();
  const keys = page.getByRole("table", { name: "By key" });
  await expect(keys.getByRole("columnheader", { name: "p95" })).toBeVisible();
  const used = keys.getByRole("row", { name: /Used/ });
  await expect(used.getByRole("cell", { name: /^[\d.]+ m?s$/ })).toHaveCount(2);
});

test.describe("in UTC", () => {
  test.use({ timezoneId: "UTC" });

  test("the only zone to choose is told, not offered", async ({ page, request, member }) => {
    await someUse(request, member);
    await page.goto("/console/usage");
    await expect(page.getByText("Time zone: UTC")).toBeVisible();
    await expect(page.getByLabel("Time zone")).toHaveCount(0);
    await page.goto("/console/usage?tz=Asia/Shanghai");
    await expect(page.getByLabel("Time zone")).toHaveValue("Asia/Shanghai");
  });
});

test("a period that is chosen before the scripts run stays chosen", async ({ context, member: _member }) => {
  const page = await context.newPage(); // does not wait for the scripts
  let release = () => {};
  const scripts = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*.js", async (route) => {
    await scripts;
    await route.continue();
  });
  await page.goto("/console/usage", { waitUntil: "commit" });
  const chosen = page.getByRole("radio", { name: "30 days" });
  await chosen.check();
  release();
  await expect(page).toHaveURL(/period=30d/);
  await expect(chosen).toBeChecked();
});

import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { ask, callModel, makeKey, monthOfMember, test } from "./support/member";

test("billing sums up months, and a month or days narrow the ledger and its file", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.goto("/console/billing");
  const month = monthOfMember();
  const name = new Intl.DateTimeFormat("en", { year: "numeric", month: "long", timeZone: "UTC" }).format(
    new Date(`${month}-01`),
  );
  const months = page.getByRole("table", { name: "By month" });
  const ledger = page.getByRole("table", { name: "Movements of the balance" }).getByRole("row");
  const balance = (await ledger.nth(1).getByRole("cell").last().textContent()) ?? "";
  expect(balance).toMatch(/^¥9\.99\d{4}$/);
  const monthRow = months.getByRole("row", { name: new RegExp(name) });
  await expect(monthRow, "as added").toContainText("¥10.000000");
  await expect(monthRow, "the balance reads as in the ledger").toContainText(balance);
  await months.getByRole("button", { name }).click();
  await expect(page).toHaveURL(new RegExp(`from=${month}-01&to=${month}-\\d\\d`));
  await expect(page.getByLabel("Month", { exact: true })).toHaveValue(month);
  await expect(ledger).toHaveCount(3);
  await expect(page.getByText(/¥10\.0* added, ¥0\.0\d+ used by 1 request\./)).toBeVisible();
  await page.getByLabel("To", { exact: true }).fill("2026-01-31");
  await page.getByLabel("From", { exact: true }).fill("2026-01-01");
  await expect(page.getByText("No matches")).toBeVisible();
  const href = await page.getByRole("link", { name: "Export CSV" }).getAttribute("href");
  const answer = await page.request.get(href ?? "");
  expect(answer.headers()["content-disposition"]).toContain("2026-01-01--2026-01-31");
  expect((await answer.text()).trimEnd().split("\r\n")).toHaveLength(1);
});

test("a month's statement agrees with the ledger to the last digit, as a file and on paper", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { name: "Charged" });
  for (const model of ["demo-chat", "demo-mixed"]) await callModel(request, secret, { model });
  const { data } = await ask<{ data: { amount: string; balanceAfter: string }[] }>(
    request,
    member,
    "/api/user/ledger?pageSize=50",
  );
  const yuan = (cents = "") => (Number(cents) / 100).toFixed(10).replace(/0+$/, "");
  const month = monthOfMember();
  await page.goto("/console/billing");
  await page
    .getByRole("table", { name: "By month" })
    .getByRole("link", { name: /^Statement/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`/console/billing/statement\\?month=${month}`));
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText(/Billing.*Statement/);
  const row = (table: string, name: string | RegExp) =>
    page.getByRole("table", { name: table }).getByRole("row", { name });
  await expect(row("Summary", "Closing balance")).toContainText(yuan(data[0]?.balanceAfter));
  await expect(row("Summary", "Starting balance")).toContainText("¥10.00");
  const used = yuan(data[0]?.amount.replace("-", ""));
  for (const by of ["Usage by model", "Usage by key"]) await expect(row(by, "Total")).toContainText(used);
  await expect(row("Usage by model", "demo-mixed")).toBeVisible();
  await expect(row("Usage by key", "Charged")).toContainText(used);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  // Months of statements are those of the gateway's zone.
  const currentMonth = new Date().toISOString().slice(0, 7);
  expect(download.suggestedFilename()).toBe(`tollgate-statement-${currentMonth}-open.csv`);
  expect(readFileSync(await download.path(), "utf8")).toContain(yuan(data[0]?.balanceAfter));
  await expect(page.getByText(/^Open: it holds what was recorded until .* and closes on /)).toBeVisible();
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "");
  });
  await page.getByRole("button", { name: "Print or save as PDF" }).click();
  await expect(page.locator("body")).toHaveAttribute("data-printed", "");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByRole("article")).toBeVisible();
  for (const part of ["navigation", "banner", "combobox", "button"] as const)
    await expect(page.getByRole(part).filter({ visible: true })).toHaveCount(0);
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(255, 255, 255)");
});

test("a closed month shows its checksum, and what settled late stands apart", async ({ page, member }) => {
  const sums = {
    requestCount: 1,
    inputTokens: 5,
    cacheReadTokens: 2,
    cacheWriteTokens: 1,
    outputTokens: 3,
  };
  const row = { keyPrefix: null, ofMonth: null };
  const head = {
    month: "2026-09",
    state: "closed",
    startsAt: "2026-09-01T00:00:00.000Z",
    endsAt: "2026-10-01T00:00:00.000Z",
    closesAt: null,
    closedAt: "2026-10-02T00:00:10.000Z",
    sha256: "ab".repeat(32),
  };
  await page.route("**/api/user/statements", (route) =>
    route.fulfill({
      json: { data: [{ ...head, ...sums, cost: "12" }], page: 1, pageSize: 1, total: 1, nextCursor: null },
    }),
  );
  await page.route("**/api/user/statements/2026-09", (route) =>
    route.fulfill({
      json: {
        ...head,
        timezone: "UTC",
        opening: "100",
        closing: "88",
        grants: [],
        otherGrants: "0",
        totals: { ...sums, requestCount: 2, cost: "12" },
        models: { rows: [{ ...row, ...sums, id: "gpt", name: "gpt", cost: "10" }], others: null },
        keys: { rows: [{ ...row, ...sums, id: "k", name: "Mine", cost: "10" }], others: null },
        late: {
          rows: [{ ...row, ...sums, id: "l", name: "slow", ofMonth: "2026-08", cost: "2" }],
          others: null,
        },
      },
    }),
  );
  expect(member.username).not.toBe("");
  await page.goto("/console/billing/statement?month=2026-09");
  await expect(page.getByText("ab".repeat(32))).toBeVisible();
  await expect(page.getByText(/^Closed: it never changes\./)).toBeVisible();
  const table = (name: string) => page.getByRole("table", { name });
  await expect(table("Usage by model").getByRole("row", { name: "Total" })).toContainText("¥0.10");
  await expect(table("Settled late").getByRole("row", { name: /slow/ })).toContainText("August 2026");
  await expect(table("Settled late").getByRole("row", { name: "Total" })).toContainText("¥0.02");
  await expect(table("Summary").getByRole("row", { name: "Closing balance" })).toContainText("¥0.88");
});

test("billing shows the starting balance, the charge of a call, and leads to its logs", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { name: "Charged" });
  await callModel(request, secret);
  await page.goto("/console/billing");
  const ledger = page.getByRole("table", { name: "Movements of the balance" });
  await expect(ledger.getByRole("row", { name: /Starting balance/ })).toContainText("+¥10.000000");
  const movements = "/api/user/ledger?pageSize=50";
  const { data } = await ask<{ data: { amount: string; balanceAfter: string }[] }>(
    request,
    member,
    movements,
  );
  const exact = (cents = "") => `¥${(Math.abs(Number(cents)) / 100).toFixed(10).replace(/0+$/, "")}`;
  const [charge] = data;
  expect(exact(charge?.balanceAfter), "more digits than a price tag has").toMatch(/^¥9\.99\d{3,}$/);
  const row = ledger.getByRole("row", { name: /Charged: 1 request/ });
  await expect(row, "what puts it in its place").toContainText(/until \d\d:\d\d/);
  await expect(row.getByTitle(`−${exact(charge?.amount)}`)).toHaveText(/^−¥0\.000\d{3}$/);
  await expect(row.getByTitle(exact(charge?.balanceAfter), { exact: true })).toHaveText(/^¥9\.99\d{4}$/);
  const start = ledger
    .getByRole("row", { name: /Starting balance/ })
    .getByRole("cell")
    .last();
  await expect(start).toHaveText("¥10.000000");
  await page.getByLabel("Type").selectOption("Starting balance");
  await expect(ledger.getByRole("row")).toHaveCount(2);
  await expect(start).toHaveText("¥10.000000");
  const download = await page.getByRole("link", { name: "Export CSV" }).getAttribute("href");
  expect(download).toMatch(/^\/api\/user\/ledger\/export\?type=signup&tz=/);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await ledger.getByRole("link", { name: "Charged: 1 request" }).click();
  await page.waitForURL("**/console/logs?**");
  await expect(page.getByRole("table", { name: "Requests" }).getByRole("row")).toHaveCount(2);
});

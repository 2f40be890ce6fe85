import { readFileSync } from "node:fs";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { toScaled } from "@/lib/shared/decimal";
import { axeViolations } from "./support/axe";
import { ask, callModel, type Member, makeKey, openSession, register } from "./support/member";
import { freshName, make, test } from "./support/people";

const month = new Date().toISOString().slice(0, 7);

/** An account with calls of two models. */
async function caller(request: APIRequestContext): Promise<Member> {
  const member = await register(request);
  const { secret } = await makeKey(request, member, { name: "Only key" });
  for (const model of ["demo-chat", "demo-mixed"])
    expect((await callModel(request, secret, { model })).status).toBe(200);
  return member;
}

/** The rows of a downloaded file by the names of its columns; no cell of these tests has a comma. */
async function downloaded(page: Page, link: string) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: link }).click(),
  ]);
  const text = readFileSync(await download.path(), "utf8").replace("\uFEFF", "");
  const [head = "", ...lines] = text.trimEnd().split("\r\n");
  const names = head.split(",");
  const rows = lines.map((line) => {
    const cells = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? [];
    return Object.fromEntries(names.map((name, index) => [name, cells[index]?.replace(/,$/, "") ?? ""]));
  });
  return { name: download.suggestedFilename(), rows };
}

const sumOf = (amounts: (string | undefined)[]) =>
  amounts.reduce((sum, amount) => sum + toScaled(amount ?? "0"), 0n);

test("a month's sums by account, project and cost centre, until when it is open, and its files", async ({
  page,
}) => {
  const member = await caller(page.request);
  await page.goto("/admin");
  // Keys pressed before the page's scripts run are not kept.
  await expect(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await page.waitForURL("**/admin/statements", { timeout: 2_000 });
  }).toPass();
  await expect(page.getByRole("heading", { level: 1, name: "Statements" })).toBeVisible();
  await expect(
    page.getByText(/^Open until .*: the sums still change\. Months are those of UTC\.$/),
  ).toBeVisible();
  const { data } = await ask<{ data: { month: string; charged: string }[] }>(
    page.request,
    member,
    "/api/user/ledger/months?tz=UTC",
  );
  const charged = data.find((one) => one.month === month)?.charged ?? "";
  const yuan = (Number(charged) / 100).toFixed(10).replace(/0+$/, "");
  const accounts = page.getByRole("table", { name: "By account" });
  await expect(accounts.getByRole("row", { name: new RegExp(member.username) })).toContainText(yuan);
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("radio", { name: "By project" }).check();
  await expect(
    page.getByRole("table", { name: "By project" }).getByRole("row", { name: /No project/ }),
  ).toBeVisible();
  await page.getByRole("radio", { name: "By cost centre" }).check();
  await expect(page).toHaveURL(/by=costCentre/);
  await expect(
    page.getByRole("table", { name: "By cost centre" }).getByRole("row", { name: /No cost centre/ }),
  ).toBeVisible();
  const lines = await downloaded(page, "Export CSV");
  expect(lines.name).toBe(`tollgate-statement-lines-${month}-open.csv`);
  const own = lines.rows.filter(({ account }) => account === member.username);
  expect(own).toHaveLength(2);
  expect(sumOf(own.map(({ costCents }) => costCents))).toBe(toScaled(charged));
  const focus = await downloaded(page, "FOCUS 1.2");
  expect(focus.name).toBe(`tollgate-focus-${month}-open.csv`);
  const usage = focus.rows.filter(({ ChargeCategory }) => ChargeCategory === "Usage");
  expect(usage).toHaveLength(lines.rows.length);
});

test("a closed month shows its checksum; empty and failed months say so, on a phone too", async ({
  page,
}) => {
  const head = {
    month: "2026-09",
    state: "closed",
    startsAt: "2026-09-01T00:00:00.000Z",
    endsAt: "2026-10-01T00:00:00.000Z",
    closesAt: null,
    closedAt: "2026-10-02T00:00:10.000Z",
    sha256: "cd".repeat(32),
  };
  const sums = {
    requestCount: 0,
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    cost: "0",
  };
  const figures = { ...sums, lateCost: "0", previous: { requestCount: 0, cost: "0" } };
  let answers: "empty" | "rows" | "failure" = "rows";
  await page.route("**/api/admin/statements", (route) =>
    route.fulfill({
      json: { data: [{ ...head, ...sums }], page: 1, pageSize: 1, total: 1, nextCursor: null },
    }),
  );
  await page.route("**/api/admin/statements/2026-09?*", (route) => {
    if (answers === "failure")
      return route.fulfill({
        status: 500,
        json: { error: { code: "INTERNAL_ERROR", message: "Broken.", requestId: "r" } },
      });
    const row = { ...figures, id: "p", name: "Research", owner: "alice", cost: "150", lateCost: "7" };
    const rows = answers === "rows" ? [{ ...row, previous: { requestCount: 1, cost: "100" } }] : [];
    return route.fulfill({
      json: {
        ...head,
        timezone: "Asia/Shanghai",
        by: "project",
        totals: rows[0] ?? figures,
        rows,
        others: null,
      },
    });
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/admin/statements?month=2026-09&by=project");
  await expect(page.getByText("cd".repeat(32))).toBeVisible();
  await expect(page.getByText(/^Closed on .* Months are those of Asia\/Shanghai\.$/)).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Research" })).toContainText("Paid by alice");
  await expect(page.getByText("¥1.00 in the month before (+50.0%)")).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(360);
  expect(await axeViolations(page)).toEqual([]);
  answers = "empty";
  await page.reload();
  await expect(page.getByText("Nothing was used in this month or the one before.")).toBeVisible();
  answers = "failure";
  await page.reload();
  await expect(page.getByRole("button", { name: "Try again" }).first()).toBeVisible();
});

test("a month without a statement is said, and the newest one is shown", async ({ page }) => {
  await page.goto("/admin/statements?month=1999-01");
  await expect(page.getByText("There is no statement of 1999-01. This is the newest month.")).toBeVisible();
});

test("the page speaks Chinese", async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: "locale", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto("/admin/statements");
  await expect(page.getByRole("heading", { level: 1, name: "对账单" })).toBeVisible();
  await expect(page.getByText(/^未结账，至 .*：合计仍会变化。/)).toBeVisible();
});

test.describe("a finance person with the role reader", () => {
  test("gets the month's file, which adds up to the ledger to the micro-cent, and changes nothing", async ({
    page,
    browser,
    baseURL,
  }) => {
    test.slow();
    const members = [await caller(page.request), await caller(page.request)];
    await page.goto("/admin/users");
    const person = { username: freshName("finance"), password: "quiet-river-42" };
    const { id } = await make<{ id: string }>(page, "/api/admin/users", person);
    await page.goto(`/admin/users/${id}`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByLabel("Role").selectOption("Reader of reports");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(`“${person.username}” is saved.`)).toBeVisible();

    const context = await browser.newContext({
      locale: "en-US",
      storageState: { cookies: [], origins: [] },
      ...(baseURL && { baseURL }),
    });
    const finance = await context.newPage();
    const login = await finance.request.post("/api/user/login", { data: person });
    await finance.goto("/login");
    await openSession(finance, (await login.json()).token);
    await finance.goto("/admin");
    await finance.waitForURL("**/admin/statements");
    const navigation = finance.getByRole("navigation", { name: "Administration" });
    await expect(navigation.getByRole("link")).toHaveText([
      "All usage",
      "All logs",
      "Margin",
      "Statements",
      "All budgets",
      "Users",
      "Plans",
    ]);
    const lines = await downloaded(finance, "Export CSV");
    for (const member of members) {
      const { data } = await ask<{ data: { month: string; charged: string }[] }>(
        finance.request,
        member,
        "/api/user/ledger/months?tz=UTC",
      );
      const own = lines.rows.filter(({ account }) => account === member.username);
      expect(sumOf(own.map(({ costCents }) => costCents))).toBe(
        toScaled(data.find((one) => one.month === month)?.charged ?? "0"),
      );
    }
    for (const path of ["/admin/usage", "/admin/logs", "/admin/margin", "/admin/users", "/admin/plans"]) {
      const refused: string[] = [];
      const listen = (answer: { status: () => number; url: () => string }) => {
        if (answer.status() === 403) refused.push(answer.url());
      };
      finance.on("response", listen);
      await finance.goto(path);
      await expect(finance.getByRole("heading", { level: 1 })).toBeVisible();
      await finance.waitForLoadState("networkidle");
      finance.off("response", listen);
      expect([path, refused]).toEqual([path, []]);
      const changing = /^(Add|Create|Invite|Import|Edit|Actions)\b/;
      await expect(finance.getByRole("button", { name: changing })).toHaveCount(0);
    }
    for (const path of [
      "/admin/nodes",
      "/admin/models",
      "/admin/audit",
      "/admin/settings",
      `/admin/users/${id}`,
    ]) {
      await finance.goto(path);
      await expect(finance.getByText("403", { exact: true })).toBeVisible();
    }
    await context.close();
  });
});

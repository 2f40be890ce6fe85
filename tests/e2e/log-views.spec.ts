import { expect, type Page } from "@playwright/test";
import { callModel, makeKey, openSession, test } from "./support/member";

const table = (page: Page) => page.getByRole("table", { name: "Requests" });
/** Without the head. */
const rows = (page: Page) => table(page).locator("tbody").getByRole("row");
const views = (page: Page) => page.getByRole("region", { name: "Views" });

test("built-in views show failures, refusals, slow and expensive requests with one click", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await callModel(request, secret, { model: "no-such-model" });
  await page.goto("/console/logs");
  await expect(rows(page)).toHaveCount(2);
  await views(page).getByRole("button", { name: "Refused" }).click();
  await expect(page).toHaveURL(/outcome=refused/);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("MODEL_NOT_FOUND");
  await expect(views(page).getByRole("button", { name: "Refused" })).toHaveAttribute("aria-pressed", "true");
  for (const [name, address] of [
    ["Failed", "outcome=failed"],
    ["Slow ≥ 10 s", "min=10000"],
    ["Expensive ≥ ¥0.10", "cost=10"],
  ] as const) {
    await views(page).getByRole("button", { name }).click();
    await expect(page).toHaveURL(new RegExp(`${address}$`));
    await expect(page.getByText("No matches")).toBeVisible();
  }
  await page.getByRole("button", { name: /^More filters ?1$/ }).click();
  await expect(page.getByRole("textbox", { name: "Min. cost (¥)" })).toHaveValue("0.1");
  await page.keyboard.press("Escape");
  await views(page).getByRole("button", { name: "Everything" }).click();
  await expect(rows(page)).toHaveCount(2);
});

test("the bars above the log count what the filters leave, over the whole time that the list covers", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await callModel(request, secret, { model: "no-such-model" });
  await callModel(request, secret, { model: "no-such-model" });
  const bars = (count: number) =>
    page.getByRole("img", { name: new RegExp(`^Requests over time: ${count} `) });
  await page.goto("/console/logs");
  await expect(bars(3)).toBeVisible();
  await expect(page.getByText(/ – .*, up to 3 requests a bar/)).toBeVisible();
  for (const [query, count] of [
    ["outcome=refused", 2],
    ["code=MODEL_NOT_FOUND", 2],
    ["status=success", 1],
    ["operation=embed", 0],
    ["min=3600000", 0],
    ["cost=0.001", 1],
  ] as const) {
    await page.goto(`/console/logs?${query}`);
    await expect(bars(count), query).toBeVisible();
    const most = { 0: [], 1: ["up to 1 request a bar"], 2: ["up to 2 requests a bar"] }[count];
    const told = await page.getByText(/up to \d/).allTextContents();
    expect(
      told.map((text) => text.replace(/^.*, /, "")),
      query,
    ).toEqual(most);
  }
});

test("where nothing failed, the log tells what was refused, and shows it", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret, { model: "no-such-model" });
  await callModel(request, secret, { model: "no-such-model" });
  await page.goto("/console/logs?outcome=failed");
  await expect(page.getByText("No matches")).toBeVisible();
  await page.getByRole("button", { name: "2 requests were refused: show them" }).click();
  await expect(page).toHaveURL(/outcome=refused/);
  await expect(rows(page)).toHaveCount(2);
});

test("a saved view opens on another machine, can be renamed, deleted and brought back", async ({
  page,
  browser,
  request,
  member,
  consoleErrors,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await callModel(request, secret, { model: "no-such-model" });
  await page.goto("/console/logs?last=24h&model=demo-chat");
  await expect(rows(page)).toHaveCount(1);
  await views(page).getByRole("button", { name: "Save view" }).click();
  const dialog = page.getByRole("dialog", { name: "Save view" });
  await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  await dialog.getByLabel("Name").fill("W".repeat(41));
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("Use 1 to 40 characters.");
  await dialog.getByLabel("Name").fill("Chat today");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(views(page).getByRole("button", { name: "Chat today", exact: true })).toBeVisible();

  const context = await browser.newContext({
    baseURL: new URL(page.url()).origin,
    storageState: undefined,
    locale: "en-US",
  });
  const other = await context.newPage();
  await openSession(other, member.token);
  await other.goto("/console/logs");
  await expect(rows(other)).toHaveCount(2);
  await views(other).getByRole("button", { name: "Chat today", exact: true }).click();
  await expect(rows(other)).toHaveCount(1);
  await expect(other).toHaveURL(/last=24h&model=demo-chat/);
  await expect(other.getByLabel("Time", { exact: true })).toHaveValue("24h");
  await views(other).getByRole("button", { name: "Actions for the view “Chat today”" }).click();
  await other.getByRole("menuitem", { name: "Rename" }).click();
  const rename = other.getByRole("dialog", { name: "Rename “Chat today”" });
  await rename.getByLabel("Name").fill("Chat");
  await rename.getByRole("button", { name: "Save" }).click();
  await expect(rename).toBeHidden();
  await context.close();

  await page.reload();
  await views(page).getByRole("button", { name: "Actions for the view “Chat”" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const chat = views(page).getByRole("button", { name: "Chat", exact: true });
  await expect(chat).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(chat).toBeVisible();
  expect(consoleErrors).toEqual([]);
});

test("live adds new requests to the bars and at the top, and lets them wait while a request is open", async ({
  page,
  request,
  member,
  consoleErrors,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.goto("/console/logs");
  await expect(rows(page)).toHaveCount(1);
  const live = page.getByRole("button", { name: "Live" });
  await live.click();
  await expect(live).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByText("Following the log")).toBeVisible();
  await callModel(request, secret, { model: "no-such-model" });
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText("MODEL_NOT_FOUND");
  await expect(page.getByRole("status").filter({ hasText: "1 new request" })).toHaveCount(1);
  await expect(page.getByRole("img", { name: /^Requests over time: 2 / })).toBeVisible();
  await expect(page.getByText("2 requests", { exact: true })).toBeVisible();

  await rows(page).last().getByRole("link").click();
  await expect(page.getByRole("dialog", { name: "Request" })).toBeVisible();
  await callModel(request, secret);
  await expect(page.getByText("1 new request – show")).toBeAttached();
  await expect(page.getByRole("status").filter({ has: page.locator("button") })).toHaveCount(0);
  await expect(page.locator("table").filter({ hasText: "MODEL_NOT_FOUND" }).locator("tbody tr")).toHaveCount(
    2,
  );
  await page.keyboard.press("Escape");
  await page.mouse.move(5, 5);
  await page.getByRole("heading", { level: 1 }).click();
  await expect(rows(page)).toHaveCount(3);
  await live.click();
  await expect(live).toHaveAttribute("aria-pressed", "false");
  await expect(page.getByText("Following the log")).toBeHidden();
  await expect(rows(page)).toHaveCount(3);
  expect(consoleErrors).toEqual([]);
});

test("live rests while the time has an end, and adds no step to the history where it has none", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/logs");
  await expect(page.getByText("No requests yet.")).toBeVisible();
  const steps = await page.evaluate(() => history.length);
  const live = page.getByRole("button", { name: "Live" });
  await live.click();
  await expect(page.getByText("Following the log")).toBeVisible();
  expect(await page.evaluate(() => history.length)).toBe(steps);
  await page.goto("/console/logs?status=cancelled");
  await live.click();
  await expect(page.getByText("No request matches the filters yet.")).toBeVisible();
  await page.goto("/console/logs?to=2020-01-31T00:00:00.000Z");
  await live.click();
  await expect(page.getByText("Following the log")).toBeVisible();
  await expect(page).not.toHaveURL(/to=/);
  await page.goBack();
  await expect(page).toHaveURL(/to=2020/);
  await expect(live).toHaveAttribute("aria-pressed", "false");
  await expect(page.getByText("Following the log")).toBeHidden();
});

test("live waits for Retry-After after a 429, and stops with the error after three failures", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/logs");
  await expect(page.getByText("No requests yet.")).toBeVisible();
  const polls: number[] = [];
  let status = 429;
  await page.route("**/api/user/logs?**", async (route) => {
    polls.push(Date.now());
    const code = status === 429 ? "RATE_LIMITED" : "INTERNAL_ERROR";
    await route.fulfill({
      status,
      headers: status === 429 ? { "retry-after": "4" } : {},
      json: { error: { code, message: "Not now.", requestId: "r" } },
    });
  });
  await page.getByRole("button", { name: "Live" }).click();
  await expect.poll(() => polls.length).toBe(1);
  status = 500;
  await expect.poll(() => polls.length, { timeout: 15_000 }).toBe(4);
  const [first = 0, second = 0] = polls;
  expect(second - first).toBeGreaterThanOrEqual(3_900);
  const alert = page.getByRole("alert").filter({ hasText: "Not now." });
  await expect(alert).toBeVisible();
  await page.unroute("**/api/user/logs?**");
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(alert).toBeHidden();
  await expect(page.getByText("Following the log")).toBeVisible();
});

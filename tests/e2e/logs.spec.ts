import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { ask, callModel, makeKey, register, test } from "./support/member";
import { tabTo } from "./support/people";

test("a request opens from the list, tells its cost exactly, and Back closes it", async ({
  page,
  request,
  member,
  consoleErrors,
}) => {
  const { secret } = await makeKey(request, member, { name: "Logged" });
  const { requestId } = await callModel(request, secret, { stream: true, seed: 7, max_tokens: undefined });
  await page.goto("/console/logs");
  await page.getByRole("table", { name: "Requests" }).getByRole("link").first().click();
  const drawer = page.getByRole("dialog", { name: "Request" });
  await expect(drawer).toContainText(requestId);
  await expect(page).toHaveURL(new RegExp(`request=${requestId}`));
  await expect(drawer).toContainText("Answered in");
  await expect(drawer).toContainText("Not stored.");
  await expect(drawer).toContainText("Asia/Shanghai (UTC+8)");
  await expect(drawer).toContainText("from the request's arrival");
  await expect(drawer).toContainText(/Added: max_tokens = \d+ added:max_tokens:\d+/);
  const timeline = drawer.getByRole("table", { name: "Timeline" });
  await expect(timeline).toContainText("Attempt 1: node 1");
  for (const stage of ["Authentication", "Limit check", "Choice of nodes", "Reservation"])
    await expect(timeline.getByRole("row", { name: stage })).toHaveCount(1);
  const detail = await ask<{ receipt: { total: string; lines: unknown[] } }>(
    request,
    member,
    `/api/user/logs/${requestId}`,
  );
  const total = (Number(detail.receipt.total) / 100).toFixed(10).replace(/0+$/, "");
  await expect(drawer.getByRole("table", { name: "Tokens and cost" })).toContainText(`¥${total}`);
  await page.goBack();
  await expect(drawer).toBeHidden();
  expect(consoleErrors).toEqual([]);
});

test("a row that was clicked gets the focus back from the drawer", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member);
  const first = await callModel(request, secret);
  await callModel(request, secret);
  await page.goto("/console/logs");
  const links = page.getByRole("table", { name: "Requests" }).getByRole("link");
  await expect(links).toHaveCount(2);
  const drawer = page.getByRole("dialog", { name: "Request" });
  await links.last().locator("xpath=ancestor::tr").getByRole("cell").nth(2).click();
  await expect(drawer).toContainText(first.requestId);
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(links.last()).toBeFocused();
});

test("j and k move the focus through the rows, and Enter opens one", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member);
  const first = await callModel(request, secret);
  await callModel(request, secret);
  await page.goto("/console/logs");
  const links = page.getByRole("table", { name: "Requests" }).getByRole("link");
  await expect(links).toHaveCount(2);
  // Until the page's scripts run, nothing hears the key.
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(links.first()).toBeFocused({ timeout: 500 });
  }).toPass();
  const presses = [
    ["j", 1],
    ["j", 1],
    ["k", 0],
    ["j", 1],
  ] as const;
  for (const [key, index] of presses) {
    await page.keyboard.press(key);
    await expect(links.nth(index)).toBeFocused();
  }
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Request" })).toContainText(first.requestId);
});

test("the details narrow the log to their model or key and keep its other filters, in both languages", async ({
  page,
  request,
  member,
  context,
  baseURL,
}) => {
  const [first, other] = [
    await makeKey(request, member, { name: "First" }),
    await makeKey(request, member, { name: "Other" }),
  ];
  for (const model of ["demo-chat", "demo-messages"]) await callModel(request, first.secret, { model });
  await callModel(request, other.secret);
  await page.goto("/console/logs?last=24h");
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  await rows.last().getByRole("link").click();
  const drawer = page.getByRole("dialog", { name: "Request" });
  await tabTo(page, drawer.getByRole("link", { name: "Show only requests of the key First (tgw-" }));
  await page.keyboard.press("Enter");
  await expect(drawer).toBeHidden();
  await expect(page).toHaveURL(`/console/logs?last=24h&key=${first.id}`);
  await expect(rows).toHaveCount(3);
  await context.addCookies([{ name: "locale", value: "zh-CN", url: baseURL ?? "" }]);
  await page.reload();
  await page.getByRole("table", { name: "请求" }).getByRole("link").last().click();
  const chinese = page.getByRole("dialog", { name: "请求" });
  await expect(chinese.getByRole("link", { name: "仅显示密钥" })).toHaveCount(0);
  await chinese.getByRole("link", { name: "仅显示模型 demo-chat 的请求" }).click();
  await expect(page).toHaveURL(`/console/logs?last=24h&key=${first.id}&model=demo-chat`);
  await expect(page.getByRole("table", { name: "请求" }).getByRole("row")).toHaveCount(2);
});

test("filters live in the address, narrow the list, and can be cleared", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await callModel(request, secret, { model: "no-such-model" });
  await page.goto("/console/logs");
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await page.getByRole("button", { name: "More filters" }).click();
  await page.getByLabel("Error code", { exact: true }).selectOption("MODEL_NOT_FOUND");
  await expect(page).toHaveURL(/code=MODEL_NOT_FOUND/);
  await expect(rows).toHaveCount(2);
  await page.reload();
  await expect(rows).toHaveCount(2);
  await page.getByLabel("Find by request id").fill("01900000-0000-7000-8000-000000000000");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No matches")).toBeVisible();
  await expect(page.getByText(/^Finds one request by its whole id/)).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await expect(rows).toHaveCount(3);
});

test("a refused request explains why", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member, { quota: 0 });
  const { status, requestId } = await callModel(request, secret);
  expect(status).toBe(402);
  await page.goto(`/console/logs?request=${requestId}`);
  const drawer = page.getByRole("dialog", { name: "Request" });
  await expect(drawer).toContainText("Refused with 402 QUOTA_EXCEEDED");
  await expect(drawer).toContainText("Why was this refused?");
  await expect(drawer).toContainText("¥0.00 of ¥0.00 used");
  const unknown = await callModel(request, secret, { model: "no-such-model" });
  expect(unknown.status).toBe(404);
  await page.goto(`/console/logs?request=${unknown.requestId}`);
  await expect(drawer.getByText("Unknown model", { exact: true })).toBeVisible();
  await expect(drawer.getByText("There is no model of this name.")).toBeVisible();
  await expect(page.getByText("(unknown)")).toHaveCount(0);
});

test("a request over a limit names the limit, and no other of the plan", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { planId: 1 });
  let answer = await callModel(request, secret);
  for (let index = 0; index < 6 && answer.status !== 429; index += 1)
    answer = await callModel(request, secret);
  expect(answer.status).toBe(429);
  await page.goto(`/console/logs?request=${answer.requestId}`);
  const drawer = page.getByRole("dialog", { name: "Request" });
  const why = drawer.getByText("Why was this refused?").locator("..");
  await expect(why).toContainText(/The key's plan allowed \d+ requests a second\./);
  await expect(why).not.toContainText("a minute");
});

test("the waterfall shows the account every attempt, nodes as ordinals", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  const { requestId } = await callModel(request, secret, { model: "demo-failover" });
  await page.goto(`/console/logs?request=${requestId}`);
  const drawer = page.getByRole("dialog", { name: "Request" });
  await expect(drawer).toContainText("after 2 attempts: a node failed and the next one took over.");
  const timeline = drawer.getByRole("table", { name: "Timeline" });
  await expect(timeline.getByRole("row", { name: /Attempt 1: node 1/ })).toContainText("HTTP 503");
  await expect(timeline.getByRole("row", { name: /Attempt 2: node 2/ })).toContainText("answered");
  await expect(drawer).not.toContainText("demo-chat-node");
});

test("dragging over the bars of the log chooses their time, and the axis says which", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.goto("/console/logs");
  const histogram = page.getByRole("img", { name: /Requests over time: 1/ });
  await expect(histogram).toContainText(/(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+/);
  await expect(page.getByRole("table", { name: "Requests" }).getByRole("row")).toHaveCount(2);
  const box = await histogram.boundingBox();
  if (box === null) throw new Error("the histogram is not on the page");
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + 30, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.4, middle, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=.*to=/);
  await expect(page.getByText("No matches")).toBeVisible();
  const address = new URL(page.url());
  const ms = (end: string) => Date.parse(address.searchParams.get(end) ?? "");
  expect((ms("to") - ms("from")) / 86_400_000).toBe(3);
});

test("the log is drawn over time and can be exported as narrowed", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await callModel(request, secret, { model: "no-such-model" });
  await page.goto("/console/logs?status=error");
  await expect(page.getByRole("img", { name: /Requests over time: 1 / })).toBeVisible();
  await expect(page.getByTitle("Costs in the file are in cents, with every digit.")).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Shanghai" }).format(new Date());
  expect(download.suggestedFilename()).toBe(`tollgate-requests-${today}.csv`);
  const text = readFileSync(await download.path(), "utf8");
  expect(text.startsWith("\uFEFFrequestId,"), "the mark by which Excel reads it as UTF-8").toBe(true);
  const lines = text.trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("MODEL_NOT_FOUND");
});

test("a request can be copied as curl, without its key", async ({ page, request, member, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { secret } = await makeKey(request, member);
  const { requestId } = await callModel(request, secret);
  await page.goto(`/console/logs?request=${requestId}`);
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toContain("/v1/chat/completions");
  expect(text).toContain("$TOLLGATE_API_KEY");
  expect(text).not.toContain("tgw-");
});

test("newer requests are announced, never pushed in", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.clock.install();
  await page.goto("/console/logs");
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
  await expect(rows).toHaveCount(2);
  const before = await rows.nth(1).boundingBox();
  await callModel(request, secret);
  await page.clock.runFor(11_000);
  const notice = page.getByRole("button", { name: "1 new request – show" });
  await expect(notice).toBeVisible();
  await expect(rows).toHaveCount(2);
  expect((await rows.nth(1).boundingBox())?.y, "nothing moves under the pointer").toBe(before?.y);
  await notice.click();
  await expect(rows).toHaveCount(3);
  await expect(notice).toBeHidden();
});

test("another account's request is not shown", async ({ page, request, member: _member }) => {
  const other = await register(request);
  const { secret } = await makeKey(request, other);
  const { requestId } = await callModel(request, secret);
  await page.goto(`/console/logs?request=${requestId}`);
  await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
  await expect(page.getByRole("dialog")).not.toContainText("demo-chat");
});

import { expect, type Route } from "@playwright/test";
import { ask, callModel, makeKey, test } from "./support/member";

interface LogPage {
  data: Array<{
    requestId: string;
    promptTokens: number;
    completionTokens: number;
    ttftMs: number | null;
    latencyMs: number;
  }>;
}
test("a row tells time, status, model, key, tokens, cost, first token and duration as the API does", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { name: "Named key" });
  await callModel(request, secret);
  await callModel(request, secret, { stream: true });
  const { data } = await ask<LogPage>(request, member, "/api/user/logs");
  const [entry] = data;
  if (entry === undefined) throw new Error("nothing was logged");
  await page.goto("/console/logs");
  const table = page.getByRole("table", { name: "Requests" });
  await expect(table.getByRole("columnheader")).toHaveText([
    "Time",
    "Status",
    "Model",
    "Key",
    "In / out",
    "Cost",
    "First token",
    "Duration",
    "Stream",
  ]);
  const row = table.getByRole("row").nth(1);
  await expect(row).toContainText("Success");
  await expect(row).toContainText("demo-chat");
  await expect(row).toContainText("Named key");
  await expect(row).toContainText(`${entry.promptTokens} / ${entry.completionTokens}`);
  await expect(row).toContainText(/¥0\.0\d+/);
  await expect(row).toContainText(`${entry.ttftMs} ms`);
  await expect(row.getByLabel("streamed")).toBeVisible();
  const whole = table.getByRole("row").nth(2);
  // A whole answer has no first token.
  await expect(whole.getByRole("cell", { name: "–", exact: true })).toBeVisible();
});

test("older and newer walk the log in pages of fifty, without a total", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member);
  const ids: string[] = [];
  for (let index = 0; index < 53; index += 1)
    ids.push((await callModel(request, secret, { model: "no-such-model" })).requestId);
  await page.goto("/console/logs");
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
  await expect(rows).toHaveCount(51);
  await expect(page.getByRole("button", { name: "Newer" })).toBeDisabled();
  await page.getByRole("button", { name: "Older" }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect(rows).toHaveCount(4);
  await expect(page.getByRole("button", { name: "Older" })).toBeDisabled();
  await rows.last().getByRole("link").click();
  await expect(page.getByRole("dialog", { name: "Request" })).toContainText(ids[0] ?? "");
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/request=/);
  await page.reload();
  await expect(rows).toHaveCount(4);
  await page.getByRole("button", { name: "Newer" }).click();
  await expect(rows).toHaveCount(51);
});

test("the heads sort the log, the largest first, and following it leads back to newest first", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await callModel(request, secret, { model: "no-such-model" });
  await page.goto("/console/logs");
  const table = page.getByRole("table", { name: "Requests" });
  const head = (name: string) => table.getByRole("columnheader", { name, exact: true });
  const refused = table.getByRole("row").filter({ hasText: "MODEL_NOT_FOUND" });
  const place = () => refused.evaluate((row) => [...(row.parentElement?.children ?? [])].indexOf(row));
  await expect.poll(place).toBe(0);
  await expect(head("Time")).toHaveAttribute("aria-sort", "descending");
  for (const [name, sort] of [
    ["Cost", "cost"],
    ["In / out", "totalTokens"],
  ] as const) {
    await head(name).getByRole("button").click();
    await expect(page).toHaveURL(new RegExp(`sort=${sort}$`));
    await expect.poll(place).toBe(1);
    await expect(head(name)).toHaveAttribute("aria-sort", "descending");
    await expect(head("Time")).not.toHaveAttribute("aria-sort");
  }
  await expect(page.getByRole("button", { name: "Save view" })).toBeVisible();
  await head("Time").getByRole("button").click();
  await expect.poll(place).toBe(0);
  await page.goBack();
  await expect.poll(place).toBe(1);
  await page.reload();
  await expect.poll(place).toBe(1);
  await page.getByRole("button", { name: "Live" }).click();
  await expect(page).not.toHaveURL(/sort=/);
  await expect.poll(place).toBe(0);
  await expect(page.getByRole("button", { name: "Live" })).toHaveAttribute("aria-pressed", "true");
});

test("a request is found by its id, and by key, duration and time", async ({ page, request, member }) => {
  const quick = await makeKey(request, member, { name: "Quick" });
  const other = await makeKey(request, member, { name: "Other" });
  const { requestId } = await callModel(request, quick.secret);
  await callModel(request, other.secret, { model: "no-such-model" });
  await page.goto("/console/logs");
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await page.getByLabel("Find by request id").fill(requestId);
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("Quick");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByLabel("Key", { exact: true }).selectOption({ label: "Other" });
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("MODEL_NOT_FOUND");
  await page.getByRole("button", { name: "Clear filters" }).click();
  const rare = page.getByRole("button", { name: /^More filters/ });
  await expect(page.getByLabel("Min. duration (ms)")).toBeHidden();
  await rare.click();
  await page.getByLabel("Min. duration (ms)").fill("3600000");
  await expect(page.getByText("No matches")).toBeVisible();
  await expect(rare).toHaveText("More filters1");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await page.getByLabel("Time", { exact: true }).selectOption({ label: "Last 24 h" });
  await page.getByLabel("Time", { exact: true }).selectOption({ label: "Custom" });
  const yesterday = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Shanghai" }).format(
    Date.now() - 86_400_000,
  );
  await expect(page.getByLabel("From", { exact: true })).toHaveValue(new RegExp(`^${yesterday} \\d\\d:`));
  await page.getByLabel("To", { exact: true }).fill("2020-01-31 08:00");
  await expect(page.getByText("The first date is after the last, so nothing can match.")).toBeVisible();
  await page.getByLabel("From", { exact: true }).fill("");
  await expect(page.getByText("The first date is after the last")).toHaveCount(0);
  await expect(page).toHaveURL(/to=2020-01-31T00%3A00|to=2020-01-31T00:00/);
  await expect(page.getByText("No matches")).toBeVisible();
});

test("embeddings are found by their operation, which their details name", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  const answer = await request.post("/v1/embeddings", {
    data: { model: "demo-embedding", input: "Hello" },
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(answer.status()).toBe(200);
  await page.goto("/console/logs");
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await page.getByRole("button", { name: "More filters" }).click();
  await page.getByLabel("Operation").selectOption("embed");
  await expect(page).toHaveURL(/operation=embed/);
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("demo-embedding");
  await page.keyboard.press("Escape");
  await rows.nth(1).getByRole("link").click();
  await expect(page.getByRole("dialog")).toContainText(/Operation\s*Embeddings/);
});

test("newer leads to the page before, also after a reload and after Back", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  for (let index = 0; index < 105; index += 1) await callModel(request, secret, { model: "no-such-model" });
  await page.goto("/console/logs");
  const newer = page.getByRole("button", { name: "Newer" });
  const older = page.getByRole("button", { name: "Older" });
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
  await expect(rows).toHaveCount(51);
  const newest = await rows.nth(1).getByRole("link").first().getAttribute("href");
  const first = new URL(newest ?? "", page.url()).searchParams.get("request");
  let bringPage = () => {};
  const asked = new Promise<void>((resolve) => {
    bringPage = resolve;
  });
  await page.route(/logs\?.*cursor=/, async (route) => {
    await asked;
    await route.continue();
  });
  await older.press("Enter");
  await older.press("Enter");
  await expect(page).toHaveURL(/cursor=/);
  const second = page.url();
  bringPage();
  const ofFirstPage = rows.locator(`a[href*="request=${first}"]`);
  await expect(ofFirstPage).toHaveCount(0);
  await newer.click();
  await expect(page, "Older was pressed twice before its page came").toHaveURL(/logs$/);
  await older.click();
  await expect(page).toHaveURL(second);
  await expect(ofFirstPage).toHaveCount(0);
  await older.click();
  await expect(rows).toHaveCount(6);
  await page.reload();
  await expect(rows).toHaveCount(6);
  await newer.click();
  await expect(page).toHaveURL(second);
  await page.goBack();
  await expect(rows).toHaveCount(6);
  await newer.click();
  await expect(page).toHaveURL(second);
  await newer.click();
  await expect(newer).toBeDisabled();
});

test("the filters of the log are readable on a wide screen, and a wrong number says what is expected", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.goto("/console/logs");
  const filters = page.getByRole("group", { name: "Filters" });
  await filters.getByRole("button", { name: "More filters" }).click();
  const more = page.getByRole("dialog", { name: "More filters" });
  await expect(more.getByLabel("Min. cost (¥)")).toBeVisible();
  const cut = await filters
    .or(more)
    .locator("input:visible, select:visible")
    .evaluateAll((controls) =>
      controls.map((control) => {
        const [width, name] = [control.clientWidth, control.getAttribute("aria-label") ?? ""];
        const style = getComputedStyle(control);
        const text = control instanceof HTMLSelectElement ? (control.selectedOptions[0]?.text ?? "") : name;
        const pen = document.createElement("canvas").getContext("2d");
        if (pen === null) throw new Error("no canvas");
        pen.font = style.font;
        const room = width - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
        return pen.measureText(text).width > room + 1 ? text : "";
      }),
    );
  expect(cut.filter((text) => text !== "")).toEqual([]);
  await more.getByLabel("Min. cost (¥)").fill("abc");
  await expect(more.getByText("Use an amount such as 50 or 12.50.")).toBeVisible();
  await more.getByLabel("Min. cost (¥)").fill("0.5");
  await expect(more.getByText("Use an amount such as 50 or 12.50.")).toBeHidden();
});

test("filters that take too long over the log offer shorter times, and the bars alone say why they are missing", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  const message = "`from` must be nearer: the filter takes too long over so many entries.";
  const refusal = { code: "INVALID_REQUEST", message, requestId: "r", reason: "time_too_long" };
  const refuseWithout = (wanted: RegExp) => (route: Route) =>
    wanted.test(route.request().url())
      ? route.fallback()
      : route.fulfill({ status: 400, json: { error: refusal } });
  await page.route(/\/api\/user\/logs\?.*minLatencyMs=1/, refuseWithout(/from=/));
  await page.route(/\/api\/user\/logs\/volume\?.*minLatencyMs=1/, refuseWithout(/never/));
  await page.goto("/console/logs?last=7d");
  await expect(page.getByRole("img", { name: /^Requests over time/ })).toBeVisible();
  await page.goto("/console/logs?min=1");
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toHaveCount(1);
  await expect(alert).toContainText("This search takes too long");
  await expect(alert.getByRole("button")).toHaveText(["Last hour", "Last 24 h", "Last 7 days"]);
  await alert.getByRole("button", { name: "Last 24 h" }).click();
  await expect(page).toHaveURL(/min=1&last=24h/);
  await expect(alert).toBeHidden();
  await expect(page.getByRole("table", { name: "Requests" }).getByRole("row")).toHaveCount(2);
  await expect(page.getByText("Not counted: that takes too long over so many requests.")).toBeVisible();
});

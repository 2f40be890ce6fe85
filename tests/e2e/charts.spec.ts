import { readFileSync } from "node:fs";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { callModel, makeKey, test } from "./support/member";

const ADMIN = { username: "admin", password: "correct-horse-battery" };
const ALIASES = ["zz-rank-1", "zz-rank-2", "zz-rank-3", "zz-rank-4", "zz-rank-5", "zz-rank-6", "zz-rank-7"];

/** Seven models, the first the dearest; removed when the test is over. */
async function withRankedModels(request: APIRequestContext, run: () => Promise<void>): Promise<void> {
  const { token } = await (await request.post("/api/user/login", { data: ADMIN })).json();
  const headers = { authorization: `Bearer ${token}` };
  const ids: string[] = [];
  try {
    for (const [index, alias] of ALIASES.entries()) {
      const price = 1000 * (ALIASES.length - index);
      const routes = [{ node: "demo-chat-node", model: "demo" }];
      const data = { alias, prices: { input: price, output: price }, routes };
      const made = await request.post("/api/admin/models", { data, headers });
      expect(made.status(), await made.text()).toBe(201);
      ids.push((await made.json()).id);
    }
    await run();
  } finally {
    for (const id of ids) await request.delete(`/api/admin/models/${id}`, { headers });
  }
}

function chartOf(page: Page) {
  return page.locator("figure svg.recharts-surface").first();
}

test("a chart names five models by cost and sums up the rest, in stack order, legend and table", async ({
  page,
  request,
  member,
}) => {
  await withRankedModels(request, async () => {
    const { secret } = await makeKey(request, member);
    for (const model of ALIASES) expect((await callModel(request, secret, { model })).status).toBe(200);
    await page.goto("/console/usage?period=30d");
    await expect(chartOf(page)).toBeVisible();
    const legend = page.locator("figure").getByRole("list").getByRole("button");
    await expect(legend).toHaveCount(6);
    await expect(legend).toHaveText([...ALIASES.slice(0, 5), "Other"].map((name) => new RegExp(`^${name}`)));
    const fills = await legend
      .locator("span[aria-hidden]")
      .evaluateAll((swatches) => swatches.map((swatch) => getComputedStyle(swatch).backgroundColor));
    expect(new Set(fills).size).toBe(6);
    await legend.first().focus();
    const opacities = () =>
      chartOf(page)
        .locator(".recharts-bar-rectangle path")
        .evaluateAll((bars) => [...new Set(bars.map((bar) => Number(bar.getAttribute("fill-opacity"))))]);
    await expect.poll(async () => (await opacities()).length).toBe(2);
    await page.getByRole("button", { name: "Show as table" }).click();
    const heads = page.getByRole("table", { name: "Cost, ¥" }).getByRole("columnheader");
    await expect(heads).toHaveText(["From", ...ALIASES.slice(0, 5), "Other", "Total"]);
    await expect(page.getByRole("group", { name: "By model" }).getByRole("row")).toHaveCount(9);
  });
});

test("a click on a bar leads to the logs of its time, narrowed as the chart was", async ({
  page,
  request,
  member,
}) => {
  const { id, secret } = await makeKey(request, member);
  for (const model of ["demo-chat", "demo-messages"]) await callModel(request, secret, { model });
  await page.goto(`/console/usage?period=24h&model=demo-chat&key=${id}`);
  const bar = chartOf(page).locator(".recharts-bar-rectangle path").last();
  await bar.hover();
  await expect(page.locator("figure .recharts-tooltip-wrapper")).toContainText("demo-chat");
  await bar.click();
  await page.waitForURL("**/console/logs?from=**");
  const { searchParams } = new URL(page.url());
  expect([searchParams.get("model"), searchParams.get("key")]).toEqual(["demo-chat", id]);
  const from = Date.parse(searchParams.get("from") ?? "");
  expect(from % 3_600_000).toBe(0);
  expect(from).toBeLessThanOrEqual(Date.now());
  await expect(page.getByRole("table", { name: "Requests" }).getByRole("row")).toHaveCount(2);
});

test("a chart is one tab stop, and arrow keys tell its buckets", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.goto("/console/usage?period=30d");
  await expect(chartOf(page)).toBeVisible();
  await expect(page.locator("figure svg [tabindex='0'], figure svg[tabindex='0']")).toHaveCount(1);
  await chartOf(page).focus();
  const tooltip = page.locator("figure .recharts-tooltip-wrapper");
  for (let step = 0; step < 30; step += 1) await page.keyboard.press("ArrowRight");
  await expect(tooltip).toContainText("in progress");
  await expect(tooltip).toContainText("Asia/Shanghai");
  await expect(tooltip).toContainText("Total");
  await expect(tooltip).toContainText("demo-chat");
  await page.keyboard.press("ArrowLeft");
  await expect(tooltip).not.toContainText("in progress");
});

test("the latency chart has gaps where nothing was measured, and says so in its table", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.goto("/console/usage?metric=latency&by=day");
  await expect(chartOf(page)).toBeVisible();
  await expect(page.getByRole("tabpanel").locator(".recharts-line-dots circle")).toHaveCount(2);
  await expect(page.locator("figure").getByRole("listitem")).toHaveText([/^p95\d/, /^p50\d/]);
  await page.getByRole("tabpanel").getByRole("button", { name: "Show as table" }).click();
  const rows = page.getByRole("tabpanel").getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(8);
  await expect(rows.nth(1)).toContainText("–");
  await expect(rows.last()).not.toContainText("–");
});

test("latency and errors have a part of each group, with the same numbers in table and file", async ({
  page,
  request,
  member,
}) => {
  const slow = await makeKey(request, member, { name: "Slow" });
  const wrong = await makeKey(request, member, { name: "Wrong" });
  for (const model of ["demo-chat", "demo-messages"]) await callModel(request, slow.secret, { model });
  for (const model of ["demo-chat", "no-such-model"]) await callModel(request, wrong.secret, { model });
  await page.goto("/console/usage?metric=latency");
  await expect(chartOf(page)).toBeVisible();
  const panel = page.getByRole("tabpanel");
  const entries = page.locator("figure").getByRole("listitem");
  await expect(entries.filter({ hasText: /demo-(chat|messages)/ })).toHaveCount(2);
  await page.getByRole("radio", { name: "p95", exact: true }).check();
  await expect(page).toHaveURL(/percentile=p95/);
  await expect(page.locator("figcaption")).toContainText(/Slowest: .+ \(p95 .+\)\./);
  await page.getByRole("radio", { name: "By key" }).check();
  await expect(entries).toHaveText([/^(Slow|Wrong)\d/, /^(Slow|Wrong)\d/]);
  await expect(panel.locator(".recharts-line-dots circle")).toHaveCount(2);
  await panel.getByRole("button", { name: "Show as table" }).click();
  const heads = await panel.getByRole("table").getByRole("columnheader").allTextContents();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Chart as CSV" }).click(),
  ]);
  const [head = ""] = readFileSync(await download.path(), "utf8")
    .replace("\uFEFF", "")
    .split("\r\n");
  expect(head.split(",").slice(1)).toEqual(heads.slice(1).map((name) => `${name} ms`));
  await page.getByRole("tab", { name: "Errors" }).click();
  await expect(page.locator("figure").getByRole("list").getByRole("button")).toHaveText([/^Wrong/]);
  await page.getByRole("radio", { name: "By model" }).first().check();
  await expect(page.locator("figure").getByRole("list").getByRole("button")).toHaveText([/^Unknown model/]);
  await expect(page.locator("figure").getByText("Striped: not over yet")).toBeVisible();
});

test("the period before is a line, told in legend and tooltip", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.route("**/api/user/stats?**", async (route) => {
    const response = await route.fetch();
    const stats = await response.json();
    stats.previous = { ...stats.previous, requestCount: 7, partial: false };
    for (const bucket of stats.buckets)
      bucket.previous = { requestCount: 1, promptTokens: 1, completionTokens: 1, cost: "0.02" };
    await route.fulfill({ response, json: stats });
  });
  await page.goto("/console/usage?period=30d");
  await expect(chartOf(page)).toBeVisible();
  const lines = page.locator("figure .recharts-line-curve");
  await expect(lines.last()).toHaveAttribute("stroke", "var(--fg)");
  await expect(lines.first(), "a rim of the ground between line and bars").toHaveAttribute(
    "stroke",
    "var(--page)",
  );
  await expect(lines.first()).not.toHaveAttribute("stroke-dasharray");
  await expect(page.locator("figure").getByText("Previous 30 days")).toBeVisible();
  await chartOf(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("figure .recharts-tooltip-wrapper")).toContainText("Period before");
  await page.getByRole("radio", { name: "7 days" }).check();
  const line = page.locator("figure [data-previous] polyline");
  await expect(line).toHaveCount(2);
  const points = (await line.first().getAttribute("points"))?.split(" ");
  expect(points, "a line over the days that are over").toHaveLength(6);
  await page.unrouteAll({ behavior: "ignoreErrors" }); // the page may be reading again
});

test("tokens of days are split by direction, errors by code, and models exported as shown", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  for (const model of ["demo-chat", "no-such-model"]) await callModel(request, secret, { model });
  await page.goto("/console/usage?metric=tokens");
  await page.getByRole("radio", { name: "By day" }).check();
  await expect(page).toHaveURL(/by=day/);
  await expect(page.locator("figure").getByRole("list").getByRole("button")).toHaveText([
    /^Input/,
    /^Output/,
  ]);
  await page.getByRole("tab", { name: "Cost", exact: true }).click();
  const parts = page.locator("figure").getByRole("list").getByRole("button");
  await expect(parts, "the total is told once").toHaveCount(0);
  await page.getByRole("tabpanel").getByRole("button", { name: "Show as table" }).click();
  await expect(page.getByRole("tabpanel").getByRole("columnheader")).toHaveText(["From", "Total"]);
  await page.getByRole("tab", { name: "Errors" }).click();
  await expect(page.getByRole("tabpanel").getByRole("list").getByRole("button")).toHaveText([
    /^MODEL_NOT_FOUND/,
  ]);
  await page.getByRole("tab", { name: "Cost", exact: true }).click();
  await page.getByRole("radio", { name: "By model" }).check();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(
    /^tollgate-usage-by-model-\d{4}-\d\d-\d\d--\d{4}-\d\d-\d\d\.csv$/,
  );
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toBe(
    "Model,Requests,Failed or refused,Answered %,Average latency ms,p50 ms,p95 ms,Input tokens,Output tokens,Cached input,Cost CNY,Share of cost %",
  );
  expect(lines.at(-1)).toMatch(/^Total,2,1,50\.00,/);
});

test("the colours of a chart neither wait for the list of models nor change with it", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  for (const model of ["demo-chat", "demo-messages", "demo-responses"])
    await callModel(request, secret, { model });
  let answer = () => {};
  const later = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/user/models", async (route) => {
    await later;
    await route.continue();
  });
  await page.goto("/console/usage");
  const swatches = page.locator("figure li button span[aria-hidden]");
  const colors = () => swatches.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  await expect(swatches).toHaveCount(3);
  const before = await colors();
  answer();
  await expect(page.getByLabel("Model", { exact: true }).getByRole("option")).not.toHaveCount(1);
  expect(await colors()).toEqual(before);
});

import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { callModel, type Member, makeKey, register } from "./support/member";
import { test } from "./support/people";

interface AdminStats {
  totalRequests: number;
  activeUsers: number;
  topUsers: { username: string; requestCount: number }[];
}

/** An account with calls: two that work, one after a failing node. */
async function caller(page: Page): Promise<Member & { id: string }> {
  const member = await register(page.request);
  const { secret } = await makeKey(page.request, member);
  for (const model of ["demo-chat", "demo-messages", "demo-failover"])
    expect((await callModel(page.request, secret, { model })).status).toBe(200);
  const headers = { authorization: `Bearer ${member.token}` };
  const { id } = await (await page.request.get("/api/user/self", { headers })).json();
  return { ...member, id };
}

async function statsOf(page: Page, query: string): Promise<AdminStats> {
  const answer = await page.request.get(`/api/admin/stats?${query}`);
  expect(answer.status()).toBe(200);
  return answer.json();
}

test("the overview shows everybody's numbers, leads to accounts and nodes, and checks the money", async ({
  page,
}) => {
  await caller(page);
  await page.goto("/admin");
  const stats = await statsOf(page, "period=7d");
  await expect(page.getByText("Requests", { exact: true }).first().locator("..")).toContainText(
    stats.totalRequests.toLocaleString("en"),
  );
  await expect(page.getByText(new RegExp(`^${stats.activeUsers} active accounts?$`))).toBeVisible();
  const [leader] = stats.topUsers;
  await expect(page.getByRole("row", { name: new RegExp(leader?.username ?? "") })).toContainText(
    String(leader?.requestCount),
  );
  await expect(page.getByText(/Balances and ledger agree: ¥.* billed in all\./)).toBeVisible();
  await page.getByRole("link", { name: "demo-chat-node" }).first().click();
  await page.waitForURL("**/admin/nodes?node=**");
});

test("the overview counts what was refused lately by its reason, refusals of sign-ins and quotas too", async ({
  page,
}) => {
  const member = await register(page.request);
  const { secret } = await makeKey(page.request, member, { quota: 0 });
  expect((await callModel(page.request, secret, { model: "demo-chat" })).status).toBe(402);
  const { data } = await (await page.request.get("/api/admin/refusals")).json();
  const quota = data.find(({ reason }: { reason: string }) => reason === "quota");
  expect(quota.count).toBeGreaterThan(0);
  await page.goto("/admin");
  const row = page.getByRole("list", { name: "Refused in the last hour" }).getByRole("listitem");
  await expect(row.filter({ hasText: "A quota was used up" })).toContainText(String(quota.count));
});

interface NodeStats {
  totals: { attemptCount: number; failureCount: number };
  buckets: { attemptCount: number }[];
}

test("a node shows its speed and success over time as chart, sentence and table, as the API counts them", async ({
  page,
}) => {
  await caller(page);
  await page.goto("/admin/nodes");
  const { id } = await nodeNamed(page, "demo-chat-node");
  const read = async (period: string): Promise<NodeStats> =>
    (await page.request.get(`/api/admin/nodes/${id}/stats?period=${period}`)).json();
  const { totals, buckets } = await read("24h");
  expect(totals.failureCount).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Show node demo-chat-node" }).click();
  const drawer = page.getByRole("dialog", { name: "demo-chat-node", exact: true });
  const part = drawer.locator("section", {
    has: page.getByRole("heading", { name: "Speed and success" }),
  });
  const figure = part.getByRole("figure");
  await expect(figure).toContainText(
    new RegExp(`In 24 hours: ${totals.attemptCount} calls, [\\d.]+% of them`),
  );
  await expect(figure).toContainText(/The first token came within \d/);
  await expect(figure.locator("svg.recharts-surface").first()).toBeVisible();
  await part.getByRole("radio", { name: "Success" }).click();
  const legend = figure.getByRole("list").getByRole("button");
  await expect(legend).toHaveText([
    new RegExp(`^Succeeded${totals.attemptCount - totals.failureCount} `),
    new RegExp(`^Failed${totals.failureCount} `),
  ]);
  await figure.getByRole("button", { name: "Show as table" }).click();
  const rows = figure.getByRole("table", { name: "Speed and success of the node" }).getByRole("row");
  await expect(rows).toHaveCount(buckets.length + 1);
  await part.getByRole("radio", { name: "30 days" }).click();
  await expect(rows).toHaveCount(31);
  await expect(figure).toContainText(`In 30 days: ${(await read("30d")).totals.attemptCount} calls`);
});

test("a node shows its calls of the last hour minute by minute, as they come", async ({ page }) => {
  const member = await register(page.request);
  const { secret } = await makeKey(page.request, member);
  await page.clock.install();
  await page.goto("/admin/nodes");
  await page.getByRole("button", { name: "Show node demo-messages-node" }).click();
  const drawer = page.getByRole("dialog", { name: "demo-messages-node", exact: true });
  const hour = drawer.locator("section", {
    has: page.getByRole("heading", { name: "Calls, last 60 minutes" }),
  });
  const { id } = await nodeNamed(page, "demo-messages-node");
  const before = callsIn(await minutesOf(page, id));
  await expect(hour.getByRole("paragraph")).toContainText(before === 0 ? /No calls/ : `${before} call`);
  for (let index = 0; index < 3; index += 1)
    await callModel(page.request, secret, { model: "demo-messages" });
  const minutes = await minutesOf(page, id);
  expect(minutes).toHaveLength(60);
  expect(callsIn(minutes)).toBe(before + 3);
  const starts = minutes.map((minute) => Date.parse(minute.bucketStart));
  for (const [index, start] of starts.slice(1).entries()) expect(start - (starts[index] ?? 0)).toBe(60_000);
  await page.clock.runFor(11_000);
  await expect(hour.getByRole("paragraph")).toContainText(`${before + 3} calls`);
  await hour.getByText("Show as table").click();
  const busy = minutes.filter((minute) => minute.attemptCount > 0);
  await expect(hour.getByRole("table").getByRole("row")).toHaveCount(busy.length + 1);
});

interface Minute {
  bucketStart: string;
  attemptCount: number;
}

async function nodeNamed(page: Page, name: string): Promise<{ id: string }> {
  const { data } = await (await page.request.get("/api/admin/nodes")).json();
  return data.find((node: { name: string }) => node.name === name);
}

async function minutesOf(page: Page, id: string): Promise<Minute[]> {
  return (await (await page.request.get(`/api/admin/nodes/${id}`)).json()).minutes;
}

function callsIn(minutes: readonly Minute[]): number {
  return minutes.reduce((sum, minute) => sum + minute.attemptCount, 0);
}

test("everybody's log is narrowed to an account by its name, and exported as narrowed", async ({ page }) => {
  const member = await caller(page);
  await page.goto("/admin/logs");
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
  const account = page.getByRole("combobox", { name: "Account", exact: true });
  await account.fill(member.username);
  await expect(page).toHaveURL(new RegExp(`user=${member.id}`));
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText(member.username);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  const [head = "", ...lines] = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(head).toMatch(/,username,node,failedNodes$/);
  expect(lines).toHaveLength(3);
  expect(lines.every((line) => line.includes(`,${member.username},`))).toBe(true);
  await page.reload();
  await expect(account).toHaveValue(member.username);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).not.toHaveURL(/user=/);
  await expect(account).toHaveValue("");
});

test("the drawer names the nodes for an administrator, and says how each attempt ended", async ({ page }) => {
  const member = await caller(page);
  await page.goto(`/admin/logs?user=${member.id}&model=demo-failover`);
  await page.getByRole("table", { name: "Requests" }).getByRole("link").first().click();
  const timeline = page.getByRole("dialog", { name: "Request" }).getByRole("table", { name: "Timeline" });
  await expect(timeline).toContainText("Attempt 1: demo-chat-node");
  await expect(timeline).toContainText("server error · HTTP 503");
  await expect(timeline).toContainText("Attempt 2: demo-messages-node");
  // The answer was not streamed: it has no first token.
  await expect(timeline).toContainText("answered · HTTP 200 · priority 1");
});

test("the details narrow everybody's log to an account or a node that was tried", async ({ page }) => {
  const member = await caller(page);
  await page.goto(`/admin/logs?user=${member.id}&model=demo-failover`);
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
  const drawer = page.getByRole("dialog", { name: "Request" });
  await rows.last().getByRole("link").click();
  await expect(drawer.getByRole("link", { name: /^Show only/ })).toHaveText([
    "demo-chat-node",
    "demo-messages-node",
    /^Made for a test/,
    "Generation",
    "chat",
    "not streamed",
    "200",
    "Browser",
  ]);
  await drawer.getByRole("link", { name: "Show only requests that tried the node demo-chat-node" }).click();
  await expect(page).toHaveURL(new RegExp(`user=${member.id}&model=demo-failover&node=[\\w-]+$`));
  await expect(drawer).toBeHidden();
  const { data } = await (await page.request.get(`/api/admin/logs?userId=${member.id}`)).json();
  await page.goto(`/admin/logs?last=1h&request=${data[0].requestId}`);
  await drawer.getByRole("link", { name: `Show only requests of the account ${member.username}` }).click();
  await expect(page).toHaveURL(`/admin/logs?last=1h&user=${member.id}`);
  await expect(rows).toHaveCount(4);
});

test("the reward of an invitation is set in yuan and reaches the inviter", async ({ page }) => {
  const inviter = await register(page.request);
  const headers = { authorization: `Bearer ${inviter.token}` };
  const { inviteCode } = await (await page.request.get("/api/user/self", { headers })).json();
  await page.goto("/admin/settings");
  const reward = page.getByLabel("Invitation reward (¥)");
  const save = page.locator("form").filter({ has: reward }).getByRole("button", { name: "Save" });
  await reward.fill("three");
  await save.click();
  await expect(page.getByText("Use an amount such as 50 or 12.50.")).toBeVisible();
  await reward.fill("3.50");
  await expect(page.getByText("¥3.50 · Added to an account's quota", { exact: false })).toBeVisible();
  await save.click();
  await expect(page.getByText("Registration is saved.").first()).toBeVisible();
  await register(page.request, { inviteCode });
  const ledger = await (await page.request.get("/api/user/ledger", { headers })).json();
  expect(ledger.data).toContainEqual(expect.objectContaining({ type: "invite", amount: "350" }));
  await reward.fill("0");
  // Until it is saved, a reload is asked about; then the page leaves the entry of the history that it had for that.
  const left = page.evaluate(
    () => new Promise((resolve) => addEventListener("popstate", () => resolve(true), { once: true })),
  );
  await save.click();
  await left;
  await expect(save).toBeDisabled();
  await page.reload();
  await expect(reward).toHaveValue("0");
});

test("when another period cannot be read, the old numbers of everybody stay, dimmed, with the error", async ({
  page,
}) => {
  await caller(page);
  await page.goto("/admin");
  const figure = page.locator("figure").first();
  await expect(figure).toContainText("over 7 days");
  await page.route("**/api/admin/stats?period=24h**", (route) =>
    route.fulfill({
      status: 503,
      json: { error: { code: "INTERNAL_ERROR", message: "No.", requestId: "r" } },
    }),
  );
  await page.getByRole("radio", { name: "24 h" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "Something went wrong" });
  await expect(alert).toContainText("Still showing the selection before this one");
  await expect(figure).toContainText("over 7 days");
  await expect(page.locator("[data-old]").filter({ has: figure })).toHaveCSS("outline-style", "dashed");
  await page.unroute("**/api/admin/stats?period=24h**");
  await page.getByRole("radio", { name: "7 days" }).click();
  await expect(alert).toBeHidden();
  await expect(page.locator("[data-old]")).toHaveCount(0);
});

test("the log's strip of volumes keeps the old bars when those of another time cannot be read", async ({
  page,
}) => {
  await caller(page);
  await page.goto("/admin/logs");
  const strip = page.getByRole("img", { name: /^Requests over time: / });
  await expect(strip).toBeVisible();
  const before = await strip.getAttribute("aria-label");
  await page.route("**/api/admin/logs/volume?from=**", (route) =>
    route.fulfill({
      status: 500,
      json: { error: { code: "INTERNAL_ERROR", message: "No.", requestId: "r" } },
    }),
  );
  await page.getByLabel("Time", { exact: true }).selectOption("1h");
  await expect(page.getByRole("alert").filter({ hasText: "Something went wrong" })).toContainText(
    "Still showing the selection before this one",
  );
  await expect(strip).toHaveAttribute("aria-label", before ?? "");
  await expect(page.locator("[data-old]").filter({ has: strip })).toHaveCSS("outline-style", "dashed");
});

for (const locale of ["en", "zh-CN"]) {
  test(`the log of all accounts shows every column inside its box, ${locale}`, async ({
    page,
    context,
    baseURL,
  }) => {
    await context.addCookies([{ name: "locale", value: locale, url: baseURL ?? "" }]);
    const member = await register(page.request);
    const { secret } = await makeKey(page.request, member, { name: "A long name of a key in production" });
    await callModel(page.request, secret, { model: "demo-failover" });
    await callModel(page.request, secret, { model: "no-such-model" });
    for (const width of [1440, 1280, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/admin/logs");
      const table = page.getByRole("table");
      await expect(table).toContainText("MODEL_NOT_FOUND");
      const over = () =>
        table.evaluate((element) => {
          const box = element.parentElement;
          return box === null ? 0 : box.scrollWidth - box.clientWidth;
        });
      // The browser draws with the font of the page once it has it.
      await expect.poll(over, `at ${width} pixels`).toBe(0);
    }
  });
}

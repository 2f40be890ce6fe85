import { expect, type Route } from "@playwright/test";
import { callModel, makeKey, openSession, register, test } from "./support/member";

test("the first answer of the server is already in the chosen theme and language", async ({ request }) => {
  const html = async (cookie: string) => (await request.get("/", { headers: { cookie } })).text();
  expect(await html("theme=dark; locale=zh-CN")).toMatch(/<html lang="zh-CN" data-theme="dark"/);
  expect(await html("theme=light; locale=en")).toMatch(/<html lang="en" data-theme="light"/);
  const negotiated = await request.get("/", { headers: { "accept-language": "zh-TW,zh;q=0.9,en;q=0.5" } });
  expect(await negotiated.text()).toContain('<html lang="zh-CN" data-theme="system"');
});

test("language and theme change at once and stay", async ({ page, member }) => {
  await page.goto("/console/settings");
  await expect(page.getByLabel("Username")).toHaveValue(member.username);
  await page.getByLabel("Theme", { exact: true }).selectOption("dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("button", { name: "Switch to 简体中文" })).toBeVisible();
  await page.getByLabel("Language", { exact: true }).selectOption("zh-CN");
  await expect(page.getByRole("heading", { level: 1, name: "设置" })).toBeVisible();
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
});

test("without a connection a link stays on the page and says so, and works when it is back", async ({
  page,
  context,
  member: _member,
}) => {
  await page.goto("/console/billing");
  await expect(page.getByRole("row", { name: /Starting balance/ })).toBeVisible();
  await context.setOffline(true);
  const stays = page.getByText("This page stays until the connection is back.");
  await page.getByRole("navigation").getByRole("link", { name: "Usage" }).click();
  await expect(stays.first()).toBeVisible();
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("g");
  await page.keyboard.press("l");
  await expect(page.getByRole("heading", { level: 1, name: "Billing" })).toBeVisible();
  expect(page.url()).toContain("/console/billing");
  await context.setOffline(false);
  await page.getByRole("navigation").getByRole("link", { name: "Usage" }).click();
  await page.waitForURL("**/console/usage");
});

test("a member who opens an admin page is told so, with the navigation of the console", async ({
  page,
  member: _member,
}) => {
  await page.goto("/admin/nodes");
  await expect(page.getByText("You need admin rights")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main navigation" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Margin" })).toHaveCount(0);
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).not.toContainText("Admin");
});

test("single-letter shortcuts work, not while typing, and can be turned off", async ({
  page,
  request,
  member,
}) => {
  // A log without requests has no filters.
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.goto("/console/keys");
  await page.getByRole("heading", { name: "API keys" }).click();
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await page.waitForURL("**/console/usage");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.goto("/console/logs");
  await page.keyboard.press("/");
  await expect(page.getByLabel("Find by request id")).toBeFocused();
  await page.keyboard.type("gu");
  await expect(page).toHaveURL(/console\/logs/);
  await page.goto("/console/settings");
  await page.getByLabel("Single-letter keyboard shortcuts").uncheck();
  await page.reload();
  await page.getByRole("heading", { name: "Settings" }).click();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("Escape leaves a field, so that keys mean the page again", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.goto("/console/logs");
  await page.waitForLoadState("networkidle");
  const search = page.getByLabel("Find by request id");
  await search.fill("g");
  await search.press("Escape");
  await expect(search, "it is emptied").toHaveValue("");
  await page.keyboard.type("gp");
  await page.waitForURL("**/console/playground");
  await expect(page.getByLabel("Message", { exact: true })).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.type("gu");
  await page.waitForURL("**/console/usage");
});

test("the first tab stop skips to the content, and a new page moves the focus there", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
  await page.getByRole("link", { name: "Billing", exact: true }).click();
  await page.waitForURL("**/console/billing");
  await expect(page.locator("main")).toBeFocused();
  await expect(page).toHaveTitle("Billing · Tollgate");
});

test("on a phone the navigation is a drawer and nothing scrolls sideways", async ({
  page,
  member: _member,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/console");
  await page.getByRole("button", { name: "Open navigation" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("link", { name: "Usage" }).click();
  await page.waitForURL("**/console/usage");
  await expect(drawer).toBeHidden();
});

test("an unknown address has the frame of its reader: the navigation for an account, the head for a visitor", async ({
  page,
  request,
}) => {
  await page.goto("/console/nothing-here");
  await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  const member = await register(request);
  await openSession(page, member.token);
  const answer = await page.goto("/console/nothing-here");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("usage");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Usage" })).toBeVisible();
  await page.goto("/console/nothing-here");
  await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Logs" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Logs" })).toBeVisible();
});

test("an unknown address is a 404 page with ways on", async ({ page }) => {
  const answer = await page.goto("/console-of-nobody");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  await page.getByRole("link", { name: "Home" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Call any AI model");
});

test("losing the connection is said, and so is its return", async ({ page, context, member: _member }) => {
  await page.goto("/console/billing");
  await expect(page.getByRole("row", { name: /Starting balance/ })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText("You are offline.").first()).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("You are online again.").first()).toBeVisible();
});

test("a balance that nears its end is announced on every page, and what to do", async ({
  page,
  request,
  member,
}) => {
  const headers = { authorization: `Bearer ${member.token}` };
  const own = await (await request.get("/api/user/self", { headers })).json();
  const profile = (usedExact: string) => (route: Route) =>
    route.fulfill({ json: { ...own, quota: "1000", usedExact } });
  await page.clock.install();
  await page.route("**/api/user/self", profile("850"));
  await page.goto("/console/keys");
  await page.clock.runFor("01:00"); // the page came with the account as it is
  const low = page.getByText("Less than 20 % of your balance is left: ¥1.50 of ¥10.00.");
  await expect(low).toBeVisible();
  await page.getByRole("button", { name: "Hide this notice" }).click();
  await expect(low).toBeHidden();
  await page.unroute("**/api/user/self");
  await page.route("**/api/user/self", profile("1000"));
  await page.goto("/console/models");
  await page.clock.runFor("01:00");
  await expect(page.getByText("Balance used up: ¥10.00 of ¥10.00.")).toBeVisible();
  await page.getByRole("link", { name: "See billing" }).click();
  await page.waitForURL("**/console/billing");
});

test("an account that has no balance yet is told so, not that it has used it up", async ({
  page,
  request,
  member,
}) => {
  const headers = { authorization: `Bearer ${member.token}` };
  const own = await (await request.get("/api/user/self", { headers })).json();
  await page.clock.install();
  await page.route("**/api/user/self", (route) => route.fulfill({ json: { ...own, quota: "0" } }));
  await page.goto("/console/keys");
  await page.clock.runFor("01:00"); // the page came with the account as it is
  await expect(page.getByText("This account has no balance yet.")).toBeVisible();
  await expect(page.getByText("Balance used up")).toHaveCount(0);
});

test("a key that expires within a week is announced on every page", async ({ page, request, member }) => {
  await makeKey(request, member, { expiresAt: new Date(Date.now() + 2 * 86_400_000).toISOString() });
  await page.goto("/console/billing");
  await expect(page.getByText("1 API key expires within 7 days.")).toBeVisible();
});

test("letters lead to the four pages of every day, and the rail folds to icons and stays so", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/settings");
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  for (const [letter, path] of Object.entries({ k: "/console/keys", l: "/console/logs", o: "/console" })) {
    await page.locator("main").focus();
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await page.waitForURL((url) => url.pathname === path);
  }
  const rail = page.getByRole("complementary", { name: "Menu" });
  const widthOf = async () => (await rail.boundingBox())?.width;
  expect(await widthOf()).toBe(240);
  await rail.getByRole("button", { name: "Collapse navigation" }).click();
  await expect.poll(widthOf).toBe(56);
  await page.reload();
  await expect.poll(widthOf).toBe(56);
  await rail.getByRole("button", { name: "Expand navigation" }).click();
  await page.setViewportSize({ width: 1000, height: 800 });
  await expect.poll(widthOf).toBe(56);
  await expect(rail.getByRole("link", { name: "API keys" })).toBeVisible();
});

test("of several notices the gravest is shown", async ({ page, request, member }) => {
  await makeKey(request, member, { expiresAt: new Date(Date.now() + 2 * 86_400_000).toISOString() });
  const headers = { authorization: `Bearer ${member.token}` };
  const own = await (await request.get("/api/user/self", { headers })).json();
  let profile = { ...own, quota: "1000", usedExact: "1000" };
  await page.clock.install();
  await page.route("**/api/user/self", (route) => route.fulfill({ json: profile }));
  await page.goto("/console/billing");
  await page.clock.runFor("01:00"); // the page came with the account as it is
  await expect(page.getByText(/^Balance used up/)).toBeVisible();
  await expect(page.getByText(/expires within 7 days/)).toHaveCount(0);
  profile = { ...profile, status: "suspended" };
  // The next reading is a minute after the answer of the one before, which may still be under way.
  await expect(async () => {
    await page.clock.runFor("01:00");
    await expect(page.getByText(/^This account is suspended/)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByText(/^Balance used up/)).toHaveCount(0);
  profile = { ...own };
  await page.clock.runFor("01:00");
  await expect(page.getByText("1 API key expires within 7 days.")).toBeVisible();
});

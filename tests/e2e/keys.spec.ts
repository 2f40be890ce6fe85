import { expect } from "@playwright/test";
import { ask, callModel, makeKey, test } from "./support/member";
import { tabTo } from "./support/people";

interface KeyList {
  data: Array<{
    id: string;
    name: string;
    status: string;
    quota: number;
    models: string[] | null;
    expiresAt: string | null;
  }>;
}

test("a key is made, saved and deleted with the keyboard alone", async ({ page, request, member }) => {
  await page.goto("/console/keys");
  await expect(page.getByText("No keys yet.")).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "Create key" }).first());
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("By keyboard");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Your new API key")).toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.getByText("Close without saving?")).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "Stay here" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByLabel("I have saved this key"));
  await page.keyboard.press("Space");
  await tabTo(page, page.getByRole("button", { name: "Done" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();

  const row = page.getByRole("row", { name: /By keyboard/ });
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  await expect(page.getByRole("dialog").getByLabel("Name")).toHaveValue("By keyboard");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await tabTo(page, row.getByRole("button", { name: "Actions for By keyboard" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("got 0 requests");
  await expect(dialog.getByRole("textbox")).toBeFocused();
  await page.keyboard.type("By keyboar");
  await expect(dialog.getByRole("button", { name: "Delete key" })).toBeDisabled();
  await page.keyboard.type("d");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("No keys yet.")).toBeVisible();
  expect((await ask<KeyList>(request, member, "/api/user/tokens")).data).toEqual([]);
});

test("quota, expiry, plan and models arrive at the server as typed", async ({ page, request, member }) => {
  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await expect(dialog.getByLabel("Name")).toHaveAccessibleDescription(/^Fill in this field/);
  await dialog.getByLabel("Name").fill("Limited");
  await dialog.getByLabel("Quota in yuan (¥)").fill("12.34");
  await expect(dialog.getByText("¥12.34 · Your account")).toBeVisible();
  await dialog.getByText("Plan, models and expiry").click();
  await dialog.getByLabel("Expires").selectOption({ label: "In 7 days" });
  await dialog.getByLabel("Plan", { exact: true }).selectOption("2");
  await dialog.getByLabel("All models, also future ones").uncheck();
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("Choose at least one model.")).toBeVisible();
  await dialog.getByLabel("Search models").fill("demo-ch");
  await dialog.getByLabel("demo-chat").check();
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByLabel("Your new API key")).toBeVisible();
  const [key] = (await ask<KeyList>(request, member, "/api/user/tokens")).data;
  expect(key).toMatchObject({ name: "Limited", quota: 1234, models: ["demo-chat"], planId: 2 });
  const days = (Date.parse(key?.expiresAt ?? "") - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThan(7.01);
});

test("the new key is copied alone and as lines of an .env file", async ({
  page,
  context,
  member: _member,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("Copied");
  await page.keyboard.press("Enter");
  const secret = await dialog.getByLabel("Your new API key").inputValue();
  const saved = dialog.getByLabel("I have saved this key");
  await dialog.getByRole("button", { name: "Copy key" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  const done = dialog.getByRole("button", { name: "Done" });
  await expect(done, "whoever has copied the key can go on").toBeEnabled();
  await saved.check();
  await saved.uncheck();
  await expect(done, "and a tick too many takes nothing away").toBeEnabled();
  await dialog.getByRole("button", { name: "Copy as .env" }).click();
  const env = await page.evaluate(() => navigator.clipboard.readText());
  expect(env).toMatch(/^OPENAI_BASE_URL=http.*\/v1$/m);
  expect(env).toContain(`OPENAI_API_KEY=${secret}\n`);
  expect(env).toContain(`ANTHROPIC_AUTH_TOKEN=${secret}\n`);
  expect(env).toMatch(/^ANTHROPIC_BASE_URL=http:\/\/[^/]+$/m);
  await expect(done).toBeEnabled();
});

test("disabling shows at once, is real, and can be undone", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member, { name: "Switch" });
  await page.goto("/console/keys");
  const row = page.getByRole("row", { name: /Switch/ });
  await row.getByRole("button", { name: "Actions for Switch" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await expect(row).toContainText("Disabled");
  await expect(page.getByText("“Switch” is disabled.").first()).toBeVisible();
  await expect.poll(async () => (await callModel(request, secret)).status).toBe(401);
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.focus();
  await page.keyboard.press("Enter");
  await expect(undo).toBeHidden();
  const actions = row.getByRole("button", { name: "Actions for Switch" });
  await expect(actions, "the keyboard goes on in the row").toBeFocused();
  await expect(row).toContainText("Active");
  await expect.poll(async () => (await callModel(request, secret)).status).toBe(200);
});

test("a change that the server refuses is taken back and said", async ({ page, request, member }) => {
  await makeKey(request, member, { name: "Stubborn" });
  await page.goto("/console/keys");
  await page.route("**/api/user/tokens/*", (route) =>
    route.fulfill({
      status: 500,
      json: { error: { code: "INTERNAL_ERROR", message: "No.", requestId: "r-1" } },
    }),
  );
  const row = page.getByRole("row", { name: /Stubborn/ });
  await row.getByRole("button", { name: "Actions for Stubborn" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await expect(page.getByText("“Stubborn” could not be changed").first()).toBeVisible();
  await expect(row).toContainText("Active");
});

test("a key is renamed and its quota raised", async ({ page, request, member }) => {
  await makeKey(request, member, { name: "Before", quota: 100 });
  await page.goto("/console/keys");
  await page.getByRole("button", { name: "Actions for Before" }).first().click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByLabel("Quota in yuan (¥)")).toHaveValue("1");
  await sheet.getByLabel("Name").fill("After");
  await sheet.getByLabel("Quota in yuan (¥)").fill("250.5");
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("row", { name: /After/ })).toContainText("of ¥250.50");
});

test("a used-up key and an expired one say so and offer the way on", async ({ page, request, member }) => {
  await makeKey(request, member, { name: "Empty", quota: 0 });
  const soon = new Date(Date.now() + 60_000).toISOString();
  await makeKey(request, member, { name: "Over", expiresAt: soon });
  await page.clock.install({ time: Date.now() + 120_000 });
  await page.goto("/console/keys");
  await expect(page.getByRole("row", { name: /Empty/ })).toContainText("Quota used up");
  const over = page.getByRole("row", { name: /Over/ });
  await expect(over).toContainText("Expired");
  await over.getByRole("button", { name: "Create replacement" }).click();
  await expect(page.getByRole("dialog").getByLabel("Name")).toHaveValue("Over");
  await expect(page.getByRole("dialog")).toContainText("“Over” stays as it is: expired.");
});

test("a replacement says what becomes of the key, and the drawer what callers of a disabled one get", async ({
  page,
  request,
  member,
}) => {
  const { id } = await makeKey(request, member, { name: "Old" });
  await page.goto("/console/keys");
  await page.getByRole("button", { name: "Actions for Old" }).click();
  await page.getByRole("menuitem", { name: "Create replacement" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a replacement for “Old”" });
  const stays = "“Old” stays as it is. It goes on working until you disable or delete it.";
  await expect(dialog.getByText(stays)).toBeVisible();
  await dialog.getByLabel("Name").fill("New");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByLabel("Your new API key")).toBeVisible();
  await expect(page.getByText(stays)).toBeVisible();

  await request.patch(`/api/user/tokens/${id}`, {
    data: { status: "disabled" },
    headers: { authorization: `Bearer ${member.token}` },
  });
  await page.goto(`/console/keys?key=${id}`);
  await expect(page.getByRole("dialog").getByText(/401 INVALID_API_KEY.* not logged/)).toBeVisible();
});

test("a key on the plan of its account is shown as following it, and each plan with its limits", async ({
  page,
  request,
  member,
}) => {
  const headers = { authorization: `Bearer ${member.token}` };
  await request.post("/api/user/tokens", { data: { name: "Follower" }, headers });
  await page.goto("/console/keys");
  await page.getByRole("button", { name: "Actions for Follower" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const sheet = page.getByRole("dialog");
  const plan = sheet.getByLabel("Plan", { exact: true });
  const own = "My account's plan, Free · 2/s · 20/min · 40,000 tokens/min";
  await expect(plan.locator("option:checked")).toHaveText(own);
  await expect(plan).toHaveAccessibleDescription(/When your account's plan changes, so does that of the key/);
  await plan.selectOption("2");
  await expect(plan.locator("option:checked")).toHaveText(/^Starter · 10\/s · /);
  await expect(plan).toHaveAccessibleDescription(/keeps this plan/);
});

test("search and status narrow the list and live in the address", async ({ page, request, member }) => {
  await makeKey(request, member, { name: "Alpha" });
  await makeKey(request, member, { name: "Beta" });
  await page.goto("/console/keys");
  await page.getByRole("searchbox").fill("alp");
  await expect(page.getByText("1 key", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/q=alp/);
  await page.getByRole("searchbox").fill("nothing like this");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByText("2 keys", { exact: true })).toBeVisible();
});

test("what a key used and the cost of its week stay equal through the calls beside its dialog", async ({
  page,
  request,
  member: _member,
}) => {
  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Counted");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const secret = await dialog.getByLabel("Your new API key").inputValue();
  await callModel(request, secret);
  await expect(dialog.getByText("Received: your first call has arrived.")).toBeVisible();
  await callModel(request, secret);
  await dialog.getByLabel("I have saved this key").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.waitForLoadState("networkidle");
  const row = page.getByRole("row", { name: /Counted/ });
  const week = row.getByTitle(/^¥0\.0*[1-9]\d*$/);
  await expect(week, "with the digits of what was used in all").toHaveText(/^¥0\.00\d+$/);
  await expect
    .poll(async () => {
      const used = Number((await row.innerText()).match(/¥(0\.0*[1-9]\d*) of/)?.[1]);
      return used / Number((await week.getAttribute("title"))?.slice(1));
    })
    .toBeCloseTo(1, 1);
});

test("the heads sort the keys, also by the cost of the last seven days, on phones too", async ({
  page,
  request,
  member,
}) => {
  await makeKey(request, member, { name: "Alpha" });
  const { secret } = await makeKey(request, member, { name: "Beta" });
  await makeKey(request, member, { name: "Gamma" });
  await callModel(request, secret);
  const names = () =>
    page
      .getByRole("row")
      .getByText(/^(Alpha|Beta|Gamma)$/)
      .allInnerTexts();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/console/keys?sort=name");
  const card = page.getByRole("listitem").filter({ hasText: "Beta" });
  await expect(card).toBeVisible();
  await expect(card).toContainText(/Last 7 days\s*¥0\.00\d/);
  await page.getByLabel("Sort by").selectOption({ label: "Last 7 days" });
  await expect(
    page
      .getByRole("listitem")
      .filter({ hasText: /Alpha|Beta|Gamma/ })
      .first(),
  ).toContainText("Beta");
  await page.getByLabel("Sort by").selectOption({ label: "Name" });
  await expect(page).toHaveURL(/sort=name/);
  await page.getByRole("button", { name: "Ascending: turn the order around" }).click();
  await expect(
    page
      .getByRole("listitem")
      .filter({ hasText: /Alpha|Beta|Gamma/ })
      .first(),
  ).toContainText("Gamma");
  await page.getByRole("button", { name: "Descending: turn the order around" }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await expect(page.getByRole("row", { name: /Beta/ })).toContainText(/¥0\.00\d+ of/);
  expect(await names()).toEqual(["Alpha", "Beta", "Gamma"]);
  for (const [head, order] of [
    ["Name", ["Gamma", "Beta", "Alpha"]],
    ["Last 7 days", ["Beta", "Alpha", "Gamma"]],
  ] as const) {
    await page.getByRole("columnheader", { name: head }).getByRole("button").click();
    await expect.poll(names, head).toEqual(order);
  }
});

test("the name of a key is a link: a click opens its drawer, Ctrl and a click another page with it", async ({
  page,
  context,
  request,
  member,
}) => {
  const { id } = await makeKey(request, member, { name: "Linked" });
  await page.goto("/console/keys?sort=name");
  const name = page.getByRole("link", { name: "Linked", exact: true });
  const [other] = await Promise.all([
    context.waitForEvent("page"),
    name.click({ modifiers: ["ControlOrMeta"] }),
  ]);
  await expect(other).toHaveURL(new RegExp(`/console/keys\\?sort=name&key=${id}$`));
  await expect(other.getByRole("dialog", { name: "Linked" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await name.click();
  await expect(page.getByRole("dialog", { name: "Linked" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(name).toBeFocused();
});

import { type Browser, expect, type Page } from "@playwright/test";
import type { TestServer } from "@/tests/support/server";
import { axeViolations, smallTargets } from "./support/axe";
import { layoutProblems, narrowWidths } from "./support/layout";
import { freshName, test } from "./support/people";
import { waitForTakeover } from "./support/taken-over";

const PASSWORD = "quiet-river-42";

async function set(gateway: TestServer, change: object): Promise<void> {
  const token = await gateway.adminToken();
  expect((await gateway.api("PATCH", "/api/admin/settings", token, change)).status).toBe(200);
}

test.afterEach(({ gateway }) => set(gateway, { registration: "open", newAccountQuotaCents: null }));

async function visit(browser: Browser, gateway: TestServer, locale: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: gateway.url, storageState: undefined, locale });
  const page = await context.newPage();
  waitForTakeover(page);
  return page;
}

async function fillIn(page: Page): Promise<void> {
  await page.locator("input[name=username]").fill(freshName("visitor"));
  await page.locator("input[name=password]").fill(PASSWORD);
}

test("an admin asks for invite codes, sets the quota, then closes registration; the public pages follow", async ({
  page,
  browser,
  gateway,
}) => {
  await page.goto("/admin/settings");
  const who = page.getByLabel("Who can register");
  const save = page.locator("form").filter({ has: who }).getByRole("button", { name: "Save" });
  const atStart = page.getByRole("table", { name: "Server configuration" });
  await expect(atStart.getByRole("row", { name: /^Stored responses of one account take/ })).toContainText(
    /[\d,]+ MiBRESPONSES_STORE_ACCOUNT_MIB/,
  );
  await expect(atStart.getByRole("row", { name: /^All stored responses take at most/ })).toContainText("MiB");
  await expect(who).toHaveValue("open");
  await expect(page.getByText("Empty: as set at start, which is ¥10.00 now.")).toBeVisible();
  await expect(atStart).not.toContainText("Changed above");
  await who.selectOption("invited");
  await expect(page.getByText("With the code of an invitation below")).toBeVisible();
  await expect(page.getByLabel("Plan of a new account")).toContainText("Free, the first self-service plan");
  await expect(page.getByLabel("Quota of a new account (¥)")).toHaveAttribute("placeholder", "10");
  await page.getByLabel("Quota of a new account (¥)").fill("2.50");
  await save.click();
  await expect(page.getByText("Registration is saved.").first()).toBeVisible();
  await expect(atStart.getByRole("row", { name: /Registration is allowed/ })).toContainText(
    "Changed above: Only with an invite code",
  );
  await expect(atStart.getByRole("row", { name: /Quota of a new account/ })).toContainText(
    "¥10.00Changed above: ¥2.50",
  );

  const visitor = await visit(browser, gateway, "en-US");
  await visitor.goto("/");
  await visitor.getByRole("link", { name: "Sign up" }).click();
  await visitor.waitForURL("**/register");
  const code = visitor.getByLabel("Invite code", { exact: true });
  await expect(code).toHaveAttribute("required");
  await expect(visitor.getByText("Ask an administrator, or somebody who has an account here.")).toBeVisible();
  await expect(visitor.getByText("You start with ¥2.50 and can make your first call")).toBeVisible();
  const create = visitor.getByRole("button", { name: "Create account" });
  await fillIn(visitor);
  await create.click();
  await expect(code).toHaveAccessibleDescription(/^Fill in this field\./);
  await code.fill("unknown");
  await create.click();
  await expect(code).toHaveAccessibleDescription(/^This code is not known or no longer valid\./);
  const admin = await gateway.adminToken();
  const { inviteCode } = (await gateway.api<{ inviteCode: string }>("GET", "/api/user/self", admin)).body;
  await code.fill(inviteCode);
  await create.click();
  await visitor.waitForURL("**/console**");
  expect(await (await visitor.request.get("/api/user/self")).json()).toMatchObject({ quota: "250" });
  await visitor.context().close();

  await who.selectOption("closed");
  await save.click();
  await expect(atStart).toContainText("Changed above: Nobody");
  const late = await visit(browser, gateway, "en-US");
  await late.goto("/register");
  await expect(late.getByText("Registration is closed on this gateway.")).toBeVisible();
  await expect(late.getByRole("banner").getByRole("link", { name: "Sign up" })).toHaveCount(0);
  await expect(late.locator("form")).toHaveCount(0);
  await late.context().close();

  await page.goto("/admin/audit?targetType=setting");
  const entry = page.getByRole("row", { name: /Setting Quota of a new account/ }).first();
  await entry.getByRole("button", { name: "Details: Setting changed" }).click();
  const change = page.getByRole("dialog").getByRole("row", { name: /Quota of a new account/ });
  await expect(change).toContainText("As set at start");
  await expect(change).toContainText("¥2.50");
});

test("an account reads beside its invite link what it gets for those who register with it", async ({
  page,
  gateway,
}) => {
  await page.goto("/console/settings");
  await expect(page.getByText("Neither they nor you are credited anything for it.")).toBeVisible();
  await set(gateway, { inviteRewardCents: 150 });
  await page.reload();
  await expect(page.getByText("Each of them adds ¥1.50 to your balance")).toBeVisible();
  await set(gateway, { inviteRewardCents: 0 });
});

test("an admin makes an invitation; its link registers as many as it says, and the list tells it", async ({
  page,
  browser,
  gateway,
}) => {
  const note = freshName("Team");
  await page.goto("/admin/settings");
  await page.getByRole("button", { name: "New invitation" }).click();
  const sheet = page.getByRole("dialog", { name: "New invitation" });
  await sheet.getByLabel("Note").fill(note);
  await sheet.getByLabel("Number of accounts").fill("0");
  await sheet.getByRole("button", { name: "Create invitation" }).click();
  await expect(sheet.getByLabel("Number of accounts")).toHaveAccessibleDescription(/1 to 1,000/);
  await sheet.getByLabel("Number of accounts").fill("1");
  await sheet.getByLabel("Plan", { exact: true }).selectOption("Pro");
  await sheet.getByLabel("Quota of each account (¥)").fill("3.25");
  await sheet.getByRole("button", { name: "Create invitation" }).click();
  const made = page.getByRole("dialog", { name: "The invitation is created" });
  const link = await made.getByLabel("Link of the invitation").inputValue();
  expect([await axeViolations(page), await smallTargets(page)]).toEqual([[], []]);
  await made.getByRole("button", { name: "Done" }).click();
  await expect(made).toBeHidden();
  const row = page.getByRole("table", { name: "Invitations, newest first" }).getByRole("row", { name: note });
  await expect(row).toContainText("0 of 1");
  await expect(row).toContainText("Pro · ¥3.25");
  await expect(row).toContainText("Valid");
  await expect(row.getByRole("button", { name: "Copy link" })).toBeVisible();
  const code = await row.locator("code").innerText();
  expect(link).toMatch(new RegExp(`^https?://.*/register\\?invite=${code}$`));
  expect([await axeViolations(page), await smallTargets(page)]).toEqual([[], []]);
  await set(gateway, { registration: "invitation" });

  const visitor = await visit(browser, gateway, "en-US");
  await visitor.goto(`/register?invite=${code}`);
  await expect(visitor.getByText("Ask an administrator for an invitation.")).toBeVisible();
  await expect(visitor.getByText("You start with")).toHaveCount(0);
  await fillIn(visitor);
  await visitor.getByRole("button", { name: "Create account" }).click();
  await visitor.waitForURL("**/console**");
  const self = await (await visitor.request.get("/api/user/self")).json();
  expect(self).toMatchObject({ planId: 3, quota: "325" });
  await visitor.goto("/console/settings");
  await expect(visitor.getByRole("button", { name: "End all sessions" })).toBeVisible();
  await expect(visitor.getByLabel("Invite link"), "the code of an account is refused now").toHaveCount(0);
  await visitor.context().close();
  const late = await visit(browser, gateway, "zh-CN");
  await late.goto(`/register?invite=${code}`);
  await fillIn(late);
  await late.locator("form button[type=submit]").click();
  await expect(late.locator("input[name=inviteCode]")).toHaveAccessibleDescription(/^邀请码不存在或已失效。/);
  await late.context().close();

  await page.reload();
  await expect(page.getByRole("radio", { name: "Valid" })).toBeChecked();
  await expect(row, "what works no more leaves the list").toHaveCount(0);
  await page.getByRole("radio", { name: "Ended" }).check();
  await expect(row).toContainText("1 of 1");
  await expect(row).toContainText("Used up");
  await expect(row.getByRole("button", { name: "Copy link" })).toHaveCount(0);
  await row.getByRole("link", { name: "1 of 1" }).click();
  await expect(page.getByRole("row", { name: /Registered with an invitation/ }).first()).toContainText(note);
  await page.goto("/admin/settings");
  await page.getByRole("radio", { name: "Ended" }).check();
  await row.getByRole("button", { name: `Actions for ${note}` }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke invitation" }).click();
  await expect(row).toHaveCount(0);
});

test("the form promises no balance where a new account has none, and nothing while it is closed", async ({
  browser,
  gateway,
}) => {
  await set(gateway, { newAccountQuotaCents: 0 });
  for (const [locale, none, some] of [
    ["en-US", "A new account has no balance", "You start with"],
    ["zh-CN", "新账户没有余额", "注册即获"],
  ] as const) {
    const visitor = await visit(browser, gateway, locale);
    await visitor.goto("/register");
    await expect(visitor.getByText(none)).toBeVisible();
    await expect(visitor.getByText(some)).toHaveCount(0);
    await visitor.context().close();
  }
  await set(gateway, { registration: "closed" });
  const late = await visit(browser, gateway, "en-US");
  await late.goto("/register");
  await expect(late.getByText("Registration is closed on this gateway.")).toBeVisible();
  await expect(late.getByText(/balance/)).toHaveCount(0);
  await late.context().close();
});

for (const [locale, words] of Object.entries({
  "en-US": {
    required: "Fill in this field.",
    ask: "Ask an administrator, or somebody who has an account here.",
    closed: "Registration is closed on this gateway. Ask an administrator for an account.",
  },
  "zh-CN": {
    required: "请填写此项。",
    ask: "请向管理员或已有账户的人索取邀请码。",
    closed: "本网关已关闭注册，请联系管理员开通账户。",
  },
})) {
  test(`a form that was open before a change says what has changed: ${locale}`, async ({
    browser,
    gateway,
  }) => {
    const visitor = await visit(browser, gateway, locale);
    await visitor.goto("/register");
    const code = visitor.locator("input[name=inviteCode]");
    await expect(code).not.toHaveAttribute("required");
    await fillIn(visitor);
    await set(gateway, { registration: "invited" });
    await visitor.locator("form button[type=submit]").click();
    await expect(code).toHaveAttribute("required");
    await expect(code).toHaveAccessibleDescription(`${words.required} ${words.ask}`);
    await set(gateway, { registration: "closed" });
    await code.fill("some-code");
    await visitor.locator("form button[type=submit]").click();
    await expect(visitor.getByRole("alert").filter({ hasText: words.closed })).toBeVisible();
    await visitor.context().close();
  });
}

test("what was closed at start is told above the choice, in both languages and at every width", async ({
  page,
  context,
  gateway,
}) => {
  await set(gateway, { newAccountQuotaCents: 250 });
  await page.route("**/api/admin/settings", async (route) => {
    const answer = await route.fetch();
    const told = await answer.json();
    await route.fulfill({ json: { ...told, setAtStart: { ...told.setAtStart, allowRegistration: false } } });
  });
  for (const [locale, note, instead] of [
    ["en", "because ALLOW_REGISTRATION=0 was set at start", "Changed above: ¥2.50"],
    ["zh-CN", "启动时设置了 ALLOW_REGISTRATION=0", "已在上方更改：¥2.50"],
  ] as const) {
    await context.addCookies([{ name: "locale", value: locale, url: gateway.url }]);
    for (const width of [1440, ...narrowWidths]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/admin/settings");
      await expect(page.locator("html")).toHaveAttribute("lang", locale);
      await expect(page.getByText(note)).toBeVisible();
      await expect(page.getByText(instead).filter({ visible: true })).toBeVisible();
      expect(await layoutProblems(page)).toEqual([]);
    }
  }
});

test("every wrong field is told at once, by the form and by the API", async ({ browser, gateway }) => {
  const visitor = await visit(browser, gateway, "en-US");
  await visitor.goto("/register");
  await visitor.locator("input[name=username]").fill("with-dash");
  await visitor.locator("input[name=password]").fill("short");
  await visitor.locator("input[name=email]").fill("nobody");
  await visitor.getByRole("button", { name: "Create account" }).click();
  const told = {
    username: /^Use 3–32 letters/,
    password: /^Use at least 6 characters/,
    email: /e-mail address/,
  };
  for (const [name, words] of Object.entries(told))
    await expect(visitor.locator(`input[name=${name}]`)).toHaveAccessibleDescription(words);
  const data = { username: "with-dash", password: "short", email: "nobody" };
  const answer = await visitor.request.post("/api/user/register", { data });
  expect(answer.status()).toBe(400);
  expect(Object.keys((await answer.json()).error.fields)).toEqual(["username", "password", "email"]);
  const password = visitor.locator("input[name=password]");
  await password.fill("p".repeat(1025));
  await visitor.getByRole("button", { name: "Create account" }).click();
  await expect(password).toHaveAccessibleDescription(/^Use at most 1,024 bytes/);
  await password.fill("p".repeat(1024));
  await visitor.getByRole("button", { name: "Create account" }).click();
  await expect(password, "as long as the API takes it").not.toHaveAttribute("aria-invalid");
  await expect(visitor.locator("input[name=email]")).toHaveAttribute("aria-invalid", "true");
  await visitor.context().close();
});

test("an invitation is made from the list of accounts, which stays", async ({ page }) => {
  const note = freshName("From the list ");
  await page.goto("/admin/users?role=user");
  await page.getByRole("button", { name: "Invite" }).click();
  const sheet = page.getByRole("dialog", { name: "New invitation" });
  await sheet.getByLabel("Note").fill(note);
  await sheet.getByRole("button", { name: "Create invitation" }).click();
  const made = page.getByRole("dialog", { name: "The invitation is created" });
  await expect(made.getByLabel("Link of the invitation")).toHaveValue(
    /^https?:\/\/.*\/register\?invite=\w+$/,
  );
  await made.getByRole("button", { name: "Done" }).click();
  await expect(made).toBeHidden();
  await expect(page).toHaveURL(/\/admin\/users\?role=user$/);
  const { data } = await (await page.request.get("/api/admin/invitations")).json();
  expect(data.some((one: { note: string }) => one.note === note)).toBe(true);
});

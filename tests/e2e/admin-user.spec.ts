import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { layoutProblems } from "./support/layout";
import { callModel, type Member, makeKey, register } from "./support/member";
import { make, test } from "./support/people";

type Person = Member & { id: string };

/** An account with a display name. */
async function person(page: Page, input: Record<string, unknown> = {}): Promise<Person> {
  const member = await register(page.request, input);
  const headers = { authorization: `Bearer ${member.token}` };
  const { id } = await (await page.request.get("/api/user/self", { headers })).json();
  return { ...member, id };
}

test("an account's page tells what it has, what it used, and what was done to it", async ({ page }) => {
  const member = await person(page, { name: "Ann Li", email: "ann@example.com" });
  const { secret } = await makeKey(page.request, member, { name: "Build server" });
  const { requestId } = await callModel(page.request, secret);
  await page.goto(`/admin/users?search=${member.username}`);
  // A click anywhere on the row opens the page.
  await page.getByRole("row", { name: new RegExp(member.username) }).click({ position: { x: 500, y: 10 } });
  await page.waitForURL(`**/admin/users/${member.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(member.username);
  const place = page.getByRole("navigation", { name: "Breadcrumb" });
  await expect(place).toContainText(`Users${member.username}`);
  await expect(page.getByText("Ann Li · ann@example.com")).toBeVisible();
  const { usedExact } = await (await page.request.get(`/api/admin/users/${member.id}`)).json();
  const used = `¥${(Number(usedExact) / 100).toFixed(8).replace(/0+$/, "")}`;
  await expect(page.getByText(used, { exact: true }).first()).toBeVisible();
  await expect(page.getByText(/left at this rate/)).toBeVisible();
  await expect(page.getByText("Left", { exact: true })).toHaveCount(1);

  await page.getByRole("radio", { name: "24 h" }).check();
  await expect(page.getByText("Nothing in the previous 24 hours")).toHaveCount(1);
  await page.getByRole("radio", { name: "Custom" }).check();
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=/);
  await expect(page.getByRole("figure")).toContainText("over 2 days");

  const open = (name: string) => page.getByRole("tab", { name }).click();
  await open("API keys");
  const key = page.getByRole("row", { name: /Build server/ });
  await expect(key).toContainText("Active");
  expect(await page.content()).not.toContain(secret);
  await open("Requests");
  await expect(page.getByRole("table", { name: "Requests" }).getByRole("row")).toHaveCount(2);
  await page.getByRole("table", { name: "Requests" }).getByRole("link").first().click();
  await page.waitForURL(`**/admin/logs?user=${member.id}&request=${requestId}`);
  const request = page.getByRole("dialog");
  const owner = request.getByRole("link", { name: member.username, exact: true });
  await expect(owner).toHaveAttribute("href", `/admin/users/${member.id}`);
  await expect(request.getByText("Its provider cost is not known.")).toBeVisible();
  await page.goBack();
  await open("Ledger");
  const charge = page.getByRole("row", { name: /Build server: 1 request/ });
  await expect(charge.getByRole("link")).toHaveAttribute("href", /^\/admin\/logs\?key=/);
  await page.getByLabel("Type", { exact: true }).selectOption({ label: "Grant" });
  await expect(page).toHaveURL(/type=grant/);
  await expect(charge).toHaveCount(0);
  await page.goto(`/admin/users/${member.id}?tab=ledger&until=2020-01-01`);
  await expect(page.getByText("No matches")).toBeVisible();
  await open("Audit");
  await expect(page.getByRole("row", { name: /API key created/ })).toContainText("Build server");
});

test("an account is suspended with a reason, which its page tells, and lifted", async ({ page }) => {
  const member = await person(page);
  const { secret } = await makeKey(page.request, member);
  await page.goto(`/admin/users/${member.id}`);
  await page.getByRole("button", { name: /Actions/ }).click();
  await page.getByRole("menuitem", { name: "Suspend" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Suspend account" }).click();
  await expect(dialog.getByLabel("Why")).toBeFocused();
  await expect(dialog.getByLabel("Why")).toHaveAccessibleDescription(/Use 1 to 200 characters\./);
  await dialog.getByLabel("Why").fill("Unpaid invoice");
  await dialog.getByRole("button", { name: "Suspend account" }).click();
  await expect(page.getByText(/^Suspended since /)).toBeVisible();
  await expect(page.getByText("Unpaid invoice")).toBeVisible();
  expect((await callModel(page.request, secret)).status).toBe(401);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(/^Suspended since /)).toBeHidden();
  expect((await callModel(page.request, secret)).status).toBe(200);
});

test("a key is disabled and enabled, and all sessions are ended, from the account's page", async ({
  page,
}) => {
  const member = await person(page);
  const { secret } = await makeKey(page.request, member, { name: "Nightly job" });
  await page.goto(`/admin/users/${member.id}?tab=keys`);
  await page.getByRole("button", { name: "Disable: Nightly job" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("row", { name: /Nightly job/ })).toContainText("Disabled");
  expect((await callModel(page.request, secret)).status).toBe(401);
  await page.getByRole("button", { name: "Enable: Nightly job" }).click();
  await expect(page.getByRole("row", { name: /Nightly job/ })).toContainText("Active");
  await page.getByRole("button", { name: `Actions for ${member.username}` }).click();
  await page.getByRole("menuitem", { name: "End all sessions" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "End all sessions" }).click();
  await expect(page.getByText(/is signed out everywhere/).first()).toBeVisible();
  const headers = { authorization: `Bearer ${member.token}` };
  expect((await page.request.get("/api/user/self", { headers })).status()).toBe(401);
});

test("a key is edited on the account's page, which tells of a change meanwhile", async ({ page }) => {
  const member = await person(page);
  const { id } = await makeKey(page.request, member, { name: "Batch job" });
  await page.goto(`/admin/users/${member.id}?tab=keys`);
  await page.getByRole("button", { name: "Actions for Batch job" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit “Batch job”" });
  await expect(sheet.getByLabel("Quota")).toHaveAccessibleDescription(/The account's balance/);
  await expect(sheet.getByLabel("Plan")).toContainText("Enterprise");
  await sheet.getByLabel("Name").fill("Nightly batch");
  await sheet.getByLabel("Quota").fill("12");
  await sheet.getByLabel("Expires", { exact: true }).selectOption({ label: "In 30 days" });
  const plan = sheet.getByLabel("Plan").getByRole("option", { name: /^Enterprise/ });
  await sheet.getByLabel("Plan").selectOption((await plan.getAttribute("value")) ?? "");
  await sheet.getByLabel("All models").uncheck();
  await sheet.getByLabel("demo-chat", { exact: true }).check();
  const { origin } = new URL(page.url());
  const meanwhile = { data: { quota: 900 }, headers: { origin } };
  await page.request.patch(`/api/admin/users/${member.id}/tokens/${id}`, meanwhile);
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await sheet.getByRole("button", { name: "Save with this choice" }).click();
  await expect(sheet).toBeHidden();
  const row = page.getByRole("row", { name: /Nightly batch/ });
  await expect(row).toContainText("¥12.00");
  await expect(row).toContainText("Enterprise");
  await expect(row).toContainText("1 model");
  await page.getByRole("tab", { name: "Audit" }).click();
  await expect(page.getByRole("row", { name: /API key changed/ }).first()).toContainText("¥12.00");
});

test("the name of an account is in the breadcrumb of its own page alone, and in the message of its end", async ({
  page,
}) => {
  const { id, username } = await person(page);
  await page.goto(`/admin/users/${id}`);
  const place = page.getByRole("navigation", { name: "Breadcrumb" });
  await expect(place).toContainText(`Users${username}`);
  await page.getByRole("link", { name: "Margin", exact: true }).click();
  await page.waitForURL("**/admin/margin");
  await expect(place).toHaveText("AdminMargin");
  await page.goBack();
  await page.getByRole("button", { name: `Actions for ${username}` }).click();
  await page.getByRole("menuitem", { name: "Delete account" }).click();
  await page.getByRole("alertdialog").getByRole("textbox").fill(username);
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByText(`“${username}” is deleted.`).first()).toBeVisible();
});

test("a key leads to its logs and its usage, and is deleted, from the account's page", async ({ page }) => {
  const member = await person(page);
  const { secret, id } = await makeKey(page.request, member, { name: "Old job" });
  await page.goto(`/admin/users/${member.id}?tab=keys`);
  const menu = page.getByRole("button", { name: "Actions for Old job" });
  await menu.click();
  const item = (name: string) => page.getByRole("menuitem", { name });
  await expect(item("View logs")).toHaveAttribute("href", `/admin/logs?key=${id}`);
  await expect(item("View usage")).toHaveAttribute("href", `/admin/usage?user=${member.id}&key=${id}`);
  await item("Delete key").click();
  const asked = page.getByRole("alertdialog", { name: "Delete “Old job”?" });
  await asked.getByRole("textbox").fill("Old job");
  await asked.getByRole("button", { name: "Delete key" }).click();
  await expect(asked).toBeHidden(); // rows behind it have no role
  await expect(page.getByRole("row", { name: /Old job/ })).toHaveCount(0);
  expect((await callModel(page.request, secret)).status).toBe(401);
});

test("the ledger of an account is downloaded as it is filtered", async ({ page }) => {
  const member = await person(page);
  await page.goto("/admin/users");
  await make(page, `/api/admin/users/${member.id}/grants`, { amount: 700, reason: "welcome" });
  await page.goto(`/admin/users/${member.id}?tab=ledger&type=grant`);
  const link = page.getByRole("link", { name: "Export CSV" });
  await expect(link).toHaveAttribute("href", /\/grants\/export\?type=grant&/);
  const columns = page.getByRole("button", { name: "Columns" });
  const places = await Promise.all([link, columns].map((one) => one.boundingBox()));
  expect(places[0]?.y, "on one line").toBe(places[1]?.y);
  const file = await page.request.get((await link.getAttribute("href")) ?? "");
  expect(file.headers()["content-type"]).toContain("text/csv");
  expect((await file.text()).trimEnd().split("\r\n")[1]).toContain(",grant,700,");
});

const parts = ["usage", "keys", "requests", "ledger", "audit"];

for (const width of [320, 390]) {
  test(`an account's page fits a screen of ${width} pixels in every part`, async ({ page }) => {
    const member = await busyPerson(page);
    await page.setViewportSize({ width, height: 800 });
    for (const part of parts) {
      await openPart(page, member.id, part);
      expect([part, await layoutProblems(page)]).toEqual([part, []]);
    }
  });
}

for (const [theme, locale] of [
  ["light", "en"],
  ["dark", "zh-CN"],
] as const) {
  test(`an account's page has no accessibility violation and no console error, ${theme}, ${locale}`, async ({
    page,
  }) => {
    test.setTimeout(180_000);
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    const member = await busyPerson(page);
    const url = "http://127.0.0.1";
    await page.context().addCookies([
      { name: "theme", value: theme, url },
      { name: "locale", value: locale, url },
    ]);
    for (const part of parts) {
      await openPart(page, member.id, part);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect([part, violations.map(({ id, nodes }) => [id, nodes[0]?.html])]).toEqual([part, []]);
    }
    expect(errors).toEqual([]);
  });
}

async function busyPerson(page: Page): Promise<Person> {
  const member = await person(page);
  const { secret } = await makeKey(page.request, member, { name: "Build server of the second team" });
  await callModel(page.request, secret);
  return member;
}

async function openPart(page: Page, id: string, part: string): Promise<void> {
  await page.goto(`/admin/users/${id}?tab=${part}`);
  await expect(page.locator("main h1")).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
}

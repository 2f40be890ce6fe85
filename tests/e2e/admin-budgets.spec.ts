import { expect, type Page } from "@playwright/test";
import { callModel, type Member, makeKey, register } from "./support/member";
import { freshName, make, test } from "./support/people";

/** An account on a plan of its own, with a key. */
async function onOwnPlan(page: Page): Promise<Member & { id: string; secret: string; plan: string }> {
  await page.goto("/admin/budgets");
  const plan = freshName("Plan ");
  const { id: planId } = await make<{ id: number }>(page, "/api/admin/plans", {
    name: plan,
    qps: null,
    rpm: null,
    tpm: null,
    keyQuotaCents: 100_000,
  });
  const member = await register(page.request);
  const headers = { authorization: `Bearer ${member.token}` };
  const { id } = await (await page.request.get("/api/user/self", { headers })).json();
  const { origin } = new URL(page.url());
  const moved = await page.request.patch(`/api/admin/users/${id}`, {
    data: { planId },
    headers: { origin },
  });
  expect(moved.status(), await moved.text()).toBe(200);
  const { secret } = await makeKey(page.request, member, { planId });
  return { ...member, id, secret, plan };
}

/** What calls of a key are answered until it is this status: every process learns of a change within seconds. */
async function expectStatus(page: Page, secret: string, status: number): Promise<void> {
  await expect.poll(async () => (await callModel(page.request, secret)).status).toBe(status);
}

const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });

test("every account on a plan gets a budget in one form, and one of them more, or another limit", async ({
  page,
}) => {
  const member = await onOwnPlan(page);
  await page.goto("/admin/plans");
  await page.getByRole("button", { name: `Edit “${member.plan}”` }).click();
  const sheet = page.getByRole("dialog", { name: `Edit “${member.plan}”` });
  await sheet.getByRole("button", { name: "Add a budget for each account" }).click();
  const form = page.getByRole("dialog", { name: "Create budget" });
  const name = `Each account on ${member.plan}, requests a day`;
  await expect(form.getByLabel("Name")).toHaveValue(name);
  await form.getByLabel("Limit", { exact: true }).fill("1");
  await form.getByRole("button", { name: "Create budget" }).click();
  await expect(form).toBeHidden();
  await sheet.getByRole("link", { name: "Budgets of this plan" }).click();
  await page.waitForURL(/\/admin\/budgets\?plan=/);
  await expect(row(page, name)).toContainText("No requests in this period yet");
  await expectStatus(page, member.secret, 402);
  await page.reload();
  await expect(row(page, name)).toContainText(member.username);
  await row(page, name).getByRole("link").click();

  const drawer = page.getByRole("dialog", { name });
  const ranked = drawer.getByRole("table", { name: /the fullest first/ });
  await expect(ranked.getByRole("row", { name: new RegExp(member.username) })).toContainText(
    "1 of 1 request",
  );
  await ranked.getByRole("button", { name: `Actions for ${member.username}` }).click();
  await page.getByRole("menuitem", { name: /^A fifth more/ }).click();
  await expect(ranked).toContainText(/of 2 requests/);
  await expectStatus(page, member.secret, 402);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(ranked).toContainText(/of 1 request/);

  await ranked.getByRole("button", { name: `Actions for ${member.username}` }).click();
  await page.getByRole("menuitem", { name: "Another limit" }).click();
  const exception = page.getByRole("dialog", { name: `Another limit for ${member.username}` });
  await exception.getByLabel("Limit").fill("5000");
  await exception.getByRole("button", { name: "Set the limit" }).click();
  await expect(drawer.getByText("5,000 requests", { exact: true })).toBeVisible();
  await expectStatus(page, member.secret, 200);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(drawer.getByText("All have the same limit.")).toBeVisible();
  await expectStatus(page, member.secret, 402);
  await ranked.getByRole("button", { name: `Periods of ${member.username}` }).click();
  await expect(drawer.getByRole("heading", { name: `Periods of ${member.username}` })).toBeVisible();
  await expect(drawer.getByRole("table", { name: "Periods, the newest first" })).toContainText("(running)");
});

test("exceptions are edited in the form", async ({ page }) => {
  const member = await onOwnPlan(page);
  const name = freshName("Rule ");
  const plans = await (await page.request.get("/api/admin/plans")).json();
  const planId = plans.data.find((plan: { name: string }) => plan.name === member.plan).id;
  await make(page, "/api/admin/budgets", {
    name,
    scope: "plan",
    planId,
    each: "account",
    unit: "money",
    period: "month",
    limit: 0,
  });
  await expectStatus(page, member.secret, 402);
  await page.goto(`/admin/budgets?plan=${planId}`);
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const form = page.getByRole("dialog", { name: `Edit “${name}”` });
  await form.getByLabel("Account with another limit").fill(member.username);
  await form.getByLabel(`Limit of ${member.username}`, { exact: true }).fill("500");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`“${name}” is saved`)).toBeVisible();
  await expectStatus(page, member.secret, 200);
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await expect(form.getByLabel(`Limit of ${member.username}`, { exact: true })).toHaveValue("500");
  await form.getByRole("button", { name: `Remove the limit of ${member.username}` }).click();
  await form.getByRole("button", { name: "Save" }).click();
  await expectStatus(page, member.secret, 402);
  await expect(form).toBeHidden();

  await page.goto("/admin/audit");
  const entry = page.getByRole("row", { name: /Budget changed/ }).filter({ hasText: name });
  await expect(entry.first()).toContainText(`${member.username}: ¥500.00`);
  await expect(page.getByRole("row", { name: /Budget created/ }).filter({ hasText: name })).toHaveCount(1);
});

test("one person gets an amount a month from the page of the account, which is locked for that person", async ({
  page,
}) => {
  const member = await onOwnPlan(page);
  await page.goto(`/admin/users/${member.id}?tab=budgets`);
  await expect(page.getByText("No budget limits this account")).toBeVisible();
  await page.getByRole("button", { name: "Add a budget" }).click();
  const form = page.getByRole("dialog", { name: "Create budget" });
  await expect(form.getByLabel("Account", { exact: true })).toHaveValue(member.username);
  await form.getByLabel("Limit in yuan (¥)").fill("500");
  await form.getByRole("button", { name: "Create budget" }).click();
  const name = `${member.username}, ¥ a month`;
  await expect(row(page, name)).toContainText("of ¥500.00");
  await row(page, name).getByRole("link").first().click();
  await page.waitForURL(/\/admin\/budgets\?user=.*budget=/);
  const drawer = page.getByRole("dialog", { name });
  await expect(drawer.getByText(`Account ${member.username}`)).toBeVisible();
  const headers = { authorization: `Bearer ${member.token}` };
  const { data } = await (await page.request.get("/api/user/budgets", { headers })).json();
  expect(data).toEqual([expect.objectContaining({ name, limit: 50_000, locked: true, mayChange: false })]);
});

test("budgets are filtered by scope, plan and account, and made for a key of an account", async ({
  page,
}) => {
  const member = await onOwnPlan(page);
  await page.goto("/admin/budgets?create=1");
  const form = page.getByRole("dialog", { name: "Create budget" });
  await form.getByLabel("Whose requests count").selectOption("key");
  await form.getByLabel("Account of the key").fill(member.username);
  await expect(form.getByLabel("Key", { exact: true }).getByRole("option")).toHaveCount(2);
  await form.getByLabel("Key", { exact: true }).selectOption({ index: 1 });
  await form.getByRole("radio", { name: "Tokens" }).check();
  await form.getByLabel("Limit", { exact: true }).fill("1000000");
  const name = freshName("Tokens ");
  await form.getByLabel("Name").fill(name);
  await form.getByRole("button", { name: "Create budget" }).click();
  await expect(row(page, name)).toContainText(`of ${member.username}`);
  await page.getByLabel("For whom").selectOption("platform");
  await expect(page).toHaveURL(/scope=platform/);
  await expect(row(page, name)).toHaveCount(0);
  await page.getByLabel("For whom").selectOption("");
  await page.getByPlaceholder("All accounts").fill(member.username);
  await expect(page).toHaveURL(new RegExp(`user=${member.id}`));
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
  await expect(row(page, name)).toBeVisible();
});

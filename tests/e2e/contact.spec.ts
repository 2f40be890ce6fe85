import { expect } from "@playwright/test";
import { openSession, register } from "./support/member";
import { test } from "./support/people";

test("the contact that an admin sets stands where only an admin can help, and is a link where it can be", async ({
  page,
  browser,
  gateway,
}) => {
  const member = await register(page.request);
  await page.goto("/admin/settings");
  const label = page.getByLabel("Text, e-mail address or https link");
  await label.fill("help@example.com");
  const form = page.locator("form").filter({ has: label });
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The contact is saved.", { exact: false })).toBeVisible();

  const context = await browser.newContext({
    baseURL: gateway.url,
    storageState: undefined,
    locale: "en-US",
  });
  const user = await context.newPage();
  await openSession(user, member.token);
  await user.goto("/console/billing");
  const link = user.getByRole("main").getByRole("link", { name: "help@example.com" });
  await expect(link).toHaveAttribute("href", "mailto:help@example.com");
  await user.goto("/");
  await expect(user.getByRole("contentinfo").getByRole("link", { name: "help@example.com" })).toBeVisible();

  // A text is no link, whatever it looks like.
  await label.fill("javascript:alert(1)");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByRole("button", { name: "Save" })).toBeDisabled();
  await user.goto("/");
  await expect(user.getByRole("contentinfo")).toContainText("javascript:alert(1)");
  await expect(user.getByRole("contentinfo").getByRole("link", { name: "javascript" })).toHaveCount(0);

  await label.fill("");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByRole("button", { name: "Save" })).toBeDisabled();
  await user.goto("/");
  await expect(user.getByRole("contentinfo")).not.toContainText("Contact:");
  await context.close();
});

test("the name that an admin gives the gateway stands in titles, heads, the status page and its feed", async ({
  page,
  browser,
  gateway,
}) => {
  await page.goto("/admin/settings");
  const rail = page.getByRole("complementary", { name: "Menu" });
  const label = page.getByLabel(/^Name/);
  const form = page.locator("form").filter({ has: label });
  const save = form.getByRole("button", { name: "Save" });
  await label.fill("x".repeat(41));
  await save.click();
  await expect(label).toHaveAccessibleDescription(/1 to 40 characters/);
  await label.fill("Acme AI & Co");
  await save.click();
  await expect(page.getByText("The name is saved.", { exact: false })).toBeVisible();
  await expect(rail.getByRole("link", { name: "Acme AI & Co" }), "without a reload").toBeVisible();
  const status = page.getByLabel("Show everybody how well each model answers");
  if (!(await status.isChecked())) {
    await status.check();
    await page.locator("form").filter({ has: status }).getByRole("button", { name: "Save" }).click();
  }

  const context = await browser.newContext({
    baseURL: gateway.url,
    storageState: undefined,
    locale: "en-US",
  });
  const visitor = await context.newPage();
  await visitor.goto("/");
  await expect(visitor).toHaveTitle("Acme AI & Co");
  await expect(visitor.getByRole("main")).toContainText("Acme AI & Co stands between your programs");
  await expect(visitor.getByRole("banner").getByRole("link", { name: "Acme AI & Co" })).toBeVisible();
  await visitor.goto("/login");
  await expect(visitor).toHaveTitle("Sign in · Acme AI & Co");
  await expect(visitor.getByRole("main")).toContainText("Use your Acme AI & Co account.");
  await visitor.goto("/status");
  await expect(visitor).toHaveTitle(/ · Acme AI & Co$/);
  expect(await (await visitor.request.get("/status/feed")).text()).toContain("<title>Acme AI &amp; Co: ");
  expect(await (await visitor.request.get("/api/bootstrap")).json()).toMatchObject({ name: "Acme AI & Co" });

  await label.fill("");
  await save.click();
  await expect(rail.getByRole("link", { name: "Tollgate" })).toBeVisible();
  await visitor.goto("/login");
  await expect(visitor).toHaveTitle("Sign in · Tollgate");
  await context.close();
  await gateway.api("PATCH", "/api/admin/settings", await gateway.adminToken(), { statusPage: false });
});

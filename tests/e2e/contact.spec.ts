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

import { expect } from "@playwright/test";
import { callModel, makeKey, openSession, register } from "./support/member";
import { freshName, test } from "./support/people";

/** Source: docs/contract.md#account-limits. */
test("an admin gives an account limits over all its keys, and the account sees them with their use", async ({
  page,
  browser,
  gateway,
}) => {
  const person = await register(page.request);
  await page.goto(`/admin/users?search=${person.username}`);
  await page.getByRole("link", { name: person.username }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Over all keys of the account together");
  await dialog.getByLabel("Requests a minute").fill("2");
  await dialog.getByLabel("Calls at once").fill("3");
  await dialog.getByLabel("Number of keys").fill("4");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("2 (custom)")).toBeVisible();
  await expect(page.getByText("0 of 4 (custom)")).toBeVisible();

  const own = await browser.newContext({
    baseURL: gateway.url,
    locale: "en-US",
    storageState: { cookies: [], origins: [] },
  });
  const console = await own.newPage();
  await openSession(console, person.token);
  const { secret } = await makeKey(console.request, person, { planId: 3 });
  const other = await makeKey(console.request, person, { planId: 2 });
  for (const key of [secret, other.secret]) expect((await callModel(console.request, key)).status).toBe(200);
  expect((await callModel(console.request, secret)).status).toBe(429);
  await console.goto("/console/limits");
  const account = console.getByRole("region", { name: "Your account, over all keys" });
  await expect(account.getByRole("meter", { name: "Requests a minute (RPM)" })).toHaveAttribute(
    "aria-valuetext",
    "2 of 2",
  );
  await expect(account.getByRole("meter", { name: "Number of keys" })).toHaveAttribute(
    "aria-valuetext",
    "2 of 4",
  );
  await expect(account.getByRole("meter", { name: "Calls at once" })).toHaveAttribute(
    "aria-valuetext",
    "0 of 3",
  );
  await expect(console.getByText(/of your account is used up/)).toBeVisible();
  await own.close();
});

test("a plan says what each account on it may do over all its keys", async ({ page }) => {
  const name = freshName("Team ");
  await page.goto("/admin/plans");
  await page.getByRole("button", { name: "Add plan" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Calls of a key at once").fill("5");
  await dialog.getByLabel("RPM over all keys").fill("60");
  await dialog.getByLabel("Number of keys").fill("20");
  await dialog.getByRole("button", { name: "Add plan" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: `Edit “${name}”` }).click();
  await expect(dialog).toContainText("Each key on it may make 5 calls at once");
  await expect(dialog).toContainText("may make 60 requests a minute");
  await expect(dialog).toContainText("An account with this plan may have 20 keys.");
  await expect(dialog.getByLabel("RPM over all keys")).toHaveValue("60");
});

import { expect } from "@playwright/test";
import { freshName, make, test } from "./support/people";

test("an account is made, given quota with a reason, suspended and lifted, its password reset", async ({
  page,
}) => {
  const name = freshName("user");
  await page.goto("/admin/users");
  await page.getByRole("button", { name: "Add user" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a user" });
  await sheet.getByLabel("Username").fill(name);
  await sheet.getByLabel("Password").fill("secret-password");
  await sheet.getByLabel(/Quota in yuan/).fill("10");
  await sheet.getByRole("button", { name: "Add user" }).click();
  await expect(sheet).toBeHidden();

  await page.getByRole("searchbox").fill(name);
  await expect(page).toHaveURL(new RegExp(`search=${name}`));
  const row = page.getByRole("row", { name: new RegExp(name) });
  const choose = async (item: string) => {
    await row.getByRole("button", { name: /Actions/ }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await choose("Grant or take quota");
  const grant = page.getByRole("dialog");
  await grant.getByLabel(/Amount in yuan/).fill("2.50");
  await grant.getByLabel("Reason").fill("welcome");
  await expect(grant.getByText("Quota afterwards: ¥12.50")).toBeVisible();
  await expect(grant.getByText("Left afterwards: ¥12.50")).toBeVisible();
  await grant.getByRole("button", { name: "Grant ¥2.50" }).click();
  await expect(row).toContainText("of ¥12.50");

  await choose("Suspend");
  const suspend = page.getByRole("alertdialog");
  await expect(suspend).toContainText("All sessions end");
  await suspend.getByRole("textbox").fill(name);
  await suspend.getByRole("button", { name: "Suspend account" }).click();
  await expect(row).toContainText("Suspended");
  await choose("Reactivate");
  await expect(row).toContainText("Active");

  await choose("Reset password");
  await page.getByRole("alertdialog").getByRole("button", { name: "Make a new password" }).click();
  const password = await page.getByLabel(`New password of “${name}”`).last().inputValue();
  expect(password.length).toBeGreaterThanOrEqual(12);
  await page.getByRole("button", { name: "Done" }).click();
  const login = await page.request.post("/api/user/login", { data: { username: name, password } });
  expect(login.status()).toBe(200);

  await choose("Delete account");
  await page.getByRole("alertdialog").getByRole("textbox").fill(name);
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByText(`“${name}” is deleted.`).first()).toBeVisible();
});

test("the filters of accounts are one line on a wide screen and fold on a phone; no quota is told", async ({
  page,
}) => {
  const username = freshName("poor");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/admin/users");
  await make(page, "/api/admin/users", { username, password: "secret-password", quota: 0 });
  await page.goto(`/admin/users?search=${username}`);
  await expect(page.getByRole("row", { name: new RegExp(username) })).toContainText("No quota");
  const filters = page.getByRole("group", { name: "Filters" });
  const controls = filters.locator("input, select").filter({ visible: true });
  await expect(controls).toHaveCount(5);
  const tops = await controls.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size, "one line").toBe(1);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(filters.getByLabel("Role")).toBeHidden();
  await filters.getByRole("button", { name: "Filters", exact: true }).click();
  for (const name of ["Status", "Role", "Plan", "What is left"])
    await expect(filters.getByLabel(name, { exact: true })).toBeVisible();
});

test("admins cannot suspend or delete themselves", async ({ page }) => {
  await page.goto("/admin/users?search=admin");
  await page
    .getByRole("row", { name: /\(You\)/ })
    .getByRole("button", { name: /Actions/ })
    .click();
  await expect(page.getByRole("menuitem", { name: "Suspend" })).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByText("Not for your own account.")).toHaveCount(2);
  await expect(page.getByRole("menuitem", { name: "Delete account" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
});

test("a plan is made, changed and deleted, and each step stands in the audit with its difference", async ({
  page,
}) => {
  const name = freshName("Plan");
  await page.goto("/admin/plans");
  await page.getByRole("button", { name: "Add plan" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a plan" });
  await sheet.getByLabel("Name").fill(name);
  await sheet.getByLabel("Requests a minute").fill("60");
  await sheet.getByRole("button", { name: "Add plan" }).click();
  const row = page.getByRole("row", { name: new RegExp(name) });
  await expect(row).toContainText("60");
  await expect(row).toContainText("Unlimited");
  await expect(row).toContainText("Only accounts on this plan");
  await row.getByRole("button", { name: /Actions/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const edit = page.getByRole("dialog");
  await expect(edit.getByRole("button", { name: "Save" })).toBeDisabled();
  await expect(edit).toContainText("Each key on it may make 60 requests a minute; more is refused with 429.");
  await expect(edit).toContainText("Only accounts whose own plan this is may put keys on it.");
  await expect(edit).toContainText(/may put each of their keys on .*Free, .*Starter.* They may not choose/);
  await edit.getByLabel("Requests a minute").fill("90");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("90");

  await page.goto("/admin/audit?action=plan.update");
  const line = page.getByRole("row", { name: new RegExp(name) });
  await expect(line).toContainText("Requests a minute");
  await line.getByRole("button", { name: "Details: Plan changed" }).click();
  const change = page.getByRole("dialog").getByRole("row", { name: /Requests a minute/ });
  await expect(change).toContainText("60");
  await expect(change).toContainText("90");

  await page.goto("/admin/plans");
  await row.getByRole("button", { name: /Actions/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("textbox").fill(name);
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete plan" }).click();
  await expect(row).toHaveCount(0);
});

test("admins are told what strangers can spend, everywhere, and can put the notice away", async ({
  page,
}) => {
  const answer = (openRegistration: object | null) =>
    page.route("**/api/admin/settings", (route) =>
      route.fulfill({ json: { inviteRewardCents: 0, signupQuotaCents: 1_000, openRegistration } }),
    );
  const open = { quotaCents: 1_000, rewardCents: 0, accountsPerHour: 1_800, centsPerHour: "1800000" };
  await answer({ ...open, lastRequestCents: "1795" });
  await page.goto("/console/keys");
  const notice = page.getByRole("status").filter({ hasText: "Registration is open to strangers" });
  await expect(notice).toContainText("they can spend ¥18,000.00 an hour (1,800 new accounts, ¥10.00 each).");
  await expect(notice).toContainText("may go beyond that by up to ¥17.95");
  await expect(notice.getByRole("link", { name: "Change it in Settings" })).toHaveAttribute(
    "href",
    "/admin/settings",
  );
  await notice.getByRole("button", { name: "Hide this notice" }).click();
  await expect(notice).toBeHidden();

  await page.unroute("**/api/admin/settings");
  await answer({ ...open, quotaCents: 0, centsPerHour: "0", lastRequestCents: "0" });
  await page.goto("/admin/users");
  await expect(notice).toContainText("their accounts have no balance until you add to it");
  await page.unroute("**/api/admin/settings");
  await answer(null);
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(notice).toBeHidden();
  const kept = page.getByRole("cell", { name: "Embedded: for evaluation and a single node" });
  await expect(kept).toBeHidden();
  await page.unroute("**/api/admin/settings");
  await page.goto("/admin/settings");
  await page
    .getByRole("navigation", { name: "Sections" })
    .getByRole("link", { name: "Server configuration" })
    .click();
  await expect(kept).toBeInViewport();
});

test("on a phone the facts of a plan stand on one line", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/admin/plans");
  const keys = page.getByText(/^[\d,]+ keys?$/).first();
  await expect(keys).toBeVisible();
  const bottoms = await keys.evaluate((part) => {
    const label = part.closest("div")?.querySelector("dt");
    return [part, label].map((element) => {
      const range = document.createRange();
      range.selectNodeContents(element ?? document.body);
      return range.getBoundingClientRect().bottom;
    });
  });
  expect(Math.abs((bottoms[0] ?? 0) - (bottoms[1] ?? 99))).toBeLessThan(1);
});

test("an account that the filters of the list hide is reached from the message that it is made", async ({
  page,
}) => {
  const username = freshName("hidden");
  await page.goto("/admin/users?role=admin");
  await page.getByRole("button", { name: "Add user" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a user" });
  await sheet.getByLabel("Username").fill(username);
  await sheet.getByRole("button", { name: "Generate password" }).click();
  await sheet.getByRole("button", { name: "Add user" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole("link", { name: username })).toHaveCount(0);
  const said = page.getByRole("status").filter({ hasText: username });
  await said.getByRole("button", { name: "Open", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: username })).toBeVisible();
});

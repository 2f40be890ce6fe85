import { expect } from "@playwright/test";
import { cookieNames } from "@/components/i18n/locale";
import { freshName, make, test } from "./support/people";

test("a limit that an account does not have stays without when another one is changed", async ({ page }) => {
  const username = freshName("unlimited");
  await page.goto("/admin/users");
  const { id } = await make<{ id: string }>(page, "/api/admin/users", {
    username,
    password: "secret-password",
  });
  const { origin } = new URL(page.url());
  const set = await page.request.patch(`/api/admin/users/${id}`, {
    data: { limitOverrides: { qps: 77, tpm: null } },
    headers: { origin },
  });
  expect(set.status(), await set.text()).toBe(200);
  await page.goto(`/admin/users?search=${username}`);
  await page.getByRole("button", { name: `Actions for ${username}` }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByLabel("Tokens a minute")).toHaveValue("Unlimited");
  await sheet.getByLabel("Requests a second").fill("80");
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(sheet).toBeHidden();
  const stored = await (await page.request.get(`/api/admin/users/${id}`)).json();
  expect(stored.limitOverrides).toEqual({ qps: 80, tpm: null });
});

test("a grant whose answer is lost asks to look before it is repeated", async ({ page }) => {
  const username = freshName("granted");
  await page.goto("/admin/users");
  await make(page, "/api/admin/users", { username, password: "secret-password" });
  await page.goto(`/admin/users?search=${username}`);
  await page.route("**/api/admin/users/*/grants", (route) => route.abort());
  await page.route("**/api/admin/users/grants", (route) => route.abort());
  await page.getByRole("button", { name: `Actions for ${username}` }).click();
  await page.getByRole("menuitem", { name: "Grant or take quota" }).click();
  const grant = page.getByRole("dialog");
  await grant.getByLabel(/Amount in yuan/).fill("1");
  await grant.getByLabel("Reason").fill("lost");
  await grant.getByRole("button", { name: "Grant ¥1.00" }).click();
  await expect(grant.getByRole("alert")).toContainText("It is not known whether this was done");
  await grant.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("checkbox", { name: `Select ${username}` }).check();
  await page
    .getByRole("region", { name: "Selected accounts" })
    .getByRole("button", { name: "Change quota" })
    .click();
  await grant.getByLabel(/Amount in yuan/).fill("1");
  await grant.getByLabel("Reason").fill("lost");
  await grant.getByRole("button", { name: "Give each ¥1.00" }).click();
  const failures = page.getByRole("alertdialog", { name: "Not all accounts were changed" });
  await expect(failures.getByRole("row", { name: new RegExp(username) })).toContainText("Not known");
});

test("ticked accounts are as they are now: one that was suspended can be reactivated, a deleted one is not ticked", async ({
  page,
}) => {
  const username = freshName("ticked");
  await page.goto("/admin/users");
  await make(page, "/api/admin/users", { username, password: "secret-password" });
  await page.goto(`/admin/users?search=${username}`);
  await page.getByRole("checkbox", { name: `Select ${username}` }).check();
  const bar = page.getByRole("region", { name: "Selected accounts" });
  const choose = async (item: string) => {
    await page.getByRole("button", { name: `Actions for ${username}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await choose("Suspend");
  await page.getByRole("alertdialog").getByLabel("Why").fill("test");
  await page.getByRole("alertdialog").getByRole("button", { name: "Suspend account" }).click();
  await expect(bar.getByRole("button", { name: "Reactivate" })).toBeVisible();
  await choose("Delete account");
  await page.getByRole("alertdialog").getByRole("textbox").fill(username);
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete account" }).click();
  await expect(bar).toBeHidden();
});

test("what is typed on one tab of a model is still there after another was saved, which its address names", async ({
  page,
}) => {
  const alias = freshName("tabs-");
  await page.goto("/admin/models");
  const made = await make<{ id: string }>(page, "/api/admin/models", {
    alias,
    routes: [{ node: "demo-chat-node", model: "demo" }],
    prices: { input: 1, output: 2 },
  });
  await page.goto(`/admin/models?model=${made.id}`);
  const sheet = page.getByRole("dialog", { name: alias });
  await sheet.getByLabel("Display name").fill("Typed");
  await sheet.getByRole("tab", { name: "Routes" }).click();
  await expect(sheet.getByLabel("Priority", { exact: true })).toBeVisible();
  await expect(sheet.getByLabel("Display name")).toBeHidden();
  await expect(page).toHaveURL(/tab=routes/);
  await sheet.getByLabel("Priority", { exact: true }).fill("3");
  await sheet.getByRole("button", { name: "Save routes" }).click();
  await expect(page.getByText(`Routes of “${alias}” are saved.`).first()).toBeVisible();
  await sheet.getByLabel("Priority", { exact: true }).fill("4");
  await sheet.getByRole("button", { name: "Discard changes" }).click();
  await expect(sheet.getByLabel("Priority", { exact: true })).toHaveValue("3");
  await sheet.getByRole("tab", { name: "Details" }).click();
  await expect(sheet.getByLabel("Display name")).toHaveValue("Typed");
});

test("a day of the audit is the reader's day, on the page and in the file", async ({
  page,
  context,
  baseURL,
}) => {
  await context.addCookies([{ name: cookieNames.timeZone, value: "Asia/Shanghai", url: baseURL ?? "" }]);
  const asked = page.waitForRequest(
    (request) => new URL(request.url()).searchParams.get("from") === "2026-11-20T16:00:00.000Z",
  );
  await page.goto("/admin/audit?from=2026-11-21&to=2026-11-21");
  expect(new URL((await asked).url()).searchParams.get("to")).toBe("2026-11-21T16:00:00.000Z");
  await expect(page.getByRole("link", { name: "Export CSV" })).toHaveAttribute(
    "href",
    /from=2026-11-20T16.*to=2026-11-21T16/,
  );
});

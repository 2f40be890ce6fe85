import { expect } from "@playwright/test";
import { register } from "./support/member";
import { freshName, make, test } from "./support/people";

test("what the server refuses stands at its field, and goes when the field is corrected", async ({
  page,
}) => {
  const taken = await register(page.request);
  await page.goto("/admin/users");
  await page.getByRole("button", { name: "Add user" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a user" });
  const username = sheet.getByLabel("Username");
  await username.fill(taken.username);
  await sheet.getByLabel("Password").fill("secret-password");
  await sheet.getByRole("button", { name: "Add user" }).click();
  await expect(username).toHaveAttribute("aria-invalid", "true");
  await expect(username).toHaveAccessibleDescription(/^This is taken already\./);
  const summary = sheet.getByRole("alert");
  await expect(summary).toHaveText("Please correct 1 field");
  await expect(username, "the first field to correct").toBeFocused();
  await username.fill(freshName("free"));
  await expect(username).not.toHaveAttribute("aria-invalid", "true");
  await expect(summary).toBeHidden();
  await sheet.getByRole("button", { name: "Add user" }).click();
  await expect(sheet).toBeHidden();
});

test("what the schema of the API refuses is not sent; a folded part with an error opens", async ({
  page,
}) => {
  let sent = 0;
  await page.route("**/api/admin/users", (route) => {
    if (route.request().method() === "POST") sent += 1;
    return route.continue();
  });
  await page.goto("/admin/users");
  await page.getByRole("button", { name: "Add user" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a user" });
  await sheet.getByLabel("Username").fill("a!");
  await sheet.getByLabel("Password").fill("short");
  await sheet.getByLabel(/Quota in yuan/).fill("1,5");
  const email = sheet.getByLabel("E-mail (optional)", { exact: true });
  await email.fill("nobody");
  const name = sheet.getByLabel("Display name (optional)", { exact: true });
  await expect(name).toBeHidden();
  await sheet.getByText("More", { exact: true }).click();
  await name.fill("n".repeat(101));
  await sheet.getByText("More", { exact: true }).click();
  await expect(name).toBeHidden();
  await sheet.getByRole("button", { name: "Add user" }).click();
  await expect(sheet.getByRole("alert")).toHaveText("Please correct 5 fields");
  await expect(sheet.getByText("Use 3–32 letters (A–Z) or digits.")).toHaveCount(1);
  await expect(sheet.getByText("Use a point for the decimals, such as 12.50.")).toBeVisible();
  await expect(name).toBeVisible();
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(email).toHaveAccessibleDescription("This is not an e-mail address.");
  await expect(sheet.getByLabel("Username")).toBeFocused();
  expect(sent).toBe(0);
});

test("errors of routes and prices stand at the fields of the route and the price", async ({ page }) => {
  await page.goto("/admin/models");
  await page.getByRole("button", { name: "Add model" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a model" });
  await sheet.getByLabel("Alias", { exact: true }).fill(freshName("model-"));
  await sheet.getByLabel("Node").selectOption("demo-chat-node");
  await sheet.getByLabel("Upstream model").fill("demo");
  await sheet.getByLabel("Weight").fill("1000001");
  await sheet.getByLabel("Input", { exact: true }).fill("0.000001");
  await sheet.getByLabel("Output", { exact: true }).fill("1");
  await sheet.getByRole("button", { name: "Add model" }).click();
  await expect(sheet.getByRole("alert")).toHaveText("Please correct 2 fields");
  await expect(sheet.getByLabel("Weight")).toHaveAccessibleDescription(
    /Use a whole number from 0 to 1,000,000\./,
  );
  await expect(sheet.getByLabel("Input", { exact: true })).toHaveAccessibleDescription(/at most 5 decimals/);
});

test("a form for something new can be sent from the start and says what is missing", async ({ page }) => {
  await page.goto("/admin/models");
  await page.getByRole("button", { name: "Add model" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a model" });
  await sheet.getByRole("button", { name: "Add model" }).click();
  await expect(sheet.getByRole("alert")).toContainText(/^Please correct \d+ fields$/);
  const alias = sheet.getByLabel("Alias", { exact: true });
  await expect(alias).toBeFocused();
  await expect(alias).toHaveAccessibleDescription(/Fill in this field\./);
  await expect(sheet.getByLabel("Node")).toHaveAccessibleDescription(/Choose one\./);
});

test("a record that is not changed cannot be sent, nor one that is as it was again", async ({ page }) => {
  const name = freshName("Plan");
  await page.goto("/admin/plans");
  await make(page, "/api/admin/plans", { name, qps: 1, rpm: 60, tpm: null });
  await page.reload();
  await page.getByRole("button", { name: `Edit “${name}”` }).click();
  const sheet = page.getByRole("dialog", { name: `Edit “${name}”` });
  const save = sheet.getByRole("button", { name: "Save" });
  await expect(save).toBeDisabled();
  await sheet.getByLabel("Requests a minute").fill("61");
  await expect(save).toBeEnabled();
  await sheet.getByLabel("Requests a minute").fill(" 60 ");
  await expect(save).toBeDisabled();
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await sheet.getByLabel("Requests a minute").fill("");
  await save.click();
  expect((await sent).postDataJSON()).toEqual({ rpm: null });
  await expect(sheet).toBeHidden();
});

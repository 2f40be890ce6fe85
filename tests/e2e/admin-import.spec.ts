import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { axeViolations } from "./support/axe";
import { freshName, make, test } from "./support/people";

test("a list of accounts is checked, made one by one, and ends with the passwords", async ({ page }) => {
  const name = freshName("class");
  await page.goto("/admin/users");
  await make(page, "/api/admin/users", { username: `${name}x`, password: "secret-password" });
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog", { name: "Import accounts" });
  const list = dialog.getByRole("textbox", { name: "List" });
  await dialog.getByRole("button", { name: "Check the list" }).click();
  await expect(dialog.getByText("Paste a list or choose a file.")).toBeVisible();
  await expect(list).toBeFocused();

  const rows = [
    "username,email,display name,plan,quota",
    `${name}1,${name}@example.com,Amy,free,12.50`,
    `${name}2,${name}@example.com,,,`,
    `${name}x,,,,`,
    "no,nowhere,,Gold,three",
  ];
  await dialog.locator("input[type=file]").setInputFiles({
    name: "class.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(rows.join("\r\n")),
  });
  await expect(list).toHaveValue(new RegExp(`${name}1`));
  await dialog.getByRole("button", { name: "Check the list" }).click();
  await expect(dialog.getByText("2 accounts can be made.")).toBeVisible();
  await expect(dialog.getByText("2 rows have to be corrected and are left out.")).toBeVisible();
  const faults = dialog.getByRole("table", { name: "What has to be corrected" });
  await expect(faults.getByRole("row", { name: "4 Username" })).toContainText("has this name already");
  await expect(faults.getByRole("row", { name: "5 Username" })).toContainText("Use 3–32 letters");
  await expect(faults.getByRole("row", { name: "5 E-mail" })).toContainText("not an e-mail address");
  await expect(faults.getByRole("row", { name: "5 Plan" })).toContainText(
    "There is no such plan. Use one of: Free",
  );
  await expect(faults.getByRole("row", { name: "5 Quota" })).toContainText(
    "Use an amount such as 50 or 12.50.",
  );
  await expect(dialog.getByText("more than one account, which is allowed")).toContainText(
    `${name}@example.com`,
  );
  expect(await axeViolations(page)).toEqual([]);

  await dialog.getByRole("button", { name: "Make 2 accounts" }).click();
  await expect(dialog.getByText("2 accounts are made.")).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  const lose = page.getByRole("alertdialog", { name: "Close without the passwords?" });
  await lose.getByRole("button", { name: "Keep them here" }).click();
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download passwords (CSV)" }).click();
  const [, first = ""] = readFileSync(await (await download).path(), "utf8").split("\r\n");
  const [username, email, , password = ""] = first.split(",");
  expect([username, email]).toEqual([`${name}1`, `${name}@example.com`]);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("searchbox").fill(`${name}1`);
  await expect(page.getByRole("row", { name: `${name}1` })).toContainText("of ¥12.50");

  const origin = new URL(page.url()).origin;
  const login = { data: { username, password }, headers: { origin } };
  expect((await page.request.post("/api/user/login", login)).status()).toBe(200);
  const audit = await page.request.get(`/api/admin/audit?action=user.create&search=${name}`);
  expect((await audit.json()).data).toHaveLength(3);
});

test("a list is made no further once somebody stops it", async ({ page }) => {
  const name = freshName("stop");
  await page.goto("/admin/users");
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog", { name: "Import accounts" });
  await dialog.getByRole("textbox", { name: "List" }).fill(`username\n${name}1\n${name}2\n${name}3`);
  await dialog.getByRole("button", { name: "Check the list" }).click();
  let answer: () => unknown = () => undefined;
  const asked = new Promise<void>((resolve) => {
    void page.route("**/api/admin/users", async (route) => {
      resolve();
      await new Promise<void>((go) => {
        answer = go;
      });
      await route.continue();
    });
  });
  await dialog.getByRole("button", { name: "Make 3 accounts" }).click();
  await asked;
  await expect(dialog.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "0 of 3 accounts");
  await dialog.getByRole("button", { name: "Stop" }).click();
  answer();
  await expect(dialog.getByText("1 account is made.")).toBeVisible();
  await expect(dialog.getByText("2 rows were not tried any more.")).toBeVisible();
});

test("an e-mail that another account has is told in the form, which can be sent all the same", async ({
  page,
}) => {
  const name = freshName("pair");
  await page.goto("/admin/users");
  const email = `${name}@example.com`;
  await make(page, "/api/admin/users", { username: `${name}a`, password: "secret-password", email });
  await page.getByRole("button", { name: "Add user" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a user" });
  await sheet.getByLabel("Username").fill(`${name}b`);
  await sheet.getByLabel("E-mail").fill(` ${email.toUpperCase()}`);
  await expect(sheet.getByText(`Also the address of ${name}a. That is allowed.`)).toBeVisible();
  await sheet.getByLabel("Password").fill("secret-password");
  await sheet.getByRole("button", { name: "Add user" }).click();
  await expect(sheet).toBeHidden();
});

test("on a phone the import is in the menu of the head", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/admin/users");
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Import" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
});

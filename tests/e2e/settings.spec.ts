import { expect } from "@playwright/test";
import { ask, test } from "./support/member";

test("a new password keeps this browser signed in and ends older logins", async ({
  page,
  request,
  member,
}) => {
  await page.goto("/console/settings");
  await expect(page.getByLabel("Username")).toHaveValue(member.username);
  await page.getByLabel("Current password").fill("wrong-password");
  await page.getByLabel("New password").fill("another-river-43");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("This is wrong.")).toBeVisible();
  await page.getByLabel("Current password").fill(member.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed").first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  const old = await request.get("/api/user/self", { headers: { authorization: `Bearer ${member.token}` } });
  expect(old.status()).toBe(401);
});

test("profile and invite link", async ({ page, request, member }) => {
  await page.goto("/console/settings");
  const save = page.getByRole("button", { name: "Save" });
  await expect(save).toBeDisabled();
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByLabel("Current password"), "what is missing").toBeFocused();
  await page.getByLabel("Display name").fill("Ann");
  await expect(save).toBeEnabled();
  await page.getByLabel("E-mail").fill("not an address");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("E-mail")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("E-mail").fill("ann@example.org");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Profile saved").first()).toBeVisible();
  expect(await ask(request, member, "/api/user/self")).toMatchObject({
    name: "Ann",
    email: "ann@example.org",
  });
  const link = page.getByLabel("Invite link");
  await expect(link).toHaveValue(/\/register\?invite=[0-9A-Za-z]+$/);
  await page.setViewportSize({ width: 1440, height: 900 });
  await link.evaluate((field: HTMLInputElement) => {
    field.value = `https://gateway.example.org/register?invite=${"M".repeat(8)}`;
  });
  expect(await link.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test("the time zones are told with their offsets, that of the browser first", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/settings");
  const zones = page.getByLabel("Time zone");
  await expect(zones.getByRole("option", { name: "Asia/Tehran (UTC+3:30)", exact: true })).toHaveCount(1);
  const own = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  await zones.selectOption("Europe/Berlin");
  const names = await zones.getByRole("option").allTextContents();
  expect(names[0]?.split(" ")[0]).toBe(own);
  expect(new Set(names).size).toBe(names.length);
  await page.reload();
  await expect(zones).toHaveValue("Europe/Berlin");
});

test("an account is deleted after its name and password", async ({ page, request, member }) => {
  await page.goto("/console/settings");
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("textbox", { name: /Type/ }).fill(member.username);
  await expect(dialog.getByRole("button", { name: "Delete account" })).toBeDisabled();
  await dialog.getByLabel("Your password").fill("wrong-password");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(dialog.getByLabel("Your password")).toHaveAccessibleDescription(/is wrong/);
  await expect(dialog.getByLabel("Your password")).toBeFocused();
  await expect(dialog.getByRole("alert")).toBeHidden();
  await dialog.getByLabel("Your password").fill(member.password);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await expect(page.getByText("Your account is deleted.")).toBeVisible();
  const { username, password } = member;
  const login = await request.post("/api/user/login", { data: { username, password } });
  expect(login.status()).toBe(401);
});

import { expect } from "@playwright/test";
import { axeViolations } from "./support/axe";
import { layoutProblems } from "./support/layout";
import { freshName, make, test } from "./support/people";

interface Made {
  id: string;
}

test("an admin makes a project for an account, changes it and its members, and archives it", async ({
  page,
}) => {
  await page.goto("/admin/projects");
  const [payer, person] = [freshName("payer"), freshName("person")];
  for (const username of [payer, person])
    await make<Made>(page, "/api/admin/users", { username, password: "secret-password" });
  const name = freshName("project");
  await page.getByRole("button", { name: "Create project" }).first().click();
  const sheet = page.getByRole("dialog", { name: "Create a project" });
  await sheet.getByLabel("Account that pays").fill("nobody");
  await sheet.getByLabel("Name", { exact: true }).fill(name);
  await sheet.getByLabel(/Cost centre/).fill("4711");
  await sheet.getByRole("button", { name: "Create project" }).click();
  await expect(sheet.getByText("There is no account of this name.")).toBeVisible();
  await sheet.getByLabel("Account that pays").fill(payer);
  await sheet.getByRole("button", { name: "Create project" }).click();
  await expect(sheet).toBeHidden();

  await page.getByRole("searchbox").fill(payer);
  const row = page.getByRole("row", { name: new RegExp(name) });
  await expect(row).toContainText(payer);
  await expect(row).toContainText("4711");
  await row.getByRole("button", { name, exact: true }).click();
  const drawer = page.getByRole("dialog", { name });
  await drawer.getByLabel(/Cost centre/).fill("0815");
  await drawer.getByRole("button", { name: "Save" }).click();
  await expect(drawer).toBeHidden();
  await expect(row).toContainText("0815");

  await row.getByRole("button", { name, exact: true }).click();
  await drawer.getByRole("button", { name: "Add member" }).click();
  const adding = page.getByRole("dialog", { name: "Add a member" });
  await adding.getByLabel("Username").fill(person);
  await adding.getByRole("button", { name: "Add member" }).click();
  await expect(adding).toBeHidden();
  await expect(drawer.getByText(person, { exact: true })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(row).toContainText("2");

  await row.getByRole("button", { name: /^Actions/ }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("textbox").fill(name);
  await question.getByRole("button", { name: "Archive project" }).click();
  await expect(row).toContainText("Archived");
});

test("the audit names projects and what was done to their members", async ({ page }) => {
  await page.goto("/admin/projects");
  const [payer, person] = [freshName("payer"), freshName("person")];
  const [{ id: userId }] = [
    await make<Made>(page, "/api/admin/users", { username: payer, password: "secret-password" }),
    await make<Made>(page, "/api/admin/users", { username: person, password: "secret-password" }),
  ];
  const name = freshName("project");
  const { id } = await make<Made>(page, "/api/admin/projects", { userId, name });
  await make(page, `/api/admin/projects/${id}/members`, { username: person, role: "member" });
  await page.goto(`/admin/audit?targetType=project&q=${name}`);
  const row = page.getByRole("row", { name: /Member added/ });
  await expect(row).toContainText(`Project ${name}`);
  await row.getByRole("link", { name: new RegExp(name) }).click();
  await expect(page.getByRole("dialog", { name })).toContainText(person);
});

test("the cost centre of an account is written in its form and shown on its page", async ({ page }) => {
  await page.goto("/admin/users");
  const username = freshName("centre");
  const { id } = await make<Made>(page, "/api/admin/users", { username, password: "secret-password" });
  await page.goto(`/admin/users/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page
    .getByRole("dialog")
    .getByLabel(/Cost centre/)
    .fill("Research 42");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Research 42")).toBeVisible();
});

test("projects are whole at 320 pixels", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 900 });
  await page.goto("/admin/projects");
  await page.waitForLoadState("networkidle");
  expect(await layoutProblems(page)).toEqual([]);
  expect(await axeViolations(page)).toEqual([]);
});

import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { axeViolations, smallTargets } from "./support/axe";
import { layoutProblems } from "./support/layout";
import { callModel, type Member, makeKey, openSession, register, test } from "./support/member";

interface Named {
  id: string;
}

async function post(request: APIRequestContext, person: Member, path: string, data: object): Promise<Named> {
  const answer = await request.post(path, { data, headers: { authorization: `Bearer ${person.token}` } });
  expect(answer.status(), await answer.text()).toBe(201);
  return answer.json();
}

const makeProject = (request: APIRequestContext, person: Member, name: string) =>
  post(request, person, "/api/user/projects", { name, costCentre: "4711" });

/** Another account as a member of the project. */
async function addMember(
  request: APIRequestContext,
  person: Member,
  projectId: string,
  role = "member",
): Promise<Member> {
  const added = await register(request);
  const input = { username: added.username, role };
  await post(request, person, `/api/user/projects/${projectId}/members`, input);
  return added;
}

const openTab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true }).click();

async function choose(page: Page, row: RegExp, item: string): Promise<void> {
  await page
    .getByRole("row", { name: row })
    .getByRole("button", { name: /^Actions/ })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
}

test("a project is made, shared, used, and archived", async ({ page, request, member, consoleErrors }) => {
  const colleague = await register(request);
  await page.goto("/console");
  await page.keyboard.press("g");
  await page.keyboard.press("j");
  await expect(page.getByText("No projects yet.")).toBeVisible();
  await page.getByRole("button", { name: "Create project" }).first().click();
  const sheet = page.getByRole("dialog", { name: "Create a project" });
  await sheet.getByLabel("Name").fill("Search team");
  await sheet.getByLabel(/Cost centre/).fill("4711");
  await sheet.getByRole("button", { name: "Create project" }).click();
  await expect(sheet).toBeHidden();
  await page.getByRole("link", { name: "Search team" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Search team" })).toBeVisible();
  await expect(page.getByText(`Paid by ${member.username} (you) · Cost centre: 4711`)).toBeVisible();

  await openTab(page, "Members");
  await expect(page.getByText("There are no other members yet.")).toBeVisible();
  await page.getByRole("button", { name: "Add member" }).click();
  const adding = page.getByRole("dialog", { name: "Add a member" });
  await adding.getByLabel("Username").fill("nobody-at-all");
  await adding.getByRole("button", { name: "Add member" }).click();
  await expect(adding.getByLabel("Username")).toHaveAttribute("aria-invalid", "true");
  await adding.getByLabel("Username").fill(colleague.username);
  await adding.getByRole("button", { name: "Add member" }).click();
  await expect(adding).toBeHidden();
  const row = new RegExp(colleague.username);
  await expect(page.getByRole("row", { name: row })).toContainText("Member");
  await choose(page, row, "Make owner");
  await expect(page.getByRole("row", { name: row })).toContainText("Owner");
  await choose(page, row, "Make member");
  await expect(page.getByRole("row", { name: row })).toContainText("Member");

  await openTab(page, "Keys");
  await expect(page.getByText("No keys in this project yet.")).toBeVisible();
  await page.getByRole("button", { name: "Create key" }).click();
  const making = page.getByRole("dialog");
  await expect(making.getByLabel("Project")).toHaveCount(0);
  await making.getByLabel("Name").fill("Crawler");
  await making.getByRole("button", { name: "Create key" }).click();
  const secret = await making.getByLabel("Your new API key").inputValue();
  await making.getByLabel("I have saved this key").check();
  await making.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("row", { name: /Crawler/ })).toContainText(member.username);
  await callModel(request, secret);

  await openTab(page, "Usage");
  await page.reload();
  await page.getByRole("radio", { name: "By member" }).check();
  await expect(page.locator("figure").first()).toContainText(member.username);

  await page.getByRole("button", { name: "Archive" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("Its 1 key ends at once");
  await question.getByRole("textbox").fill("Search team");
  await question.getByRole("button", { name: "Archive project" }).click();
  await expect(page.getByText(/^Archived .* It can only be read/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Edit" })).toHaveCount(0);
  await openTab(page, "Keys");
  await expect(page.getByRole("button", { name: "Create key" })).toHaveCount(0);
  expect((await callModel(request, secret)).status).toBe(401);
  expect(consoleErrors).toEqual([]);
});

test("a removed member's keys end, or go on when the owner says so", async ({ page, request, member }) => {
  const { id } = await makeProject(request, member, "Leavers");
  const people = [await addMember(request, member, id), await addMember(request, member, id)] as const;
  const keys = [
    await makeKey(request, people[0], { projectId: id }),
    await makeKey(request, people[1], { projectId: id }),
  ] as const;
  await page.goto(`/console/projects/${id}?tab=members`);
  for (const [index, choice] of ["Disable", "Keep working"].entries()) {
    const name = people[index]?.username ?? "";
    await choose(page, new RegExp(name), "Remove");
    const question = page.getByRole("alertdialog", { name: `Remove ${name}?` });
    await question.getByRole("radio", { name: choice }).check();
    await question.getByRole("button", { name: "Remove" }).click();
    await expect(question).toBeHidden();
    await expect(page.getByRole("row", { name: new RegExp(name) })).toHaveCount(0);
  }
  expect((await callModel(request, keys[0].secret)).status).toBe(401);
  expect((await callModel(request, keys[1].secret)).status).toBe(200);
  await openTab(page, "Keys");
  await expect(page.getByRole("row", { name: /Former member/ })).toHaveCount(2);
});

test("a member sees own keys and the project's sums, no buttons, and why; it can leave", async ({
  page,
  request,
  member: owner,
}) => {
  const { id } = await makeProject(request, owner, "Shared");
  const person = await addMember(request, owner, id);
  const theirs = await makeKey(request, owner, { projectId: id, name: "Of the owner" });
  const own = await makeKey(request, person, { projectId: id, name: "Of the member" });
  for (const { secret } of [theirs, own]) await callModel(request, secret);
  await page.context().clearCookies();
  await openSession(page, person.token);
  await page.goto(`/console/projects/${id}`);
  await expect(page.getByText("You are a member: you make keys and see your own.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Edit|Archive)$/ })).toHaveCount(0);
  await expect(page.getByRole("radio", { name: "By member" })).toHaveCount(0);
  await openTab(page, "Keys");
  await expect(page.getByRole("row", { name: /Of the member/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /Of the owner/ })).toHaveCount(0);
  await page.getByRole("link", { name: "Of the member" }).click();
  await expect(page.getByRole("dialog", { name: "Of the member" })).toBeVisible();
  for (const path of ["/console", "/console/usage", "/console/logs"]) {
    await page.goto(path);
    await expect(page.getByRole("main").getByRole("link", { name: "Shared", exact: true })).toBeVisible();
  }

  await page.goto(`/console/logs?project=${id}`);
  await expect(page.getByRole("combobox", { name: "Project" })).toHaveValue(id);
  await expect(page.getByText("1 request", { exact: true })).toBeVisible();
  await page.goto(`/console/usage?project=${id}&by=key`);
  await expect(page.getByRole("radio", { name: "By model" })).toBeChecked();

  await page.goto(`/console/projects/${id}?tab=members`);
  await expect(page.getByRole("button", { name: "Add member" })).toHaveCount(0);
  await choose(page, new RegExp(`${person.username} \\(you\\)`), "Leave project");
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Leave project" }).click();
  await expect(page).toHaveURL(/\/console\/projects$/);
  await expect(page.getByText("No projects yet.")).toBeVisible();
  expect((await callModel(request, own.secret)).status).toBe(401);
});

test("an owner sets a budget for each member, gives one of them another limit, and reads the month", async ({
  page,
  request,
  member,
  consoleErrors,
}) => {
  const { id } = await makeProject(request, member, "Budgeted");
  const colleague = await addMember(request, member, id);
  const { secret } = await makeKey(request, colleague, { projectId: id });
  await page.goto(`/console/projects/${id}?tab=budgets`);
  await expect(page.getByText("No budget limits this project.")).toBeVisible();
  await page.getByRole("button", { name: "Add a budget" }).click();
  const form = page.getByRole("dialog", { name: "Create budget" });
  await expect(form.getByLabel("Whose requests count")).toHaveValue("project");
  await expect(form.getByLabel("Project")).toHaveValue(id);
  await form.getByRole("radio", { name: "For each member" }).check();
  await form.getByRole("radio", { name: "Requests" }).check();
  await form.getByLabel("Limit", { exact: true }).fill("1");
  await expect(form.getByLabel("Name")).toHaveValue("Each member in Budgeted, requests a month");
  await form.getByRole("button", { name: "Create budget" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole("row", { name: /Each member in Budgeted/ })).toContainText("Project Budgeted");

  expect((await callModel(request, secret)).status).toBe(200);
  await expect.poll(async () => (await callModel(request, secret)).status).toBe(402);
  await choose(page, /Each member in Budgeted/, "Edit");
  const edit = page.getByRole("dialog", { name: /^Edit/ });
  await edit.getByLabel("Member with another limit").selectOption({ label: colleague.username });
  await edit.getByRole("textbox", { name: `Limit of ${colleague.username}`, exact: true }).fill("5");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit).toBeHidden();
  expect((await callModel(request, secret)).status).toBe(200);

  await openTab(page, "Statement");
  await page.reload();
  const models = page.getByRole("table", { name: "Usage by model" });
  await expect(models.getByRole("row", { name: /^Total/ })).toContainText("2");
  await expect(page.getByText("Opening balance")).toHaveCount(0);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^tollgate-project-statement-\d{4}-\d{2}/);
  await page.goto("/console/budgets?create=1");
  await expect(page.getByLabel("Whose requests count").getByRole("option")).toHaveText([
    "All of my account",
    "One of my projects",
    "One of my keys",
  ]);
  expect(consoleErrors.filter((text) => !text.includes("402"))).toEqual([]);
});

test("two owners who change one budget at once are told both amounts", async ({ page, request, member }) => {
  const { id } = await makeProject(request, member, "Of two");
  const colleague = await addMember(request, member, id, "owner");
  const rule = { scope: "project", projectId: id, name: "Both", unit: "money", period: "day", limit: 900 };
  const budget = await post(request, member, "/api/user/budgets", rule);
  await page.goto(`/console/projects/${id}?tab=budgets`);
  await choose(page, /Both/, "Edit");
  const edit = page.getByRole("dialog", { name: /^Edit/ });
  await edit.getByLabel("Limit in yuan (¥)").fill("30");
  const changed = await request.patch(`/api/user/budgets/${budget.id}`, {
    data: { limit: 2_000 },
    headers: { authorization: `Bearer ${colleague.token}` },
  });
  expect(changed.status()).toBe(200);
  await edit.getByRole("button", { name: "Save" }).click();
  const note = edit.getByRole("alert").filter({ hasText: colleague.username });
  await expect(note).toContainText("¥20.00");
  await expect(note).toContainText("¥30.00");
});

test("keys, usage and logs are filtered by project, and a new key is asked for its project", async ({
  page,
  request,
  member,
}) => {
  await page.goto("/console/keys?create=1");
  await expect(page.getByRole("dialog").getByLabel("Name")).toBeVisible();
  await expect(page.getByRole("dialog").getByLabel("Project")).toHaveCount(0);
  const { id } = await makeProject(request, member, "Filtered");
  const personal = await makeKey(request, member, { name: "Personal one" });
  await callModel(request, personal.secret);

  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Project").selectOption({ label: "Filtered" });
  await dialog.getByLabel("Name").fill("Of the project");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const secret = await dialog.getByLabel("Your new API key").inputValue();
  await dialog.getByLabel("I have saved this key").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await callModel(request, secret);
  await expect(page.getByRole("row", { name: /Of the project/ })).toContainText("Filtered");
  await page.getByRole("combobox", { name: "Project" }).selectOption({ label: "Personal keys" });
  await expect(page.getByRole("row", { name: /Of the project/ })).toHaveCount(0);
  await page.getByRole("combobox", { name: "Project" }).selectOption({ label: "Filtered" });
  await expect(page.getByRole("row", { name: /Personal one/ })).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Of the project/ })).toBeVisible();

  await page.goto("/console/usage");
  await page.getByRole("radio", { name: "By project" }).check();
  const table = page.getByRole("table", { name: "By project" });
  await expect(table.getByRole("row", { name: /^Filtered/ })).toContainText("1");
  await expect(table.getByRole("row", { name: /^Personal keys/ })).toContainText("1");
  await table.getByRole("button", { name: "Filtered" }).click();
  await expect(page).toHaveURL(new RegExp(`project=${id}`));
  await expect(page.getByRole("combobox", { name: "Project" })).toHaveValue(id);

  await page.goto("/console/logs");
  await page.getByRole("combobox", { name: "Project" }).selectOption({ label: "Filtered" });
  await expect(page.getByText("1 request", { exact: true })).toBeVisible();
});

test.describe("pages of a project", () => {
  for (const [theme, locale, width] of [
    ["light", "en", 1280],
    ["dark", "zh-CN", 1280],
    ["light", "zh-CN", 320],
    ["dark", "en", 320],
  ] as const)
    test(`are whole and accessible in ${theme}, ${locale}, at ${width} pixels`, async ({
      page,
      request,
      member,
    }) => {
      test.setTimeout(240_000);
      const url = "http://127.0.0.1";
      await page.context().addCookies([
        { name: "theme", value: theme, url },
        { name: "locale", value: locale, url },
      ]);
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 900 });
      const { id } = await makeProject(request, member, "A project with a rather long name for a phone");
      const other = await addMember(request, member, id);
      const { secret } = await makeKey(request, other, { projectId: id });
      await callModel(request, secret);
      const rule = {
        scope: "project",
        projectId: id,
        name: "All of it",
        unit: "money",
        period: "day",
        limit: 9,
      };
      await post(request, member, "/api/user/budgets", rule);
      const archived = await makeProject(request, member, "Archived");
      const headers = { authorization: `Bearer ${member.token}` };
      expect((await request.delete(`/api/user/projects/${archived.id}`, { headers })).status()).toBe(204);
      const paths = [
        "/console/projects",
        ...["usage", "keys", "members", "budgets", "statement"].map(
          (tab) => `/console/projects/${id}?tab=${tab}`,
        ),
        `/console/projects/${archived.id}`,
        `/console/usage?project=${id}&by=member`,
        "/console/keys",
      ];
      const found: Record<string, string[]> = {};
      for (const path of paths) {
        await page.goto(path);
        await page.waitForLoadState("networkidle");
        const wrong = [
          ...(await axeViolations(page)),
          ...(await smallTargets(page)),
          ...(await layoutProblems(page)),
        ];
        if (wrong.length > 0) found[path] = wrong;
      }
      expect(found).toEqual({});
    });
});

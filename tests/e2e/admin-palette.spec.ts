import { expect, type Page } from "@playwright/test";
import { makeKey, register } from "./support/member";
import { freshName, make, test } from "./support/people";

async function find(page: Page, typed: string) {
  // A page that is not taken over yet, or whose drawer is still closing, does not open it.
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.type(typed);
}

test("the palette of an admin finds users, nodes and models, and opens the forms for new ones", async ({
  page,
}) => {
  await page.goto("/admin");
  const name = freshName("palette");
  const password = "secret-password";
  const email = `${name}@mail.example`;
  const user = await make<{ id: string }>(page, "/api/admin/users", { username: name, password, email });
  const node = await make<{ id: string }>(page, "/api/admin/nodes", {
    name: `n-${name}`,
    protocol: "chat",
    baseUrl: "http://127.0.0.1:1/v1",
  });
  const routes = [{ node: `n-${name}`, model: "x" }];
  const model = await make<{ id: string }>(page, "/api/admin/models", {
    alias: `m-${name}`,
    prices: { input: 1, output: 2 },
    routes,
  });
  await page.reload(); // the page had read its lists before these were made
  const options = page.getByRole("option");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(options.first(), "pages of Admin come first").toContainText("Admin: Overview");
  await expect(options.filter({ hasText: "Console: Overview" })).toHaveCount(1);
  await page.keyboard.press("Escape");

  await find(page, name);
  await expect(options.first(), "an exact match comes first").toContainText("Account · ");
  await page.keyboard.press("Escape");

  await find(page, email);
  await options.filter({ hasText: "Account · " }).click();
  await page.waitForURL(`**/admin/users/${user.id}`);
  await find(page, name);
  await options.filter({ hasText: "Model in Admin" }).click();
  await page.waitForURL(`**/admin/models?model=${model.id}`);
  await expect(page.getByRole("dialog", { name: `m-${name}`, exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await find(page, `n-${name}`);
  await options.filter({ hasText: /Node$/ }).click();
  await page.waitForURL(`**/admin/nodes?node=${node.id}`);
  await expect(page.getByRole("dialog", { name: `n-${name}`, exact: true })).toBeVisible();

  for (const [typed, path, title] of [
    ["add user", "/admin/users", "Add a user"],
    ["add model", "/admin/models", "Add a model"],
    ["new invitaton", "/admin/settings", "New invitation"],
    ["new announcement", "/admin/settings", "New announcement"],
    ["add node", "/admin/nodes", "Add a node"],
  ] as const) {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await find(page, typed);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: title })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  }
  await page.evaluate(() => window.history.back());
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(/\/admin\/nodes$/);
});

test("the palette of an admin finds the owner of a key by its beginning, capitals and all", async ({
  page,
}) => {
  const member = await register(page.request);
  await page.goto("/admin");
  let prefix = "";
  // Of so many keys one has a capital.
  for (let tries = 0; prefix === prefix.toLowerCase() && tries < 10; tries += 1)
    prefix = (await makeKey(page.request, member)).secret.slice(0, 12);
  await find(page, prefix);
  await expect(page.getByRole("option")).toHaveText([new RegExp(`^${member.username}`)]);
  await page.keyboard.press("Escape");
  await find(page, `SUSPEND ${member.username}`);
  await expect(page.getByRole("option")).toHaveText([new RegExp(`^Suspend ${member.username}`)]);
});

test("what an admin does is typed with a name, or chosen before it, and asked about", async ({ page }) => {
  await page.goto("/admin");
  const name = freshName("wish");
  const user = await make<{ id: string }>(page, "/api/admin/users", {
    username: name,
    password: "quiet-river-42",
  });
  await make(page, "/api/admin/nodes", {
    name: `n-${name}`,
    protocol: "chat",
    baseUrl: "http://127.0.0.1:1/v1",
  });
  const options = page.getByRole("option");
  await find(page, "suspend ac");
  await page.keyboard.press("Enter");
  await page.keyboard.type(name);
  await expect(options).toHaveText([new RegExp(`^Suspend ${name}`)]);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog", { name: `Suspend “${name}”?` })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/admin/users/${user.id}$`));
  await page.goto("/admin");
  await find(page, `disable n-${name}`);
  await options.filter({ hasText: `Disable n-${name}` }).click();
  await expect(page.getByRole("alertdialog", { name: `Disable “n-${name}”?` })).toBeVisible();
});

test("on admin pages letters lead to admin pages, as their list says", async ({ page }) => {
  await page.goto("/admin");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(list.getByRole("heading", { level: 3 })).toHaveText([
    "On Admin pages",
    "On Console pages",
    "On pages with a list",
    "On every page of the console",
  ]);
  await expect(list).toContainText("g nGo to Nodes");
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
  const ways = { n: "/admin/nodes", m: "/admin/models", u: "/admin/users", l: "/admin/logs", o: "/admin" };
  for (const [letter, path] of Object.entries(ways)) {
    await page.locator("main").focus();
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await page.waitForURL((url) => url.pathname === path);
  }
});

test("x ticks the row that has the focus, and the palette finds a name with a typing error", async ({
  page,
}) => {
  await page.goto("/admin");
  const name = freshName("ticked");
  await make(page, "/api/admin/users", { username: name, password: "secret-password" });
  await page.goto(`/admin/users?search=${name}`);
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  const tick = page.getByRole("row", { name: new RegExp(name) }).getByRole("checkbox");
  await expect(tick).toBeChecked();
  await page.keyboard.press("x");
  await expect(tick).not.toBeChecked();
  await find(page, name.replace("ticked", "ticekd"));
  await expect(page.getByRole("option", { name: new RegExp(name) })).toBeVisible();
});

test("e opens the form of the row that has the focus, which has it again once the form is closed", async ({
  page,
}) => {
  await page.goto("/admin");
  const name = freshName("edited");
  await make(page, "/api/admin/users", { username: name, password: "secret-password" });
  await page.goto(`/admin/users?search=${name}`);
  await expect(page.getByRole("row")).toHaveCount(2);
  const sheet = page.getByRole("dialog");
  await page.keyboard.press("j");
  const opener = page.getByRole("link", { name, exact: true });
  await expect(opener).toBeFocused();
  await page.keyboard.press("e");
  await expect(sheet.getByLabel("Plan")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test("after Undo the focus is in the row again, on the button of its menu", async ({ page }) => {
  await page.goto("/admin");
  const model = freshName("undone-");
  await make(page, "/api/admin/models", { alias: model, routes: [], prices: { input: 1, output: 1 } });
  await page.goto(`/admin/models?search=${model}`);
  await expect(page.getByRole("row")).toHaveCount(2);
  const actions = page.getByRole("button", { name: `Actions for ${model}` });
  await actions.press("Enter");
  await page.getByRole("menuitem", { name: "Disable" }).press("Enter");
  await page.getByRole("button", { name: "Undo", exact: true }).press("Enter");
  await expect(page.getByText(`“${model}” is offered again.`)).toBeVisible();
  await expect(actions).toBeFocused();
});

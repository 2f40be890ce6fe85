import { expect, type Page } from "@playwright/test";
import { axeViolations } from "./support/axe";
import { register } from "./support/member";
import { freshName, make, test } from "./support/people";

const limits = { qps: null, rpm: null, tpm: null };

async function makePeople(page: Page, prefix: string, count: number): Promise<void> {
  await page.goto("/admin/users");
  for (let index = 0; index < count; index += 1)
    await make(page, "/api/admin/users", { username: `${prefix}${index + 10}`, password: "secret-password" });
}

test("Shift ticks a range, and all that a filter finds can be ticked at once", async ({ page }) => {
  const prefix = freshName("b");
  await makePeople(page, prefix, 28);
  await page.goto(`/admin/users?search=${prefix}&sort=username&size=25`);
  const tick = (index: number) => page.getByRole("checkbox", { name: `Select ${prefix}${index}` });
  await tick(12).check();
  await tick(17).click({ modifiers: ["Shift"] });
  const bar = page.getByRole("region", { name: "Selected accounts" });
  await expect(bar).toContainText("6 accounts selected");
  await tick(14).click({ modifiers: ["Shift"] });
  await expect(bar).toContainText("2 accounts selected");
  await bar.getByRole("button", { name: "Select all 28" }).click();
  await expect(bar).toContainText("28 accounts selected");
  await bar.getByRole("button", { name: "Suspend" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText(/\d and 20 more/);
  await expect(dialog).not.toContainText("and and");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Next", exact: true })).toBeEnabled();
  await page.getByRole("link", { name: `${prefix}10` }).click();
  await expect(page).toHaveTitle(new RegExp(`^${prefix}10 · Users`));
  await page.getByRole("link", { name: "All users" }).click();
  await expect(page).toHaveURL(new RegExp(`search=${prefix}.*sort=username`));
});

test("the heads of a long table stay in view", async ({ page }) => {
  const prefix = freshName("h");
  await makePeople(page, prefix, 26);
  await page.goto(`/admin/users?search=${prefix}`);
  await expect(page.getByRole("row")).toHaveCount(27);
  const head = page.getByRole("columnheader", { name: "Plan" });
  await page.getByRole("row").last().scrollIntoViewIfNeeded();
  await expect(head).toBeInViewport();
  const covered = await head.evaluate((cell) => {
    const { left, top } = cell.getBoundingClientRect();
    return document.elementFromPoint(left + 4, top + 4) !== cell;
  });
  expect(covered).toBe(false);
});

test("amounts that cannot be granted or taken say why, before they are sent", async ({ page }) => {
  const person = await register(page.request);
  await page.goto(`/admin/users?search=${person.username}`);
  await page
    .getByRole("row", { name: new RegExp(person.username) })
    .getByRole("button")
    .last()
    .click();
  await page.getByRole("menuitem", { name: "Grant or take quota" }).click();
  const dialog = page.getByRole("dialog");
  const amount = dialog.getByLabel(/Amount in yuan/);
  await dialog.getByLabel("Reason").fill("test");
  for (const [typed, words] of [
    ["-60", "Use an amount without a minus sign."],
    ["0", "Use an amount above 0."],
    ["1.234", "Use at most 2 decimals."],
    ["99999999999999", "Use an amount of at most ¥10,000,000,000.00."],
    ["many", "Use an amount such as 50 or 12.50."],
  ] as const) {
    await amount.fill(typed);
    await dialog.getByRole("button", { name: "Grant quota" }).click();
    await expect(amount).toHaveAccessibleDescription(new RegExp(words));
  }
  await amount.fill("１００");
  await expect(dialog.getByRole("button", { name: "Grant ¥100.00" })).toBeEnabled();
  await dialog.getByText("Take away").click();
  await amount.fill("1000000");
  await expect(dialog.getByText(/^The quota is only ¥/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: /^Take/ })).toBeDisabled();
});

test("a grant is taken back with a line of its own in the ledger", async ({ page }) => {
  const username = freshName("granted");
  await page.goto("/admin/users");
  const person = await make<{ id: string }>(page, "/api/admin/users", {
    username,
    password: "secret-password",
  });
  await page.goto(`/admin/users?search=${username}`);
  const row = page.getByRole("row", { name: new RegExp(username) });
  await row.getByRole("button").last().click();
  await page.getByRole("menuitem", { name: "Grant or take quota" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/Amount in yuan/).fill("7");
  await dialog.getByLabel("Reason").fill("by mistake");
  await dialog.getByRole("button", { name: "Grant ¥7.00" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(/quota is taken back/).first()).toBeVisible();
  const { data } = await (await page.request.get(`/api/admin/users/${person.id}/grants`)).json();
  expect(
    data.slice(0, 2).map(({ amount, reason }: { amount: string; reason: string }) => [amount, reason]),
  ).toEqual([
    ["-700", "Takes the grant before it back"],
    ["700", "by mistake"],
  ]);
});

test("a password that is made for a new account is shown once it is saved", async ({ page }) => {
  const username = freshName("made");
  await page.goto("/admin/users");
  await page.getByRole("button", { name: "Add user" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a user" });
  await sheet.getByLabel("Username").fill(username);
  await sheet.getByRole("button", { name: "Generate password" }).click();
  const password = await sheet.getByLabel("Password", { exact: true }).inputValue();
  expect(password).toMatch(/^[a-z2-9]{20}$/);
  await expect(sheet.getByRole("button", { name: "Copy password" })).toBeVisible();
  await sheet.getByRole("button", { name: "Add user" }).click();
  const shown = page.getByRole("dialog", { name: `New password of “${username}”` });
  await expect(shown.getByRole("textbox")).toHaveValue(password);
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(shown).toBeHidden();
  await expect(page.getByRole("status").filter({ hasText: `“${username}” is saved.` })).toBeVisible();
  await page.getByRole("button", { name: "Add user" }).click();
  await sheet.getByLabel("Username").fill(freshName("typed"));
  await sheet.getByRole("button", { name: "Generate password" }).click();
  await sheet.getByLabel("Password", { exact: true }).fill("quiet-river-42");
  await sheet.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("status").filter({ hasText: /“typed.*” is saved\./ })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("the change of a plan is undone from its message", async ({ page }) => {
  const name = freshName("Undo plan");
  await page.goto("/admin/plans");
  await make(page, "/api/admin/plans", { name, rpm: 60, qps: null, tpm: null, keyQuotaCents: 700 });
  await page.reload();
  const row = page.getByRole("row", { name: new RegExp(name) });
  await row.getByRole("button", { name: `Edit “${name}”` }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Requests a minute").fill("90");
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("90");
  const said = page.getByRole("status").filter({ hasText: `Plan “${name}” is saved.` });
  await said.getByRole("button", { name: "Undo" }).click();
  await expect(
    page.getByRole("status").filter({ hasText: `Plan “${name}” is as it was before.` }),
  ).toBeVisible();
  await expect(row).toContainText("60");
  await expect(row).not.toContainText("90");
});

test("what a test of a node refuses stands at its field until it is corrected", async ({ page }) => {
  await page.route("**/api/admin/settings", (route) =>
    route.fulfill({ json: { openRegistration: null, allowPrivateUpstreams: false } }),
  );
  await page.goto("/admin/nodes");
  await page.getByRole("button", { name: "Add node" }).click();
  const sheet = page.getByRole("dialog");
  const local = sheet.getByText(/start it with ALLOW_PRIVATE_UPSTREAMS=1 in its environment/);
  await sheet.getByLabel("Provider").selectOption("Ollama");
  await expect(local).toBeVisible();
  await sheet.getByLabel("Provider").selectOption("Groq");
  await expect(local).toHaveCount(0);
  await sheet.getByLabel("Provider").selectOption("Detected from the host");
  const address = sheet.getByLabel("Base URL");
  await address.fill("not-a-url");
  await sheet.getByRole("button", { name: "Test this node" }).click();
  await expect(address).toHaveAttribute("aria-invalid", "true");
  await expect(address).toHaveAccessibleDescription(/Use an http or https address/);
  await expect(sheet.getByText("baseUrl")).toHaveCount(0);
  await expect(sheet.getByText(/Use an http or https address/)).toHaveCount(1);
  await address.fill("https://example.com");
  await expect(address).not.toHaveAttribute("aria-invalid", "true");
  const more = sheet.getByText("Limits, proxy, certificates and headers");
  await more.click();
  await sheet.getByLabel("Extra headers").fill("nonsense");
  await sheet.getByLabel("Connect", { exact: true }).fill("soon");
  await more.click();
  await sheet.getByRole("button", { name: "Test this node" }).click();
  await expect(sheet.getByText("Not tested: correct the marked fields first.")).toBeVisible();
  await expect(sheet.getByText("Write each line as Name: value.")).toHaveCount(1);
  await expect(sheet.getByLabel("Extra headers")).toBeVisible();
  await expect(sheet.getByLabel("Extra headers")).toHaveAccessibleDescription(/^Write each line as/);
  await expect(sheet.getByLabel("Connect", { exact: true })).toHaveAccessibleDescription(
    /from 1 to 86,400,000/,
  );
});

test("taken names of plans, nodes and models stand at their fields", async ({ page }) => {
  const name = freshName("Plan");
  await page.goto("/admin/plans");
  await make(page, "/api/admin/plans", { name, ...limits });
  await page.getByRole("button", { name: "Add plan" }).click();
  const plan = page.getByRole("dialog");
  await plan.getByLabel("Name").fill(name.toUpperCase());
  await plan.getByRole("button", { name: "Add plan" }).click();
  await expect(plan.getByLabel("Name")).toHaveAccessibleDescription("Another plan has this name.");
  await page.goto("/admin/models");
  await page.getByRole("button", { name: "Add model" }).click();
  const model = page.getByRole("dialog");
  await model.getByLabel("Alias", { exact: true }).fill("demo-chat");
  await model.getByLabel("Node").selectOption("demo-chat-node");
  await model.getByLabel("Upstream model").fill("demo");
  await model.getByLabel("Input", { exact: true }).fill("1");
  await model.getByLabel("Output", { exact: true }).fill("1");
  await model.getByRole("button", { name: "Add model" }).click();
  await expect(model.getByLabel("Alias", { exact: true })).toHaveAccessibleDescription(
    /demo-chat has this name already\./,
  );
});

test("a plan or node in use says what uses it instead of letting it be deleted", async ({ page }) => {
  await page.goto("/admin/plans");
  await page.getByRole("button", { name: "Actions for Free" }).click();
  const remove = page.getByRole("menuitem", { name: /^Delete/ });
  await expect(remove).toHaveAttribute("aria-disabled", "true");
  await expect(remove).toContainText(/In use: .*accounts?/);
  await page.goto("/admin/nodes");
  await page.getByRole("button", { name: "Actions for demo-chat-node" }).click();
  const node = page.getByRole("menuitem", { name: /^Delete/ });
  await expect(node).toHaveAttribute("aria-disabled", "true");
  await expect(node).toContainText("demo-chat");
});

test("a record that was changed meanwhile is not overwritten without a question", async ({ page }) => {
  const name = freshName("Plan");
  await page.goto("/admin/plans");
  const plan = await make<{ id: number }>(page, "/api/admin/plans", { name, ...limits });
  await page.reload();
  const open = async () => {
    await page.getByRole("button", { name: `Edit “${name}”` }).click();
    return page.getByRole("dialog", { name: `Edit “${name}”` });
  };
  const { origin } = new URL(page.url());
  const elsewhere = (rpm: number) =>
    page.request.patch(`/api/admin/plans/${plan.id}`, { data: { rpm }, headers: { origin } });
  const sheet = await open();
  await sheet.getByLabel("Requests a minute").fill("61");
  await elsewhere(99);
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(sheet.getByRole("alert")).toContainText(/^admin changed this at /);
  const field = sheet.getByRole("group", { name: "Requests a minute" });
  await expect(field.getByRole("radio", { name: "By admin 99" })).not.toBeChecked();
  await expect(field.getByRole("radio", { name: "Yours 61" })).toBeChecked();
  await sheet.getByRole("button", { name: "Save with this choice" }).click();
  await expect(sheet).toBeHidden();
  const row = page.getByRole("row", { name: new RegExp(name) });
  await expect(row).toContainText("61");
  const again = await open();
  await again.getByLabel("Requests a minute").fill("62");
  await elsewhere(98);
  await again.getByRole("button", { name: "Save" }).click();
  await again.getByRole("button", { name: "Discard mine and reload" }).click();
  await expect(again).toBeHidden();
  await expect(row).toContainText("98");
});

test("a record that was deleted meanwhile says so, and leaves the list", async ({ page }) => {
  const name = freshName("Plan");
  await page.goto("/admin/plans");
  const plan = await make<{ id: number }>(page, "/api/admin/plans", { name, ...limits });
  await page.reload();
  await page.getByRole("button", { name: `Edit “${name}”` }).click();
  const sheet = page.getByRole("dialog", { name: `Edit “${name}”` });
  await sheet.getByLabel("Requests a minute").fill("61");
  const { origin } = new URL(page.url());
  await page.request.delete(`/api/admin/plans/${plan.id}`, { headers: { origin } });
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(sheet.getByRole("alert")).toContainText("This was deleted meanwhile");
  await sheet.getByRole("button", { name: "Discard mine and reload" }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole("row", { name: new RegExp(name) })).toBeHidden();
});

test("of two fields that both have changed one is kept of each", async ({ page }) => {
  const name = freshName("Plan");
  await page.goto("/admin/plans");
  const plan = await make<{ id: number }>(page, "/api/admin/plans", { name, ...limits });
  await page.reload();
  await page.getByRole("button", { name: `Edit “${name}”` }).click();
  const sheet = page.getByRole("dialog", { name: `Edit “${name}”` });
  await sheet.getByLabel("Requests a minute").fill("61");
  await sheet.getByLabel("Tokens a minute").fill("6100");
  const data = { rpm: 99, tpm: 9900, keyQuotaCents: 700 };
  const { origin } = new URL(page.url());
  await page.request.patch(`/api/admin/plans/${plan.id}`, { data, headers: { origin } });
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(sheet.getByRole("alert")).toContainText("2 fields differ:");
  expect(await axeViolations(page)).toEqual([]);
  await sheet.getByRole("radio", { name: "By admin 99" }).check();
  await sheet.getByRole("button", { name: "Save with this choice" }).click();
  await expect(sheet).toBeHidden();
  const stored = await page.request.get(`/api/admin/plans/${plan.id}`);
  expect(await stored.json()).toMatchObject({ rpm: 99, tpm: 6100, keyQuotaCents: 700 });
});

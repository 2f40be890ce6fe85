import { expect, type Page } from "@playwright/test";
import { callModel, makeKey, register } from "./support/member";
import { freshName, make, test } from "./support/people";

/** A node that nobody answers at, and a model that asks it before the demo's node. */
async function failingFirst(page: Page) {
  await page.goto("/admin/nodes");
  const names = { node: freshName("dead-"), model: freshName("rescued-") };
  const node = await make<{ id: string }>(page, "/api/admin/nodes", {
    name: names.node,
    protocol: "chat",
    baseUrl: "http://127.0.0.1:1/v1",
  });
  await make(page, "/api/admin/models", {
    alias: names.model,
    prices: { input: 100, output: 200 },
    routes: [
      { node: names.node, model: "x", priority: 0 },
      { node: "demo-chat-node", model: "demo-chat", priority: 1 },
    ],
  });
  return { ...names, nodeId: node.id };
}

test("the calls of a failing node are listed from its panel, with the node that failed", async ({ page }) => {
  const { node, nodeId, model } = await failingFirst(page);
  const member = await register(page.request);
  const { secret } = await makeKey(page.request, member);
  expect((await callModel(page.request, secret, { model })).status).toBe(200);
  expect((await callModel(page.request, secret, { model: "demo-chat" })).status).toBe(200);
  await page.goto(`/admin/nodes?node=${nodeId}`);
  await page.getByRole("dialog", { name: node }).getByRole("link", { name: "View calls" }).click();
  await page.waitForURL(`**/admin/logs?node=${nodeId}&last=1h`);
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("after 2 attempts");
  await expect(rows.nth(1)).toContainText(`failed: ${node}`);
  await expect(rows.nth(1)).toContainText("demo-chat-node");
  await page.getByRole("button", { name: /^More filters ?1$/ }).click();
  await expect(page.getByLabel("Tried node", { exact: true })).toHaveValue(nodeId);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save view" }).click();
  const name = freshName("node ");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).not.toHaveURL(/node=/);
  await page.getByRole("button", { name, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`node=${nodeId}`));
  await page.getByLabel("Status", { exact: true }).selectOption("After failover");
  await expect(page).toHaveURL(/attempts=several/);
  await expect(rows).toHaveCount(2);
  await page.getByLabel("Status", { exact: true }).selectOption("Attempt failed");
  await expect(page).toHaveURL(/attempts=failedAttempt/);
  await expect(rows).toHaveCount(2);
  await rows.nth(1).getByRole("link").first().click();
  const tried = page.getByRole("dialog").locator("dd").getByRole("listitem");
  await expect(tried).toHaveText([`${node}could not connect`, "demo-chat-nodeanswered"]);
});

test("a typed account is chosen, or said to be none; what is not applied does not stay in the field", async ({
  page,
}) => {
  const member = await register(page.request);
  const key = await makeKey(page.request, member, { name: "Only one" });
  await callModel(page.request, key.secret, {});
  await page.goto("/admin/logs");
  const account = page.getByRole("combobox", { name: "Account", exact: true });
  await account.fill(member.username.slice(2));
  await account.press("Enter");
  await expect(account).toHaveValue(member.username);
  await expect(page).toHaveURL(/user=/);
  await page.getByLabel("Key", { exact: true }).selectOption("Only one");
  await expect(page).toHaveURL(new RegExp(`key=${key.id}`));
  await expect(page.getByRole("table", { name: "Requests" }).getByRole("row")).toHaveCount(2);
  await account.fill("");
  await expect(page).not.toHaveURL(/user=|key=/);
  await account.fill("nobody-has-this");
  const table = page.getByRole("table", { name: "Requests" });
  const before = await table.boundingBox();
  await account.press("Enter");
  await expect(page.getByText("No account has this in its name.")).toBeVisible();
  expect((await table.boundingBox())?.y, "the message moves nothing").toBe(before?.y);
  await page.getByLabel("Model", { exact: true }).focus();
  await expect(account).toHaveValue("");
});

test("models that only one node serves are named before it is disabled, and it comes back by Undo", async ({
  page,
}) => {
  await page.goto("/admin/nodes");
  const name = freshName("only-");
  const alias = freshName("lonely-");
  const node = { name, protocol: "chat", baseUrl: "http://127.0.0.1:1/v1" };
  const { id } = await make<{ id: string }>(page, "/api/admin/nodes", node);
  const routes = [{ node: name, model: "x" }];
  await make(page, "/api/admin/models", { alias, prices: { input: 1, output: 2 }, routes });
  const paired = freshName("paired-");
  const pair = [...routes, { node: "demo-chat-node", model: "demo", priority: 1 }];
  await make(page, "/api/admin/models", { alias: paired, prices: { input: 1, output: 2 }, routes: pair });
  await page.getByRole("button", { name: `Show node ${name}` }).click();
  const drawer = page.getByRole("dialog", { name, exact: true });
  await drawer.getByRole("button", { name: "Disable (drain)" }).click();
  const asked = page.getByRole("alertdialog", { name: `Disable “${name}”?` });
  await expect(asked).toContainText(`requests for it fail at once:${alias}`);
  await expect(asked).toContainText(`nothing to fall back on when that one fails:${paired}`);
  await asked.getByRole("button", { name: "Cancel" }).click();
  await expect(asked).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`node=${id}`));
  await drawer.getByRole("button", { name: "Disable (drain)" }).click();
  const isEnabled = async () => (await (await page.request.get(`/api/admin/nodes/${id}`)).json()).enabled;
  expect(await isEnabled()).toBe(true);
  await asked.getByRole("button", { name: "Disable (drain)" }).click();
  await expect(asked).toBeHidden();
  const toast = page.getByRole("status").filter({ hasText: "gets no new requests" });
  expect(await isEnabled()).toBe(false);
  await toast.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("takes requests again")).toBeVisible();
  expect(await isEnabled()).toBe(true);

  await page.request.patch(`/api/admin/nodes/${id}`, {
    data: { enabled: false },
    headers: { origin: new URL(page.url()).origin },
  });
  await page.goto("/admin");
  const attention = page.getByRole("list", { name: "Needs attention" });
  const row = attention.getByRole("listitem").filter({ hasText: alias });
  await expect(row).toContainText("No enabled node");
  await row.getByRole("link", { name: alias }).click();
  await expect(page.getByRole("dialog", { name: alias })).toBeVisible();

  const username = freshName("poor");
  await make(page, "/api/admin/users", { username, password: "quiet-river-42", quota: 0 });
  await page.goto("/admin");
  await page.getByRole("link", { name: /\d accounts? ha(s|ve) nothing left$/ }).click();
  await page.waitForURL("**/admin/users?status=active&quota=empty");
  await expect(page.getByRole("link", { name: username })).toBeVisible();
});

test("the overview leads from failures to their requests", async ({ page }) => {
  const { node, nodeId, model } = await failingFirst(page);
  const member = await register(page.request);
  const { secret } = await makeKey(page.request, member);
  // So few do not open its circuit, and bring it among the nodes that are called most.
  for (let call = 0; call < 4; call += 1) await callModel(page.request, secret, { model });
  await callModel(page.request, secret, { model: "no-such-model" });
  await page.goto("/admin");
  await expect(page.getByRole("link", { name: /^\d+ refused$/ })).toBeVisible();
  await page.getByRole("link", { name: "MODEL_NOT_FOUND" }).click();
  await page.waitForURL(/\/admin\/logs\?code=MODEL_NOT_FOUND/);
  await page.goto("/admin");
  const counted = page
    .getByRole("table", { name: "Nodes by calls" })
    .getByRole("row", { name: new RegExp(node) });
  await expect(counted.getByRole("link")).toHaveText([node, "4"]);
  await counted.getByRole("link", { name: "4", exact: true }).click();
  await page.waitForURL(new RegExp(`/admin/logs\\?node=${nodeId}&attempts=failedAttempt&from=`));
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(1)).toContainText(`failed: ${node}`);
  await expect(page.getByLabel("Status", { exact: true })).toHaveValue("failedAttempt");
  await page.goto("/admin");
  await page.getByRole("link", { name: "Error rate" }).click();
  await page.waitForURL(/\/admin\/logs\?outcome=unanswered/);
});

test("prices that look like a mistake are shown with what they change, and asked about", async ({ page }) => {
  const alias = freshName("priced-");
  await page.goto("/admin/models");
  const { id } = await make<{ id: string }>(page, "/api/admin/models", {
    alias,
    prices: { input: 110, output: 880, cacheRead: 11 },
    routes: [{ node: "demo-chat-node", model: "x", cost: { input: 100, output: 800 } }],
  });
  await page.goto(`/admin/models?model=${id}&tab=prices`);
  const sheet = page.getByRole("dialog", { name: alias, exact: true });
  await sheet.getByLabel("Input", { exact: true }).fill("0.0001");
  await expect(sheet.getByText("Input: ¥1.10 → ¥0.0001")).toContainText("(−99.9%)");
  await expect(sheet.getByText(/Margin at demo-chat-node: −/)).toBeVisible();
  await sheet.getByRole("button", { name: "Add price version" }).click();
  const asked = page.getByRole("alertdialog", { name: `Use these prices for “${alias}”?` });
  await expect(asked).toContainText("Input is below what demo-chat-node charges (¥1.00).");
  await expect(asked).toContainText("Cache read costs more than the input that it saves.");
  await expect(asked).toContainText("Input changes more than fivefold: ¥1.10 → ¥0.0001.");
  await asked.getByRole("button", { name: "Cancel" }).click();
  await expect(asked).toBeHidden();
  await expect(sheet.getByLabel("Input", { exact: true })).toHaveValue("0.0001");
  const versions = async () =>
    (await (await page.request.get(`/api/admin/prices?model=${alias}`)).json()).data.length;
  expect(await versions()).toBe(1);
  await sheet.getByRole("button", { name: "Add price version" }).click();
  await asked.getByRole("button", { name: "Use these prices" }).click();
  await expect(page.getByText(/Version 2 of/).first()).toBeVisible();

  await make(page, "/api/admin/prices", { model: alias, input: 120, output: 900 });
  await sheet.getByLabel("Input", { exact: true }).fill("1.30");
  await sheet.getByRole("button", { name: "Add price version" }).click();
  await asked.getByRole("button", { name: "Use these prices" }).click();
  await expect(sheet.getByRole("alert")).toContainText(/^admin changed this at /);
  expect(await versions()).toBe(3);

  await sheet.getByRole("tab", { name: "Routes" }).click();
  await sheet.getByLabel("Provider cost: Input", { exact: true }).fill("3");
  await expect(sheet.getByText("Input is below what demo-chat-node charges (¥3.00).")).toBeVisible();
  await sheet.getByRole("button", { name: "Save routes" }).click();
  const costs = page.getByRole("alertdialog", { name: `Save these provider costs of “${alias}”?` });
  await costs.getByRole("button", { name: "Save them" }).click();
  await expect(page.getByText(`Routes of “${alias}” are saved.`).first()).toBeVisible();
});

import { expect } from "@playwright/test";
import { freshName, make, test } from "./support/people";

test("a model is made with a route and a price in yuan, and its price history grows", async ({ page }) => {
  const alias = freshName("model-");
  await page.goto("/admin/models");
  await page.getByRole("button", { name: "Add model" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a model" });
  await sheet.getByLabel("Alias", { exact: true }).fill(alias);
  await sheet.getByLabel("Node").selectOption("demo-chat-node");
  await sheet.getByLabel("Upstream model").fill("demo");
  await sheet.getByLabel("Priority", { exact: true }).fill("2");
  await sheet.getByLabel("Input", { exact: true }).fill("2");
  await sheet.getByLabel("Output", { exact: true }).fill("8");
  await expect(sheet.getByText("1,000 tokens in and 1,000 out cost ¥0.01.")).toBeVisible();
  await expect(sheet).not.toContainText("cents");
  await sheet.getByText("Provider cost of this route").click();
  await sheet.getByLabel("Provider cost: Input", { exact: true }).fill("3");
  await sheet.getByLabel("Provider cost: Output", { exact: true }).fill("3");
  await expect(sheet.getByText("Margin at demo-chat-node: 40.0%")).toBeVisible();
  await sheet.getByRole("button", { name: "Add model" }).click();
  const asked = page.getByRole("alertdialog", { name: `Use these prices for “${alias}”?` });
  await expect(asked).toContainText("Input is below what demo-chat-node charges (¥3.00).");
  await asked.getByRole("button", { name: "Cancel" }).click();
  await sheet.getByLabel("Provider cost: Input", { exact: true }).fill("1");
  await sheet.getByRole("button", { name: "Add model" }).click();
  await expect(sheet).toBeHidden();

  const row = page.getByRole("row", { name: new RegExp(alias) });
  await expect(row).toContainText("Live");
  await expect(row).toContainText(/¥2\.00.*¥8\.00/);
  await page.getByRole("button", { name: `Show model ${alias}` }).click();
  const model = page.getByRole("dialog", { name: alias, exact: true });
  await model.getByRole("tab", { name: "Routes" }).click();
  await expect(model.getByLabel("Priority", { exact: true })).toHaveValue("2");
  await model.getByRole("button", { name: "Add route" }).click();
  await model.getByLabel("Node").nth(1).selectOption("demo-messages-node");
  await expect(model.getByLabel("Priority", { exact: true }).nth(1)).toHaveValue("2");
  await model.getByRole("button", { name: "Move route 2 up" }).click();
  await expect(model.getByLabel("Node").first()).toHaveValue("demo-messages-node");
  await expect(model.getByLabel("Priority", { exact: true }).first()).toHaveValue("2");
  await expect(model.getByLabel("Priority", { exact: true }).nth(1)).toHaveValue("3");
  await model.getByRole("button", { name: "Save routes" }).click();
  const saved = page.getByRole("status").filter({ hasText: `Routes of “${alias}” are saved.` });
  await saved.getByRole("button", { name: "Undo" }).click();
  await expect(model.getByLabel("Node"), "the form shows the routes before").toHaveCount(1);
  await expect(model.getByLabel("Priority", { exact: true })).toHaveValue("2");
  await model.getByRole("button", { name: "Add route" }).click();
  await model.getByLabel("Node").nth(1).selectOption("demo-messages-node");
  await model.getByRole("button", { name: "Save routes" }).click();
  await expect(saved.last()).toBeVisible();
  await model.getByRole("tab", { name: "Prices" }).click();
  await model.getByLabel("Output", { exact: true }).fill("9.5");
  await model.getByRole("button", { name: "Add price version" }).click();
  const added = page.getByRole("status").filter({ hasText: /Version 2 of/ });
  const history = model.getByRole("table", { name: "Price history" });
  await expect(history.getByRole("row")).toHaveCount(3);
  await expect(history.getByRole("row", { name: /¥9.50/ })).toContainText("In force");
  await expect(history.getByRole("row", { name: /¥9.50/ })).toContainText("By admin");
  await added.getByRole("button", { name: "Undo" }).click();
  await expect(history.getByRole("row")).toHaveCount(4);
  await expect(history.getByRole("row").nth(1)).toContainText(/3.*In force.*¥8\.00/);
  await expect(model.getByLabel("Output", { exact: true })).toHaveValue("8");
  await model.getByRole("button", { name: "Close" }).click();
  await expect(row).toContainText("2 routes");
});

test("a tool that the provider runs gets a price per call, which the models page shows", async ({ page }) => {
  const alias = freshName("model-");
  const routes = [{ node: "demo-responses-node", model: "demo" }];
  await page.goto("/admin/models");
  await make(page, "/api/admin/models", { alias, prices: { input: 200, output: 800 }, routes });
  await page.reload();
  const row = page.getByRole("row", { name: new RegExp(alias) });
  await row.getByRole("button", { name: /Actions/ }).click();
  await page.getByRole("menuitem", { name: "Prices" }).click();
  const model = page.getByRole("dialog", { name: alias, exact: true });
  const search = model.getByLabel("Web search", { exact: true });
  await expect(search).toHaveValue("");
  await model.getByText("Tools that the provider runs").click();
  await search.fill("0.000000001");
  await model.getByRole("button", { name: "Add price version" }).click();
  await expect(search).toHaveAccessibleDescription(/at most 8 decimals/);
  await search.fill("0.072");
  await expect(search).toHaveAccessibleDescription("¥ per call. Empty: may not be used.");
  await model.getByLabel("Image generation", { exact: true }).fill("0");
  await model.getByRole("button", { name: "Add price version" }).click();
  await expect(page.getByText(/Version 2 of/).first()).toBeVisible();
  const history = model.getByRole("table", { name: "Price history" });
  await expect(history.getByRole("row").nth(1)).toContainText("Per call: Web search ¥0.072");
  await expect(search, "the next version begins with these prices").toHaveValue("0.072");
  await page.goto(`/console/models?model=${alias}`);
  await expect(page.getByRole("dialog", { name: alias })).toContainText(
    "Per call: Web search ¥0.072 · Image generation",
  );
});

test("a model that makes embeddings has one price, and no route to a node without them", async ({ page }) => {
  const alias = freshName("vectors-");
  await page.goto("/admin/models");
  await page.getByRole("button", { name: "Add model" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a model" });
  await sheet.getByLabel("Alias", { exact: true }).fill(alias);
  await sheet.getByLabel("Kind").selectOption({ label: "Embeddings" });
  await expect(sheet.getByText("Served at /v1/embeddings")).toBeVisible();
  await expect(sheet.getByLabel("Output", { exact: true })).toHaveCount(0);
  await expect(sheet.getByLabel("Largest output (tokens)")).toHaveCount(0);
  await sheet.getByLabel("Node").selectOption("demo-messages-node");
  await sheet.getByLabel("Upstream model").fill("sim-embedding");
  await sheet.getByLabel("Input", { exact: true }).fill("0.5");
  await sheet.getByRole("button", { name: "Add model" }).click();
  await expect(sheet.getByText("The protocol of demo-messages-node has no embeddings.")).toBeVisible();
  await sheet.getByLabel("Node").selectOption("demo-chat-node");
  await sheet.getByRole("button", { name: "Add model" }).click();
  await expect(sheet).toBeHidden();
  const row = page.getByRole("row", { name: new RegExp(alias) });
  await expect(row).toContainText("Embeddings");
  await expect(row).toContainText("¥0.50");
  await page.goto("/console/models");
  await page
    .getByRole("button", { name: `Call ${alias}` })
    .first()
    .click();
  await expect(page.getByRole("dialog")).toContainText("/v1/embeddings");
});

test("an address of a model or node that is gone says so", async ({ page }) => {
  await page.goto("/admin/models?model=zzz");
  await expect(page.getByText("The model that this address names does not exist any more.")).toBeVisible();
  await page.goto("/admin/nodes?node=zzz");
  await expect(page.getByText("The node that this address names does not exist any more.")).toBeVisible();
});

test("an alias without a healthy node carries a warning", async ({ page }) => {
  const name = freshName("dark-");
  await page.goto("/admin/models");
  await make(page, "/api/admin/nodes", {
    name,
    protocol: "chat",
    baseUrl: "http://127.0.0.1:1/v1",
    enabled: false,
  });
  const routes = [{ node: name, model: "x" }];
  await make(page, "/api/admin/models", { alias: name, prices: { input: 1, output: 1 }, routes });
  await page.reload();
  await expect(page.getByRole("row", { name: new RegExp(name) })).toContainText("No enabled node");
});

test("what another admin changed while the form was open is not taken back", async ({ page }) => {
  await page.goto("/admin/models");
  const alias = freshName("shared-");
  const made = await make<{ id: string }>(page, "/api/admin/models", {
    alias,
    contextWindow: 200_000,
    routes: [{ node: "demo-chat-node", model: "demo" }],
    prices: { input: 1, output: 2 },
  });
  await page.clock.install();
  await page.goto(`/admin/models?model=${made.id}`);
  const sheet = page.getByRole("dialog", { name: alias });
  await expect(sheet.getByLabel("Context window")).toHaveValue("200000");
  const { origin } = new URL(page.url());
  const changed = await page.request.patch(`/api/admin/models/${made.id}`, {
    data: { contextWindow: 77_777 },
    headers: { origin },
  });
  expect(changed.status()).toBe(200);
  const again = page.waitForResponse((response) => response.url().includes("/api/admin/models"));
  await page.clock.runFor(11_000);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await again;
  for (const displayName of ["Named", "Renamed"]) {
    await sheet.getByLabel("Display name").fill(displayName);
    await sheet.getByRole("button", { name: "Save" }).click();
    await expect(sheet.getByRole("button", { name: "Save" }), "it stays open").toBeDisabled();
    await expect(sheet.getByRole("alert")).toHaveCount(0);
  }
  const answer = await page.request.get(`/api/admin/models/${made.id}`);
  expect(await answer.json()).toMatchObject({ displayName: "Renamed", contextWindow: 77_777 });
});

test("ticked models are switched off and back together, and their prices change with a look before", async ({
  page,
}) => {
  const group = freshName("many-");
  await page.goto("/admin/models");
  const routes = [{ node: "demo-chat-node", model: "demo" }];
  for (const number of [1, 2])
    await make(page, "/api/admin/models", {
      alias: `${group}-${number}`,
      prices: { input: 100 * number, output: 400 },
      routes: routes.map((route) => ({ ...route, cost: { input: 100, output: 200 } })),
    });
  await make(page, "/api/admin/models", { alias: `${group}-bare`, routes });
  await page.goto(`/admin/models?search=${group}`);
  await page.getByRole("checkbox", { name: "Select all that are shown" }).check();
  const bar = page.getByRole("region", { name: "Selected models" });
  await expect(bar).toContainText("3 models selected");

  await bar.getByRole("button", { name: "Change prices" }).click();
  const scale = page.getByRole("dialog", { name: "Prices of 2 models" });
  await expect(scale).toContainText("1 selected model has no price and is left out.");
  await expect(scale.getByRole("button", { name: "Change prices" })).toBeDisabled();
  await scale.getByLabel("Change in percent").fill("-150");
  await expect(scale).toContainText("Use a number from −99 to +9,900");
  await expect(scale.getByRole("button", { name: "Change prices" })).toBeDisabled();
  await scale.getByLabel("Change in percent").fill("+50 %");
  const priced = scale.getByRole("row", { name: new RegExp(`${group}-2`) });
  await expect(priced).toContainText(/¥2\.00 → ¥3\.00.*¥4\.00 → ¥6\.00.*50.*% → 66\.7.*%/);
  await scale.getByRole("button", { name: "Change prices" }).click();
  const row = (name: string) => page.getByRole("row", { name: new RegExp(`${group}-${name}`) });
  await expect(row("1")).toContainText(/¥1\.50.*¥6\.00/);
  const scaled = page.getByRole("status").filter({ hasText: /2 models have new prices: \+50.*%/ });
  await expect(scaled).toBeVisible();
  await make(page, "/api/admin/prices", { model: `${group}-2`, input: 900, output: 1_000 });
  await scaled.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("1 model is as it was before.").first()).toBeVisible();
  await expect(page.getByText(`${group}-2: This was changed after you had opened it.`).first()).toBeVisible();
  await expect(row("1")).toContainText(/¥1\.00.*¥4\.00/);
  await expect(row("2"), "the price of another admin stays").toContainText(/¥9\.00.*¥10\.00/);

  await bar.getByRole("button", { name: "Disable" }).click();
  const disable = page.getByRole("alertdialog", { name: "Disable 3 models?" });
  await expect(disable).toContainText(`${group}-1`);
  await disable.getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText("3 models are no longer offered.").first()).toBeVisible();
  for (const name of ["1", "2", "bare"]) await expect(row(name)).toContainText("Disabled");
  await page.getByRole("button", { name: "Undo" }).first().click();
  await expect(page.getByText("3 models are as they were before.").first()).toBeVisible();
  await expect(row("1")).toContainText("Live");
  await expect(bar, "they stay selected").toContainText("3 models selected");
  await bar.getByRole("button", { name: "Clear selection" }).click();
  await expect(bar).toHaveCount(0);
  await page.goto("/admin/audit?action=price.create");
  await expect(page.getByRole("row").filter({ hasText: "2 models" }).first()).toBeVisible();
  await page
    .getByRole("link", { name: `Price ${group}-1` })
    .first()
    .click();
  await expect(page.getByRole("dialog", { name: `${group}-1`, exact: true })).toContainText("¥1.00");
});

test("prices of ticked models are planned together, and Undo withdraws what another admin left", async ({
  page,
}) => {
  const group = freshName("later-");
  await page.goto("/admin/models");
  let id = "";
  for (const number of [1, 2])
    ({ id } = await make<{ id: string }>(page, "/api/admin/models", {
      alias: `${group}-${number}`,
      prices: { input: 100, output: 400 },
      routes: [{ node: "demo-chat-node", model: "demo" }],
    }));
  await page.goto(`/admin/models?search=${group}`);
  await page.getByRole("checkbox", { name: "Select all that are shown" }).check();
  const change = page.getByRole("button", { name: "Change prices" });
  await change.click();
  const scale = page.getByRole("dialog", { name: "Prices of 2 models" });
  await scale.getByLabel("Change in percent").fill("10");
  const from = scale.getByLabel(/^In force from/);
  await from.fill("2020-01-01T00:00");
  await scale.getByRole("button", { name: "Change prices" }).click();
  await expect(from).toHaveAccessibleDescription(/a moment in the future/);
  await from.fill("2035-01-01T00:00");
  await scale.getByRole("button", { name: "Change prices" }).click();
  await expect(scale).toBeHidden();
  const planned = page.getByRole("status").filter({ hasText: /2 models have new prices from Jan 1, 2035/ });
  // It stays while it has the pointer.
  await planned.hover();
  const row = (number: number) => page.getByRole("row", { name: new RegExp(`${group}-${number}`) });
  await expect(row(1)).toContainText("New price from Jan 1, 2035");
  await expect(row(1)).toContainText(/¥1\.00.*¥4\.00/);
  const { origin } = new URL(page.url());
  await page.request.delete(`/api/admin/models/${id}/prices/2`, { headers: { origin } });
  await planned.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("The planned price of 1 model is withdrawn.").first()).toBeVisible();
  await expect(page.getByText(`${group}-2: This was changed after you had opened it.`).first()).toBeVisible();
  await expect(row(1)).not.toContainText("New price from");
});

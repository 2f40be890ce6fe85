import { expect, type Page } from "@playwright/test";
import { axeViolations } from "./support/axe";
import { freshName, make, test } from "./support/people";

/** The address of the simulated provider, which lists its models and needs no key. */
async function simulatorUrl(page: Page): Promise<string> {
  const { data } = await (await page.request.get("/api/admin/nodes")).json();
  return data.find((node: { name: string }) => node.name === "demo-chat-node").baseUrl;
}

test("a node is brought to life on one page: preset, test before saving, models from its own list", async ({
  page,
}) => {
  const name = freshName("setup-");
  await page.goto("/admin/nodes");
  const baseUrl = await simulatorUrl(page);
  await page.getByRole("button", { name: "Add node" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a node" });
  const run = sheet.getByRole("button", { name: "Test this node" });
  await expect(run).toBeDisabled();
  await expect(sheet.getByLabel("Provider"), "what fills in the others comes first").toBeFocused();

  await sheet.getByLabel("Upstream API key").fill("typed-before-the-provider");
  await sheet.getByLabel("Provider").selectOption("Groq");
  await expect(sheet.getByLabel("Upstream API key")).toHaveValue("typed-before-the-provider");
  await expect(sheet.getByLabel("Base URL")).toHaveValue("https://api.groq.com/openai/v1");
  await expect(sheet.getByLabel("Name", { exact: true })).toHaveValue("groq");
  await expect(sheet).toContainText("What is done differently for Groq");
  await expect(sheet).toContainText("logprobs, top_logprobs, logit_bias, messages[].name");
  await sheet.getByLabel("Provider").selectOption("Fireworks AI");
  await expect(sheet.getByLabel("Upstream API key"), "no other host gets the key").toHaveValue("");
  await sheet.getByLabel("Protocol").selectOption("Messages");
  await expect(sheet.getByLabel("Base URL")).toHaveValue("https://api.fireworks.ai/inference");
  await expect(sheet).toContainText("The key goes into the header Authorization: Bearer.");
  await sheet.getByLabel("Provider").selectOption("Detected from the host");
  await sheet.getByLabel("Protocol").selectOption("Chat Completions");

  await sheet.getByLabel("Base URL").fill("http://127.0.0.1:1/v1");
  await run.click();
  await expect(sheet.getByText(/^Nothing listens at 127\.0\.0\.1:1\./)).toBeVisible();
  await sheet.getByLabel("Base URL").fill(baseUrl);
  await expect(sheet.getByText("Fields have changed since this test.")).toBeVisible();
  await sheet.getByLabel("Upstream API key").fill("sk-setup-secret-4711");
  await run.click();
  await expect(sheet.getByText(/^Reachable: first byte after \d+ ms/)).toBeVisible();
  await expect(sheet.getByText("It lists 4 models.")).toBeVisible();
  await expect(sheet.getByText(/^Whether the key is right is not known yet/)).toBeVisible();
  const model = sheet.getByRole("combobox", { name: "Upstream model to try" });
  await expect(model).toHaveAccessibleDescription(/^4 models in the node's list/);
  await model.fill("sim-chat");
  await run.click();
  await expect(sheet.getByText(/^sim-chat answered in \d/)).toBeVisible();
  await expect(sheet.getByText("The key is accepted.")).toBeVisible();
  await sheet.getByLabel("Name", { exact: true }).fill(name);
  await sheet.getByRole("button", { name: "Add node" }).click();
  await expect(sheet).toBeHidden();

  const [alias, vectors] = [freshName("chat-"), freshName("vectors-")];
  await page.getByRole("button", { name: `Show node ${name}` }).click();
  await page.getByRole("dialog", { name, exact: true }).getByRole("button", { name: "Add models…" }).click();
  const adding = page.getByRole("dialog", { name: `Add models of “${name}”` });
  await expect(adding.getByRole("checkbox")).toHaveCount(4);
  await adding.getByRole("button", { name: "Add models", exact: true }).click();
  const search = adding.getByRole("searchbox", { name: "Search the node's models" });
  await expect(search).toBeFocused();
  await expect(search).toHaveAccessibleDescription("Tick at least one model.");
  await search.fill("embed");
  await adding.getByRole("checkbox", { name: /sim-embedding/ }).check();
  await adding.getByRole("searchbox").fill("");
  await adding.getByRole("checkbox", { name: /sim-chat/ }).check();
  await adding.getByLabel("Alias").nth(0).fill(vectors);
  await adding.getByLabel("Alias").nth(1).fill("demo-chat");
  await adding
    .getByLabel(/^Input/)
    .nth(1)
    .fill("2");
  await adding.getByLabel(/^Output/).fill("8");
  await expect(adding.getByText(/^1 chosen model has no price\./)).toBeVisible();
  await expect(adding.getByText(/^This alias exists already\./)).toBeVisible();
  await adding.getByRole("button", { name: "Add 2 models" }).click();
  await expect(adding.getByText("demo-chat has this name already.")).toBeVisible();
  await adding.getByLabel("Alias").nth(1).fill(alias);
  await adding.getByRole("button", { name: "Add 2 models" }).click();
  await expect(adding).toBeHidden();
  await expect(page.getByText("2 models are added.").first()).toBeVisible();
  const { data } = await (await page.request.get("/api/admin/models")).json();
  expect(data.find((one: { alias: string }) => one.alias === alias)).toMatchObject({
    live: true,
    prices: { input: 200, output: 800 },
    routes: [{ node: name, model: "sim-chat" }],
  });
  expect(data.find((one: { alias: string }) => one.alias === vectors)).toMatchObject({
    live: false,
    kind: "embedding",
    prices: null,
  });
  expect(await page.content()).not.toContain("setup-secret");
});

test("the models of a route are chosen from the node's list, or typed where it has none", async ({
  page,
}) => {
  const [name, alias] = [freshName("listless-"), freshName("model-")];
  await page.goto("/admin/models");
  const baseUrl = await simulatorUrl(page);
  await make(page, "/api/admin/nodes", { name, protocol: "chat", baseUrl: `${baseUrl}/nowhere` });
  await page.reload();
  await page.getByRole("button", { name: "Add model" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a model" });
  await sheet.getByLabel("Alias", { exact: true }).fill(alias);
  await sheet.getByLabel("Node").selectOption("demo-chat-node");
  const model = sheet.getByRole("combobox", { name: "Upstream model" });
  await model.focus();
  await expect(model).toHaveAccessibleDescription(/^4 models in the node's list/);
  const options = sheet.locator("datalist option");
  await expect(options).toHaveCount(4);
  await expect(options.first()).toHaveAttribute("value", "sim-chat");
  await sheet.getByLabel("Node").selectOption(name);
  await expect(model).toHaveAccessibleDescription("The node has no list of models. Type the name.");
  await model.fill("typed-by-hand");
  await sheet.getByLabel("Input", { exact: true }).fill("2");
  await sheet.getByLabel("Output", { exact: true }).fill("8");
  await sheet.getByRole("button", { name: "Add model" }).click();
  await expect(sheet).toBeHidden();
  const { data } = await (await page.request.get("/api/admin/models")).json();
  expect(data.find((one: { alias: string }) => one.alias === alias)).toMatchObject({
    routes: [{ node: name, model: "typed-by-hand" }],
  });
});

test("a node whose last test failed is saved only after a question that says what failed", async ({
  page,
}) => {
  const name = freshName("broken-");
  await page.goto("/admin/nodes");
  await page.getByRole("button", { name: "Add node" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a node" });
  const save = sheet.getByRole("button", { name: "Add node" });
  await sheet.getByLabel("Name", { exact: true }).fill(name);
  await sheet.getByLabel("Base URL").fill("http://127.0.0.1:1/v1");
  await sheet.getByLabel("Upstream API key").fill("sk-broken-4711");
  await sheet.getByRole("button", { name: "Test this node" }).click();
  await expect(sheet.getByText(/^Nothing listens at 127\.0\.0\.1:1\./)).toBeVisible();
  await save.click();
  const asked = page.getByRole("alertdialog", { name: `Save “${name}” though its last test failed?` });
  await expect(asked).toContainText("Nothing listens at 127.0.0.1:1.");
  expect(await axeViolations(page)).toEqual([]);
  await asked.getByRole("button", { name: "Cancel" }).click();
  await expect(sheet.getByLabel("Base URL")).toHaveValue("http://127.0.0.1:1/v1");
  await save.click();
  await asked.getByRole("button", { name: "Save anyway" }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole("button", { name: `Show node ${name}` })).toBeVisible();

  // What was tested before a correction says nothing about what is saved.
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const edit = page.getByRole("dialog", { name: `Edit “${name}”` });
  await edit.getByRole("button", { name: "Test this node" }).click();
  await expect(edit.getByText(/^Nothing listens at/)).toBeVisible();
  await edit.getByLabel("Base URL").fill("http://127.0.0.1:2/v1");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit).toBeHidden();
});

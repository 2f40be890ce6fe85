import { expect } from "@playwright/test";
import { freshName, make, test } from "./support/people";

test("a node is made, its key never shown again, drained, reset and deleted", async ({ page }) => {
  const name = freshName("node-");
  await page.goto("/admin/nodes");
  await page.getByRole("button", { name: "Add node" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a node" });
  await sheet.getByLabel("Upstream API key").fill("sk-very-secret-7a91");
  await sheet.getByRole("button", { name: "Add node" }).click();
  await expect(sheet.getByRole("alert")).toContainText("Please correct 2 fields");
  const label = sheet.locator("label:has(+ :focus), label:has(+ * :focus)");
  await expect(label, "not below the head").toBeInViewport({ ratio: 1 });
  await sheet.getByLabel("Name", { exact: true }).fill(name);
  await sheet.getByLabel("Base URL").fill("http://127.0.0.1:1/v1");
  await sheet.getByRole("button", { name: "Add node" }).click();
  await expect(sheet).toBeHidden();

  await page.getByRole("button", { name: `Show node ${name}` }).click();
  const drawer = page.getByRole("dialog", { name, exact: true });
  await expect(drawer).toContainText("Set, ends …7a91");
  expect(await page.content()).not.toContain("very-secret");

  await drawer.getByRole("button", { name: "Disable (drain)" }).click();
  await expect(drawer.getByText("Disabled", { exact: true }).first()).toBeVisible();
  await drawer.getByRole("button", { name: "Enable" }).click();
  await expect(drawer.getByText("Healthy", { exact: true }).first()).toBeVisible();

  await drawer.getByLabel("Upstream model to ask").fill("any-model");
  await drawer.getByRole("button", { name: "Send a test" }).click();
  await expect(drawer.getByText("It failed.")).toBeVisible();

  await drawer.getByRole("button", { name: "Reset circuit" }).click();
  const confirm = page.getByRole("alertdialog");
  await confirm.getByRole("button", { name: "Reset circuit" }).click();
  await expect(page.getByText(`“${name}” is tried as usual again.`).first()).toBeVisible();

  await page.keyboard.press("Escape");
  await page
    .getByRole("row", { name: new RegExp(name) })
    .getByRole("button", { name: /Actions/ })
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const remove = page.getByRole("alertdialog");
  await expect(remove.getByRole("button", { name: "Delete node" })).toBeDisabled();
  await remove.getByRole("textbox").fill(name);
  await remove.getByRole("button", { name: "Delete node" }).click();
  await expect(page.getByRole("button", { name: `Show node ${name}` })).toHaveCount(0);
});

test("one way back is offered for each node, and none for one that is deleted", async ({ page }) => {
  await page.goto("/admin/nodes");
  const names = [freshName("undo-a-"), freshName("undo-b-"), freshName("undo-c-")];
  for (const name of names)
    await make(page, "/api/admin/nodes", { name, protocol: "chat", baseUrl: "http://127.0.0.1:1/v1" });
  // At the top, where no message covers a row.
  await page.goto("/admin/nodes?search=undo-");
  const choose = async (name: string, action: string) => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: action, exact: true }).click();
  };
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  const [first = "", second = "", third = ""] = names;
  await choose(first, "Disable (drain)");
  await expect(undo).toHaveCount(1);
  await choose(first, "Enable");
  await expect(page.getByText(`“${first}” takes requests again.`)).toBeVisible();
  // Sooner than a message goes by itself.
  await expect(undo).toHaveCount(1, { timeout: 2_000 });
  await choose(second, "Disable (drain)");
  await choose(third, "Disable (drain)");
  await expect(page.getByText(`“${third}” gets no new requests.`, { exact: false })).toBeVisible();
  await expect.poll(() => undo.count(), { timeout: 2_000 }).toBeLessThanOrEqual(2);
  // In one step: a message may go between two.
  const takeFocus = (buttons: Element[]) =>
    buttons.every((button) => {
      if (button instanceof HTMLElement) button.focus();
      return document.activeElement === button;
    });
  expect(await undo.evaluateAll(takeFocus)).toBe(true);
  await choose(third, "Delete");
  const remove = page.getByRole("alertdialog");
  await remove.getByRole("textbox").fill(third);
  await remove.getByRole("button", { name: "Delete node" }).click();
  await expect(page.getByText(`“${third}” is deleted.`)).toBeVisible();
  await expect(page.getByText(`“${third}” gets no new requests.`, { exact: false })).toHaveCount(0);
});

test("a provider's preset fills the form in; what it leaves open is asked for", async ({ page }) => {
  const name = freshName("azure-");
  await page.goto("/admin/nodes");
  await page.getByRole("button", { name: "Add node" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a node" });
  await sheet.getByLabel("Name", { exact: true }).fill(name);
  await sheet.getByLabel("Provider").selectOption("Anthropic");
  await expect(sheet.getByLabel("Protocol")).toHaveValue("messages");
  await expect(sheet.getByLabel("Base URL")).toHaveValue("https://api.anthropic.com");
  await sheet.getByLabel("Provider").selectOption("Azure OpenAI");
  await expect(sheet.getByLabel("Protocol")).toHaveValue("chat");
  await sheet.getByRole("button", { name: "Add node" }).click();
  await expect(sheet).toContainText("Put your own value in place of {resource}.");
  await sheet.getByLabel("Base URL").fill("https://mine.openai.azure.com/openai/v1");
  await expect(sheet).not.toContainText("Put your own value");
  await sheet.getByRole("button", { name: "Add node" }).click();
  const keyless = page.getByRole("alertdialog", { name: `Save “${name}” without an API key?` });
  await keyless.getByRole("button", { name: "Cancel" }).click();
  await expect(sheet.getByLabel("Base URL")).toHaveValue("https://mine.openai.azure.com/openai/v1");
  await sheet.getByRole("button", { name: "Add node" }).click();
  await keyless.getByRole("button", { name: "Save without a key" }).click();
  await expect(sheet).toBeHidden();
  await page.getByRole("button", { name: `Show node ${name}` }).click();
  const drawer = page.getByRole("dialog", { name, exact: true });
  await expect(drawer.getByText("Azure OpenAI", { exact: true })).toBeVisible();
});

test("a node that works says how fast it answered", async ({ page }) => {
  await page.goto("/admin/nodes");
  const names = () => page.getByRole("button", { name: /^Show node/ }).allInnerTexts();
  const head = page.getByRole("columnheader", { name: "Name" });
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  await head.getByRole("button").click();
  await expect(head).toHaveAttribute("aria-sort", "descending");
  const sorted = (await names()).sort((a, b) => b.localeCompare(a, undefined, { numeric: true }));
  expect(await names()).toEqual(sorted);
  await page.getByRole("button", { name: "Show node demo-chat-node" }).click();
  const drawer = page.getByRole("dialog", { name: "demo-chat-node", exact: true });
  await expect(drawer.getByRole("button", { name: "Close" }), "no field is scrolled to").toBeFocused();
  expect(
    await drawer
      .getByRole("group")
      .first()
      .evaluate((box) => box.scrollTop),
  ).toBe(0);
  await drawer.getByRole("button", { name: "Send a test" }).click();
  await expect(drawer.getByText("It answered.")).toBeVisible();
  const result = drawer.locator("[aria-live=polite]").filter({ hasText: "It answered." });
  await expect(result).toContainText("HTTP status200");
  await expect(result).toContainText(/First words\S/);
  await expect(result).toContainText(/\d+ ms|\d+(\.\d)? s/);
  await expect(page).toHaveURL(/node=/);
  await page.reload();
  await expect(page.getByRole("dialog", { name: "demo-chat-node", exact: true })).toBeVisible();
});

test("a failing node shows its open circuit with a countdown, until it is reset", async ({
  page,
  request,
}) => {
  const name = freshName("down-");
  await page.goto("/admin/nodes");
  const { key } = await make<{ key: string }>(page, "/api/user/tokens", { name });
  await make(page, "/api/admin/nodes", { name, protocol: "chat", baseUrl: "http://127.0.0.1:1/v1" });
  const routes = [{ node: name, model: "x" }];
  await make(page, "/api/admin/models", { alias: name, prices: { input: 1, output: 1 }, routes });
  const call = () =>
    request.post("/v1/chat/completions", {
      headers: { authorization: `Bearer ${key}` },
      data: { model: name, max_tokens: 5, messages: [{ role: "user", content: "hi" }] },
    });
  const row = page.getByRole("row", { name: new RegExp(name) });
  await expect
    .poll(
      async () => {
        await call();
        await page.clock.runFor(3_000); // the list asks again
        return row.innerText();
      },
      { timeout: 40_000, intervals: [100] },
    )
    .toMatch(/Circuit open\s+Retry in \d+\ss/);
  await row.getByRole("button", { name: /Actions/ }).click();
  await page.getByRole("menuitem", { name: "Reset circuit" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Reset circuit" }).click();
  await expect(row).toContainText("Healthy");
});

test("Test in a node's menu leads to the test, ready to be typed in", async ({ page }) => {
  const name = freshName("tested-");
  await page.goto("/admin/nodes");
  const address = { protocol: "chat", baseUrl: "http://127.0.0.1:1/v1" };
  await make(page, "/api/admin/nodes", { name, ...address, apiKey: "short" });
  await page.goto("/admin/nodes");
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Test", exact: true }).click();
  const field = page.getByRole("dialog", { name, exact: true }).getByLabel("Upstream model to ask");
  await expect(field).toBeFocused();
  await expect(field).toBeInViewport();
  await expect(page.getByRole("definition").filter({ hasText: /^Set$/ })).toBeAttached();
  // What stands above it has arrived by then.
  await expect(page.getByText("No calls in the last 60 minutes, or since")).toBeAttached();
  await expect(field).toBeInViewport();
});

test("a node is found by its name, host or model, and its row keeps to one line for each word", async ({
  page,
}) => {
  const name = freshName("found-");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/admin/nodes");
  await make(page, "/api/admin/nodes", { name, protocol: "chat", baseUrl: "http://findable.example/v1" });
  await page.reload();
  for (const words of [name, "FINDABLE", "chat completions"]) {
    await page.getByRole("searchbox").fill(words);
    await expect(page.getByRole("row", { name: new RegExp(name) }), words).toBeVisible();
  }
  await page.getByRole("searchbox").fill("demo-messages");
  await expect(page.getByRole("row", { name: new RegExp(name) })).toHaveCount(0);
  await expect(page.getByRole("row", { name: /demo-messages-node/ })).toBeVisible();
  await expect(page).toHaveURL(/search=demo-messages/);
  await page.getByRole("searchbox").fill("demo-");
  const row = page.getByRole("row", { name: /demo-chat-node/ });
  const mark = await row.getByText("Simulated", { exact: true }).boundingBox();
  expect(mark?.height, "one line").toBeLessThan(26);
  const lines = await row.getByText("Chat Completions").evaluate((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);
  const host = row.getByText(/127\.0\.0\.1|localhost|simulat/).first();
  expect(await host.evaluate((cell) => cell.scrollWidth <= cell.clientWidth), "the whole host").toBe(true);
});

test("the drawers of nodes, models and plans have an address, outlive a reload, and are closed by Back", async ({
  page,
}) => {
  for (const [path, name, dialog] of [
    ["nodes", "Show node demo-chat-node", "demo-chat-node"],
    ["models", "Show model demo-chat", "demo-chat"],
    ["plans", "Edit “Starter”", "Edit “Starter”"],
  ] as const) {
    await page.goto("/admin");
    await page.goto(`/admin/${path}`);
    await page.getByRole("button", { name, exact: true }).click();
    const drawer = page.getByRole("dialog", { name: dialog, exact: true });
    await expect(drawer).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/admin/${path}\\?(node|model|plan)=`));
    await page.reload();
    await expect(drawer, path).toBeVisible();
    await page.goBack();
    await expect(drawer, path).toBeHidden();
    await expect(page, path).toHaveURL(new RegExp(`/admin/${path}$`));
  }
});

import { expect } from "@playwright/test";
import { freshName, make, test } from "./support/people";

test("suppositions change the order, the timers and the final answer", async ({ page }) => {
  await page.goto("/admin/rehearsal?model=demo-mixed");
  const final = page.locator("section", { has: page.getByRole("heading", { name: "The caller gets" }) });
  const chat = page.getByLabel("demo-chat-node");
  const messages = page.getByLabel("demo-messages-node");
  await expect(final).toContainText("Answer from demo-chat-node, at once");

  await expect(chat.locator("option").first()).toHaveText("as it is now: healthy");
  await chat.selectOption({ label: "down, not noticed yet" });
  await expect(final).toContainText("Answer from demo-messages-node, after 150 ms of waiting");
  const learnt = page.locator("section", {
    has: page.getByRole("heading", { name: "What the router learns" }),
  });
  await expect(learnt).toContainText("noticed after 5 requests");
  await expect(learnt).toContainText("circuit open: not called for 30 s");

  await chat.selectOption({ label: "too slow, not noticed yet" });
  await expect(final).toContainText(/Answer from demo-messages-node, after \d+(\.\d)? s of waiting/);

  await messages.selectOption({ label: "too slow, not noticed yet" });
  await expect(final).toContainText(/502 UPSTREAM_ERROR, after .* s of waiting/);
  await expect(final).toContainText("Nothing is billed.");

  await page.getByRole("button", { name: "All circuits open" }).click();
  await expect(final).toContainText(/503 NO_AVAILABLE_NODE, at once, Retry-After \d+ s/);
  await expect(page.getByText("back in 30 s").first()).toBeVisible();

  await expect(page).toHaveURL(/assume=ejected=demo-chat-node,ejected=demo-messages-node/);
  await page.reload();
  await expect(final, "a shared address shows the same").toContainText("503 NO_AVAILABLE_NODE, at once");
  await expect(messages).toHaveValue("ejected");

  await page.getByRole("button", { name: "All as now" }).click();
  await expect(final).toContainText("Answer from demo-chat-node, at once");
});

test("what a node's failure does to every model is shown, and its drawer leads there", async ({ page }) => {
  const name = freshName("only-");
  await page.goto("/admin/nodes");
  await make(page, "/api/admin/nodes", { name, protocol: "chat", baseUrl: "http://127.0.0.1:1/v1" });
  const routes = [{ node: name, model: "x" }];
  await make(page, "/api/admin/models", { alias: name, prices: { input: 1, output: 1 }, routes });
  await page.reload(); // the page had read its list before this node was made
  const drawer = page.getByRole("dialog");
  // A page that is not taken over yet does not answer.
  await expect(async () => {
    if (await drawer.isVisible()) return;
    await page.getByRole("searchbox").fill(name);
    await page.getByRole("button", { name: `Show node ${name}` }).click({ timeout: 1_000 });
    await expect(drawer).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await drawer.getByRole("link", { name: "What if it fails?" }).click();
  await expect(page.getByLabel("Node", { exact: true })).toHaveValue(name);
  await expect(page.getByRole("status").filter({ hasText: "Without" })).toContainText(
    `Without ${name}, callers of ${name} get errors.`,
  );
  const row = (model: string) => page.getByRole("row", { name: new RegExp(model) });
  await expect(row(name)).toContainText(/No node left.*503 NO_AVAILABLE_NODE/);
  await expect(row("demo-mixed")).toContainText("Not affected");

  await page.getByLabel("Node", { exact: true }).selectOption("demo-chat-node");
  await expect(row("demo-mixed")).toContainText("Answer from demo-messages-node, after 150 ms of waiting");
  await expect(row("demo-mixed").getByRole("cell").last()).toContainText("demo-messages-node");
  await page.reload();
  await expect(row("demo-mixed"), "a shared address shows the same").toContainText("demo-messages-node");
  await page.getByText("Other nodes that fail at the same time").click();
  await page.getByLabel("demo-messages-node").check();
  await expect(row("demo-mixed")).toContainText(/No node left.*503 NO_AVAILABLE_NODE/);
  await page.reload();
  await expect(page.getByLabel("demo-messages-node"), "which nodes fail is shared, too").toBeChecked();
  await page.getByLabel("demo-messages-node").uncheck();
  await row("demo-mixed").getByRole("link").click();
  await expect(page).toHaveURL(/model=demo-mixed&assume=down/);
  await expect(page.getByLabel("demo-chat-node")).toHaveValue("down");
});

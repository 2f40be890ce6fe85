import { expect } from "@playwright/test";
import { test } from "./support/people";

test("suppositions change the order, the timers and the final answer", async ({ page }) => {
  await page.goto("/admin/rehearsal?model=demo-mixed");
  const final = page.locator("section", { has: page.getByRole("heading", { name: "The caller gets" }) });
  const chat = page.getByLabel("demo-chat-node");
  const messages = page.getByLabel("demo-messages-node");
  await expect(final).toContainText("200 from demo-chat-node, at once");

  await expect(chat.locator("option").first()).toHaveText("as it is now: healthy");
  await chat.selectOption({ label: "down, not noticed yet" });
  await expect(final).toContainText("200 from demo-messages-node, after 150 ms of waiting");
  const learnt = page.locator("section", {
    has: page.getByRole("heading", { name: "What the router learns" }),
  });
  await expect(learnt).toContainText("noticed after 5 requests");
  await expect(learnt).toContainText("circuit open: not called for 30 s");

  await chat.selectOption({ label: "too slow, not noticed yet" });
  await expect(final).toContainText(/200 from demo-messages-node, after \d+(\.\d)? s of waiting/);

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
  await expect(final).toContainText("200 from demo-chat-node, at once");
});

import { expect, type Page } from "@playwright/test";
import { sendJson, startScriptedUpstream } from "@/tests/support/scripted-upstream";
import { freshName, make, test } from "./support/people";

/** Makes a node, opens its drawer and tests a model there; the drawer. */
async function tested(page: Page, baseUrl: string, model: string) {
  const name = freshName("tested-");
  await make(page, "/api/admin/nodes", { name, protocol: "chat", baseUrl });
  await page.goto("/admin/nodes");
  await page.getByRole("button", { name: `Show node ${name}` }).click();
  const drawer = page.getByRole("dialog", { name, exact: true });
  await drawer.getByLabel("Upstream model to ask").fill(model);
  await drawer.getByRole("button", { name: "Send a test" }).click();
  return drawer;
}

/** Source: docs/contract.md#node-tests. */
test("the test of an embedding model says how long its embedding is", async ({ page }) => {
  await page.goto("/admin/nodes");
  const { data } = await (await page.request.get("/api/admin/nodes")).json();
  const { baseUrl } = data.find((node: { name: string }) => node.name === "demo-chat-node");
  const drawer = await tested(page, baseUrl, "sim-embedding");
  await expect(drawer.getByText("It answered.", { exact: true })).toBeVisible();
  await expect(drawer.getByText("Numbers of the embedding").locator("..")).toContainText(/embedding\s*\d+/);
  await expect(drawer.getByText("First words")).toHaveCount(0);
});

test("a node that takes streams only passes its test, which says so", async ({ page }) => {
  const chunk = { choices: [{ index: 0, delta: { content: "OK." }, finish_reason: "stop" }] };
  const upstream = await startScriptedUpstream((response, { body }) => {
    if (JSON.parse(body || "{}").stream !== true) {
      sendJson(response, 400, { error: { message: "stream must be true" } });
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  await page.goto("/admin/nodes");
  const drawer = await tested(page, `${upstream.url}/v1`, "streams-only");
  await expect(drawer.getByText("It answered, with a stream: it gives no whole answers.")).toBeVisible();
  await expect(drawer.getByText("OK.", { exact: true })).toBeVisible();
  await upstream.close();
});

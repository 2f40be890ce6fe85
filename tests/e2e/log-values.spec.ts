import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { callModel, makeKey, test } from "./support/member";

/** A call in the protocol of Messages, by a program of this name. */
async function callMessages(request: APIRequestContext, secret: string, program: string): Promise<void> {
  const answer = await request.post("/v1/messages", {
    data: {
      model: "demo-messages",
      max_tokens: 40,
      stream: true,
      messages: [{ role: "user", content: "Hi" }],
    },
    headers: {
      "x-api-key": secret,
      "anthropic-version": "2023-06-01",
      "user-agent": `${program}/1.2.3 (test)`,
    },
  });
  await answer.body();
  expect(answer.status()).toBe(200);
}

const rows = (page: Page) => page.getByRole("table", { name: "Requests" }).locator("tbody").getByRole("row");

test("more filters tell how often each value occurs, stand in the address, and end with their chips", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await callModel(request, secret, { model: "no-such-model" });
  await callMessages(request, secret, "claude-cli");
  await page.goto("/console/logs");
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole("button", { name: "More filters" }).click();
  const more = page.getByRole("dialog", { name: "More filters" });
  await expect(more.getByLabel("Protocol").locator("option")).toHaveText(["All", "chat (2)", "messages (1)"]);
  await expect(more.getByLabel("Mode").locator("option")).toHaveText([
    "All",
    "not streamed (2)",
    "streamed (1)",
  ]);
  await expect(more.getByLabel("Client")).toContainText("claude-cli (1)");
  await expect(more.getByLabel("Error code")).toContainText("MODEL_NOT_FOUND (1)");
  await more.getByLabel("Protocol").selectOption("chat");
  await expect(page).toHaveURL(/protocol=chat/);
  await expect(rows(page)).toHaveCount(2);
  await expect(more.getByLabel("Mode").locator("option")).toHaveText(["All", "not streamed (2)"]);
  await more.getByLabel("HTTP status").selectOption("404");
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^More filters ?2$/ })).toBeFocused();
  const chips = page.getByRole("list", { name: "Filters that are set" }).getByRole("listitem");
  await expect(chips).toHaveText(["Protocol: chat", "HTTP status: 404"]);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Remove the filter HTTP status: 404" }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(chips).toHaveText(["Protocol: chat"]);
});

test("a value in the details narrows the log to the requests that have it, and the file has the same", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await callMessages(request, secret, "claude-cli");
  await callMessages(request, secret, "claude-cli");
  await callMessages(request, secret, "OpenAI/JS");
  await page.goto("/console/logs");
  await expect(rows(page)).toHaveCount(4);
  await rows(page).nth(1).getByRole("link").click();
  const drawer = page.getByRole("dialog", { name: "Request" });
  await expect(
    drawer.getByRole("link", { name: "Show only requests with the HTTP status 200" }),
  ).toBeVisible();
  await drawer.getByRole("link", { name: "Show only requests of the client claude-cli" }).click();
  await expect(page).toHaveURL(/\/console\/logs\?client=claude-cli$/);
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Remove the filter Client: claude-cli" })).toBeVisible();
  const href = await page.getByRole("link", { name: "Export CSV" }).getAttribute("href");
  expect((await (await page.request.get(href ?? "")).text()).trimEnd().split("\r\n")).toHaveLength(3);
  await rows(page).first().getByRole("link").click();
  await expect(drawer.getByRole("link", { name: "Show only requests of the client claude-cli" })).toHaveCount(
    0,
  );
  await drawer.getByRole("link", { name: "Show only requests that were streamed" }).click();
  await expect(page).toHaveURL(/client=claude-cli&mode=streamed$/);
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Streams");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(rows(page)).toHaveCount(4);
  await page.getByRole("button", { name: "Streams", exact: true }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Clear filters" }).click();
  const cell = rows(page).last().getByRole("cell", { name: "demo-chat" });
  await cell.hover();
  await cell.getByTitle("Show only requests of the model demo-chat").click();
  await expect(page).toHaveURL(/\/console\/logs\?model=demo-chat$/);
  await expect(drawer, "the row is not opened too").toBeHidden();
  await expect(rows(page)).toHaveCount(1);
});

test("the filters of the log are one line on a wide screen", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/console/logs?outcome=unanswered");
  const bar = page.getByRole("group", { name: "Filters" });
  await expect(bar.getByRole("button", { name: "Clear filters" })).toBeVisible();
  expect((await bar.boundingBox())?.height).toBeLessThan(48);
});

import { expect } from "@playwright/test";
import { axeViolations } from "./support/axe";
import { test } from "./support/gateway";
import { openSession, register } from "./support/member";

test("the reference is searched, opened by address and copied as curl", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs/api");
  const count = page.getByText(/^\d+ operations$/);
  await expect(count).toBeVisible();
  await page.getByRole("searchbox").fill("tokens/{id}/limits");
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.goto("/docs/api#createKey");
  const operation = page.getByRole("article").filter({ hasText: "/api/user/tokens" }).filter({
    hasText: "Create a key",
  });
  await expect(operation.getByRole("heading", { name: "Request body" })).toBeVisible();
  await operation.getByRole("button", { name: "Copy curl" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("/api/user/tokens");
  expect(copied).toContain("$TOLLGATE_TOKEN");
});

test("a member says its types and its range", async ({ page }) => {
  await page.goto("/docs/api#createMessage");
  const operation = page.getByRole("article").filter({ hasText: "/v1/messages" }).first();
  const member = (name: string) =>
    operation
      .locator("dt")
      .filter({ has: page.getByText(name, { exact: true }) })
      .first();
  await expect(member("stream")).toHaveText("streamboolean | null");
  await expect(member("temperature")).toHaveText("temperaturenumber (0–1) | null");
  await expect(member("top_k")).toHaveText("top_knumber | null");
});

test("programs with a key, accounts and admins have parts of their own, and a search and an address reach all", async ({
  page,
}) => {
  await page.goto("/docs/api");
  const ofUsers = page.locator("#getKeyLimits");
  const ofAdmins = page.locator("#listNodes");
  await expect(page.locator("#createChatCompletion")).toBeVisible();
  await expect(ofUsers).toHaveCount(0);
  await expect(ofAdmins).toHaveCount(0);
  await page.getByText("Account", { exact: true }).first().click();
  await expect(ofUsers).toBeVisible();
  await expect(ofAdmins).toHaveCount(0);
  await page.getByRole("searchbox").fill("admin/nodes");
  await expect(ofAdmins).toBeVisible();
  await page.getByRole("searchbox").fill("");
  await expect(ofAdmins).toHaveCount(0);
  await page.goto("/docs");
  await page.goto("/docs/api#listNodes");
  await expect(ofAdmins).toBeInViewport();
  await expect(page.getByRole("radio", { name: "Admin" })).toBeChecked();
});

test("a list beside the reference leads to each shown operation and marks the one in view", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/docs/api", { waitUntil: "networkidle" });
  const list = page.getByRole("navigation", { name: "List of operations" });
  await expect(list.getByRole("link", { name: "POST Embed texts" })).toBeVisible();
  await list.locator("a[href='#getKeyLimits']").waitFor({ state: "detached" });
  await page.getByText("Account", { exact: true }).first().click();
  const articles = await page.getByRole("article").count();
  await expect(list.getByRole("listitem")).toHaveCount(articles);
  const link = list.locator("a[href='#createKey']");
  await link.click();
  await expect(link).toHaveAttribute("aria-current", "location");
  const operation = page.locator("#createKey");
  await expect(operation).toBeInViewport();
  await expect(operation.getByRole("heading", { name: "Request body" })).toBeVisible();
  await expect(list.locator("[aria-current]")).toHaveCount(1);
  await page.getByRole("article").last().scrollIntoViewIfNeeded();
  await expect(link).not.toHaveAttribute("aria-current");
  await expect(list.locator("[aria-current]")).toBeInViewport();
});

test("on a phone the list of operations is folded", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/docs/api");
  const link = page
    .getByRole("navigation", { name: "List of operations" })
    .locator("a[href='#createEmbeddings']");
  await expect(link).toHaveCount(0);
  await page.getByText("List of operations").click();
  await link.click();
  await expect(page.locator("#createEmbeddings")).toBeInViewport();
});

test("a field says what it means, and a call has an answer to look at", async ({ page }) => {
  await page.goto("/docs/api#getKeyUsage");
  const operation = page.locator("#getKeyUsage");
  await expect(operation.getByText("What may still be spent, in cents")).toBeVisible();
  await expect(operation.getByText('"remaining": 499.4744')).toBeVisible();
});

test("each guide of the docs has its page, and the search finds it by its code", async ({ page }) => {
  await page.goto("/docs", { waitUntil: "networkidle" });
  const guides = page.getByRole("navigation", { name: "Guides" });
  await guides.getByRole("link", { name: "Billing" }).click();
  await page.waitForURL("**/docs/money");
  await expect(page).toHaveTitle(/^Billing/);
  await expect(page.getByText("means 0.5256 cents, that is ¥0.005256")).toBeVisible();
  await expect(guides.locator("[aria-current=page]")).toHaveText("Billing");
  for (const part of ["Example", "What comes back", "Good to know", "When it goes wrong", "Read on"])
    await expect(page.getByRole("heading", { level: 2, name: part })).toBeVisible();
  await page.getByRole("link", { name: "Previous: Limits and headers" }).click();
  await page.waitForURL("**/docs/limits");
  await expect(page.getByText("An account may have limits of its own over all its keys")).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.insertText("answers as json");
  await page.locator("a[data-result]").filter({ hasText: "Answers as JSON" }).first().click();
  await page.waitForURL("**/docs/json");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Answers as JSON");
  await page.getByRole("searchbox").fill("zebra crossing");
  await expect(page.getByText("Nothing in the guides and the API reference has these words.")).toBeVisible();
  expect((await page.goto("/docs/nothing"))?.status()).toBe(404);
});

test("the search of the docs is used by keyboard, marks what it finds and knows the operations", async ({
  page,
}) => {
  await page.goto("/docs", { waitUntil: "networkidle" });
  const field = page.getByRole("searchbox");
  const results = page.locator("a[data-result]");
  await page.keyboard.press("/");
  await expect(field).toBeFocused();
  await page.keyboard.insertText("idempotency");
  await expect(results.first().locator("mark")).toHaveText("idempotency");
  await expect(results.first()).toContainText("a new one: the gateway knows no idempotency keys");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/errors");
  await page.locator("body").press("/");
  await page.keyboard.insertText("embeding"); // one letter is missing
  await expect(results.nth(1)).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(results.first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(results.nth(1)).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(results).toHaveCount(0);
  await page.keyboard.insertText("/v1/messages/count_tokens");
  await expect(results.first()).toContainText("POST");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/api#countTokens");
  await expect(page.locator("#countTokens")).toBeInViewport();
  await page.keyboard.press("/");
  await expect(field).toBeFocused();
});

test("nothing cuts off the ring of the search of the docs", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/docs");
  const cuts = await page.getByRole("searchbox").evaluate((field) => {
    const around: string[] = [];
    for (let one = field.parentElement; one !== null && one.id !== "main"; one = one.parentElement)
      around.push(getComputedStyle(one).overflowY);
    return around.filter((overflow) => overflow !== "visible");
  });
  expect(cuts).toEqual([]);
});

test("the document itself is served", async ({ request }) => {
  const answer = await request.get("/openapi.json");
  expect((await answer.json()).openapi).toBe("3.1.0");
});

test("the guides are served as plain text, with an index of them", async ({ request }) => {
  const index = await request.get("/llms.txt");
  expect(index.headers()["content-type"]).toBe("text/plain; charset=utf-8");
  expect(await index.text()).toMatch(/- \[Billing\]\(http:.*\/docs\/money\)/);
  const whole = await request.get("/llms-full.txt");
  expect(await whole.text()).toContain("# Answers as JSON\n");
});

test("each page of the docs is served as Markdown, which its button copies", async ({
  page,
  request,
  context,
}) => {
  for (const [path, head] of [
    ["/docs.md", "# Quick start\n"],
    ["/docs/limits.md", "# "],
    ["/docs/claude-code.md", "# Claude Code\n"],
    ["/docs/api.md", "# API reference\n"],
  ] as const) {
    const answer = await request.get(path);
    expect(answer.status(), path).toBe(200);
    expect(answer.headers()["content-type"]).toBe("text/markdown; charset=utf-8");
    expect((await answer.text()).startsWith(head), path).toBe(true);
  }
  expect(await (await request.get("/docs/api.md")).text()).toContain("### POST /v1/chat/completions\n");
  expect((await request.get("/docs/nothing.md")).status()).toBe(404);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs/claude-code");
  await page.getByRole("button", { name: "Copy page as Markdown" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await (await request.get("/docs/claude-code.md")).text());
});

test("a guide lists its parts beside it and marks the one in view, where there is room", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/docs", { waitUntil: "networkidle" });
  const parts = page.getByRole("navigation", { name: "On this page" }).getByRole("link");
  await expect(parts.first(), "at the top of the page").toHaveAttribute("aria-current", "location");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/docs/errors", { waitUntil: "networkidle" });
  const list = page.getByRole("navigation", { name: "On this page" });
  const titles = await page.locator("main h2").allTextContents();
  await expect(list.getByRole("link")).toHaveText(titles);
  const link = list.getByRole("link", { name: "Good to know" });
  await link.click();
  await expect(link).toHaveAttribute("aria-current", "location");
  await expect(page.getByRole("heading", { name: "Good to know" })).toBeInViewport();
  await expect(link).toBeInViewport();
  await page.setViewportSize({ width: 1279, height: 800 });
  await expect(list).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/docs/benchmark", { waitUntil: "networkidle" });
  await expect(list).toHaveCount(0);
});

test("an operation of the account is tried with the session, and of the model API with a key", async ({
  page,
  request,
}) => {
  await page.goto("/docs/api#getSelf");
  const signIn = page.locator("#getSelf").getByRole("link", { name: "Sign in to try it" });
  await expect(signIn).toHaveAttribute("href", "/login?next=%2Fdocs%2Fapi%23getSelf");

  const someone = await register(request);
  await openSession(page, someone.token);
  await page.goto("/docs/api#getSelf", { waitUntil: "networkidle" });
  await page.reload({ waitUntil: "networkidle" });
  const self = page.locator("#getSelf");
  await self.getByRole("button", { name: "Try it" }).click();
  await self.getByRole("button", { name: "Send" }).click();
  await expect(self.getByText(/^Answer: 200 · /)).toBeVisible();
  await expect(self.getByRole("region", { name: "Answer", exact: true })).toContainText(someone.username);
  await expect(self.getByRole("region", { name: "Headers of the answer" })).toContainText("x-request-id: ");
  expect(await axeViolations(page, "#getSelf")).toEqual([]);

  const made = page.locator("#createKey");
  await page.goto("/docs/api#createKey");
  await made.getByRole("button", { name: "Try it" }).click();
  const body = made.getByLabel("Request body");
  await body.fill("{");
  await made.getByRole("button", { name: "Send" }).click();
  await expect(made.getByText("This is not JSON.")).toBeVisible();
  await body.fill('{"name":""}');
  await made.getByRole("button", { name: "Send" }).click();
  const question = page.getByRole("alertdialog", { name: "Send this request?" });
  await expect(question).toContainText("POST /api/user/tokens");
  await question.getByRole("button", { name: "Send" }).click();
  await expect(made.getByText(/^Answer: 400 · /)).toBeVisible();
  await expect(made.getByRole("region", { name: "Answer", exact: true })).toContainText("INVALID_REQUEST");

  const models = page.locator("#listGatewayModels");
  await page.goto("/docs/api#listGatewayModels");
  await models.getByRole("button", { name: "Try it" }).click();
  await models.getByLabel("limit", { exact: true }).fill("1");
  await models.getByRole("button", { name: "Send" }).click();
  await expect(models.getByText(/^Answer: 200 · /)).toBeVisible();
  await models.getByLabel("API key").fill("tgw-of-nobody");
  await models.getByRole("button", { name: "Send" }).click();
  await expect(models.getByText(/^Answer: 401 · /)).toBeVisible();
});

test("Enter in the search of the reference opens the first operation, and ↓ leads to it", async ({
  page,
}) => {
  await page.goto("/docs/api");
  await page.keyboard.press("/");
  await page.keyboard.type("stream");
  await page.keyboard.press("ArrowDown");
  const first = page.getByRole("article").first().getByRole("button").first();
  await expect(first).toBeFocused();
  await expect(first).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("/");
  await page.keyboard.press("Enter");
  await expect(first).toBeFocused();
  await expect(first).toHaveAttribute("aria-expanded", "true");
});

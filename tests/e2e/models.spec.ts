import { expect, type Page } from "@playwright/test";
import { test } from "./support/member";

/** The aliases in the order of the rows. */
function aliases(page: Page): Promise<string[]> {
  return page.getByRole("table", { name: "Models and prices" }).locator("tbody code").allTextContents();
}

interface Model {
  id: string;
  kind: string;
  protocols: string[];
  capabilities: string[];
  prices: { input: number };
}

test("models are sorted by price and filtered by kind, protocol and what they support, and the address keeps both", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/models");
  const { data } = (await (await page.request.get("/api/user/models")).json()) as { data: Model[] };
  const price = (id: string) => data.find((model) => model.id === id)?.prices.input ?? Number.NaN;
  const head = page.getByRole("columnheader", { name: "Input" });
  await head.getByRole("button").click();
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  const cheapFirst = (await aliases(page)).map(price);
  expect(cheapFirst).toEqual([...cheapFirst].sort((a, b) => a - b));
  await head.getByRole("button").click();
  await expect(head).toHaveAttribute("aria-sort", "descending");
  const dearFirst = (await aliases(page)).map(price);
  expect(dearFirst).toEqual([...dearFirst].sort((a, b) => b - a));

  const protocol = page.getByLabel("Native protocol");
  await protocol.selectOption({ label: "chat" });
  const chats = data.filter(({ kind, protocols }) => kind === "generation" && protocols.includes("chat"));
  expect(chats.length, "embeddings are called in a form of their own").toBeLessThan(
    data.filter(({ protocols }) => protocols.includes("chat")).length,
  );
  await expect.poll(async () => (await aliases(page)).sort()).toEqual(chats.map(({ id }) => id).sort());
  await page.getByLabel("Kind", { exact: true }).selectOption({ label: "Text generation" });
  await protocol.selectOption({ label: "messages" });
  await page.getByLabel("Known to support").selectOption({ label: "Images in" });
  const wanted = data.filter(
    ({ kind, protocols, capabilities }) =>
      kind === "generation" && protocols.includes("messages") && capabilities.includes("images"),
  );
  expect(wanted.length).toBeGreaterThan(0);
  await expect.poll(async () => (await aliases(page)).sort()).toEqual(wanted.map(({ id }) => id).sort());
  await expect(page).toHaveURL(/=messages/); // addresses are written some time after the choice
  await page.reload();
  await expect(head).toHaveAttribute("aria-sort", "descending");
  await expect.poll(async () => (await aliases(page)).sort()).toEqual(wanted.map(({ id }) => id).sort());
});

test("a model opens from its name with its prices, its code and the way to the playground", async ({
  page,
  member: _member,
  consoleErrors,
}) => {
  await page.goto("/console/models");
  await page.getByRole("button", { name: "demo-messages", exact: true }).first().click();
  const drawer = page.getByRole("dialog", { name: "demo-messages" });
  await expect(page).toHaveURL(/model=demo-messages/);
  await page.reload();
  await expect(drawer).toContainText(/Cache read¥[\d.]+ per 1M tokens/);
  await expect(drawer.getByRole("tabpanel", { name: "curl" })).toContainText("$TOLLGATE_API_KEY");
  await drawer.getByRole("tab", { name: "OpenAI Python" }).click();
  await expect(drawer.getByRole("tabpanel", { name: "OpenAI Python" })).toContainText(
    'api_key=os.environ["TOLLGATE_API_KEY"]',
  );
  await drawer.getByRole("link", { name: "Open in Playground" }).click();
  await page.waitForURL("**/console/playground?model=demo-messages");
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("demo-messages");
  expect(consoleErrors).toEqual([]);
});

test("the clients of the code are one row, which scrolls to those that are out of sight", async ({
  page,
  member: _member,
}) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const address of ["/docs", "/console", "/console/models?model=demo-chat"]) {
      await page.goto(address);
      const last = page.getByRole("tab", { name: "Claude Code" });
      await expect(last, address).toBeAttached();
      const tabs = page.getByRole("tablist").filter({ has: last }).getByRole("tab");
      const tops = await tabs.evaluateAll((all) =>
        all.map((tab) => Math.round(tab.getBoundingClientRect().y)),
      );
      expect(new Set(tops).size, `${address} at ${width}`).toBe(1);
      await tabs.first().press("End");
      await expect(last).toBeInViewport({ ratio: 1 });
      await expect(last).toHaveAttribute("aria-selected", "true");
    }
  }
});

test("rows of models are low, need no scrolling, and mark the simulated ones in one column", async ({
  page,
  member: _member,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/console/models?model=demo-chat");
  const facts = page.getByRole("dialog").locator("dt");
  await expect(facts.nth(1)).toHaveText("Known to support");
  await expect(facts.nth(2)).toHaveText("Context");
  await expect(facts.nth(3)).toHaveText("Max. output");
  await page.keyboard.press("Escape");
  const marks = page
    .getByRole("table", { name: "Models and prices" })
    .getByText("Simulated", { exact: true });
  // A name is in one line, at its hyphens at most in two.
  const names = page.getByRole("table", { name: "Models and prices" }).locator("tbody td:first-child");
  const widths = await names.evaluateAll((found) => found.map((name) => name.getBoundingClientRect().width));
  expect(Math.min(...widths)).toBeGreaterThanOrEqual(208);
  const lefts = await marks.evaluateAll((found) => found.map((mark) => mark.getBoundingClientRect().left));
  expect(lefts.length).toBeGreaterThan(3);
  expect(new Set(lefts).size).toBe(1);
  // Rows are three lines high at most, four where there is less room, and no column is out of sight.
  const table = page.getByRole("table", { name: "Models and prices" });
  for (const width of [1440, 1280, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    const rows = table.locator("tbody tr");
    const heights = await rows.evaluateAll((found) => found.map((row) => row.clientHeight));
    expect(Math.max(...heights), `rows at ${width}`).toBeLessThan(width === 1440 ? 88 : 104);
    const hidden = await table.evaluate(({ parentElement: box }) =>
      box === null ? null : box.scrollWidth - box.clientWidth,
    );
    expect(hidden, `out of sight at ${width}`).toBe(0);
  }
});

test("an embedding model is called, and not tried in the playground", async ({ page }) => {
  await page.goto("/models");
  await page.getByRole("button", { name: "Call demo-embedding" }).click();
  const drawer = page.getByRole("dialog", { name: "demo-embedding" });
  await expect(drawer.getByRole("heading", { name: "Call demo-embedding" })).toBeVisible();
  await expect(drawer.getByRole("link", { name: /playground/i })).toHaveCount(0);
});

for (const [chosen, system] of [
  ["dark", "light"],
  ["light", "dark"],
] as const) {
  test(`the picture of the front page is in the chosen theme, and no other is loaded: ${chosen}`, async ({
    page,
    context,
    baseURL,
  }) => {
    await context.addCookies([{ name: "theme", value: chosen, url: baseURL ?? "" }]);
    await page.emulateMedia({ colorScheme: system });
    const loaded: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/screenshots/")) loaded.push(new URL(request.url()).pathname);
    });
    await page.goto("/");
    const picture = page.getByRole("img", { name: /^The page Usage/ });
    await picture.scrollIntoViewIfNeeded();
    await expect(picture).toHaveJSProperty("complete", true);
    await page.waitForLoadState("networkidle");
    expect(loaded).toEqual([`/screenshots/usage-${chosen}.webp`]);
  });
}

test("the landing page has a call to copy, a way to sign up, and its receipt from the first paint", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/");
  await expect(page.getByText(/You start with ¥\d+\.\d\d\. A call costs what/)).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign up" })).toHaveAttribute(
    "href",
    "/register",
  );
  const { models } = await (await page.request.get("/api/bootstrap")).json();
  const { input, output } = models.find(({ id }: { id: string }) => id === "demo-chat").prices;
  // 1,204 tokens read and 356 written, at cents per million.
  const cost = ((1_204 * input + 356 * output) / 1e8).toFixed(8).replace(/0+$/, "");
  const total = page.getByText(`¥${cost}`, { exact: true });
  const animated = await total.evaluate((element) => {
    const receipt = element.closest("dl");
    return receipt === null || receipt.getAnimations({ subtree: true }).length > 0;
  });
  expect(animated).toBe(false);
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(page.getByText("Copied", { exact: true })).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^curl http\S+\/v1\/chat\/completions[\s\S]*"model": "demo-chat"/,
  );
});

for (const path of ["/login", "/register"])
  test(`${path} begins in the field of the username`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByLabel("Username")).toBeFocused();
  });

test("the list is sorted by speed, and a model tells both medians or that there are too few streams", async ({
  page,
  member: _member,
}) => {
  await page.route("**/api/user/models/uptime", async (route) => {
    const response = await route.fetch();
    const uptime = await response.json();
    for (const model of uptime.models) {
      const fast = model.id === "demo-chat";
      model.firstTokenMs = fast ? 420 : null;
      model.tokensPerSecond = fast ? 61.5 : model.id === "demo-messages" ? 7.5 : null;
    }
    await route.fulfill({ response, json: uptime });
  });
  await page.goto("/console/models");
  const row = page.getByRole("row", { name: /^demo-chat/ }).first();
  await expect(row).toContainText("420 ms");
  const head = page.getByRole("columnheader", { name: "Tokens/s" });
  await head.getByRole("button").click();
  await expect(head).toHaveAttribute("aria-sort", "descending");
  await expect.poll(async () => (await aliases(page)).slice(0, 2)).toEqual(["demo-chat", "demo-messages"]);
  await page.getByRole("button", { name: "demo-messages", exact: true }).first().click();
  const drawer = page.getByRole("dialog", { name: "demo-messages" });
  await expect(drawer).toContainText("To the first tokenToo few streams in the last 7 days to tell");
  await expect(drawer).toContainText("7.5 tokens/s");
  await page.unrouteAll({ behavior: "ignoreErrors" }); // the page may be reading again
});

test("what a model can do is shown whole below its name", async ({ page, member: _member }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/console/models");
  const line = page
    .getByRole("table", { name: "Models and prices" })
    .getByText(/Images in\s· /)
    .first();
  await expect(line).toBeVisible();
  expect(
    await line.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBeLessThanOrEqual(0);
  expect(await line.textContent(), "no line begins with a dot").not.toContain(" ·");
});

test("the bars of a model have one width, whatever their state", async ({ page, member: _member }) => {
  await page.route("**/api/user/models/uptime", async (route) => {
    const response = await route.fetch();
    const uptime = await response.json();
    for (const { buckets } of uptime.models)
      for (const [at, bucket] of buckets.entries()) bucket.state = at % 3 === 0 ? "few" : "operational";
    await route.fulfill({ response, json: uptime });
  });
  await page.goto("/console/models?model=demo-chat");
  const bars = page.getByRole("dialog", { name: "demo-chat" }).getByRole("img", { name: /demo-chat/ });
  await expect(bars).toBeVisible();
  const widths = await bars
    .locator("> *")
    .evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width));
  expect(widths.length).toBeGreaterThan(20);
  expect(Math.max(...widths) - Math.min(...widths)).toBeLessThan(0.1);
  await page.unrouteAll({ behavior: "ignoreErrors" }); // the page may be reading again
});

test("an address with a model that is not there says so", async ({ page, member: _member }) => {
  for (const path of ["/models", "/console/models"]) {
    await page.goto(`${path}?model=not-there`);
    await expect(page.getByText("The model that this address names is not on this gateway.")).toBeVisible();
  }
});

test("the front page has the first call of the best known clients, and none moves what is below", async ({
  page,
}) => {
  await page.goto("/");
  const facts = page.getByRole("region", { name: /measured/i });
  const above = await facts.boundingBox();
  for (const [client, line] of [
    ["OpenAI", "client = OpenAI(base_url="],
    ["Anthropic", "Anthropic(base_url="],
    ["Claude Code", "ANTHROPIC_BASE_URL"],
  ] as const) {
    await page.getByRole("radio", { name: client }).check();
    await expect(page.getByRole("region", { name: client })).toContainText(line);
    expect((await facts.boundingBox())?.y).toBe(above?.y);
  }
});

test("/ leads to the search of the public list, and Escape empties and leaves it", async ({ page }) => {
  await page.goto("/models");
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox");
  await expect(search).toBeFocused();
  await page.keyboard.type("mess");
  await page.keyboard.press("Escape");
  await expect(search).toHaveValue("");
  await expect(search).not.toBeFocused();
});

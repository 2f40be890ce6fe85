import { expect, type Page } from "@playwright/test";
import { ask, callModel, makeKey, test } from "./support/member";
import { chooseModel } from "./support/playground";

interface Stats {
  totalRequests: number;
  totals: { cost: string; errorCount: number; requestCount: number };
}

test("a new request brings the balance up to date with it", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.goto("/console");
  const { requestId } = await callModel(request, secret);
  await page.waitForResponse(
    async (answer) => answer.url().includes("/api/user/logs") && (await answer.text()).includes(requestId),
  );
  await page.waitForResponse("**/api/user/self", { timeout: 5_000 });
});

test("the overview tells the numbers of one week: cost, requests, errors, balance, keys, reasons, limits", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { name: "Busiest" });
  for (const model of ["demo-chat", "demo-messages", "demo-chat", "no-such-model"])
    await callModel(request, secret, { model });
  const stats = await ask<Stats>(request, member, "/api/user/stats?period=7d&tz=Asia/Shanghai");
  expect(stats.totals).toMatchObject({ requestCount: 4, errorCount: 1 });
  await page.goto("/console");
  const card = (label: string) => page.getByText(label, { exact: true }).first().locator("..");
  await expect(card("Requests")).toContainText("4");
  await expect(card("Error rate")).toContainText("25.0%");
  await expect(card("Error rate")).toContainText("1 refused");
  await expect(card("Error rate")).not.toContainText("failed");
  await expect(card("Cost").getByTitle(`¥${Number(stats.totals.cost) / 100}`)).toBeVisible();
  await expect(page.getByText("Nothing in the previous 7 days")).toHaveCount(1);
  await expect(card("Balance")).toContainText("of ¥10.00 used");
  await expect(card("Balance")).toContainText("left at this rate");
  const keys = page.locator("section", { hasText: "Keys by cost" });
  await expect(keys.getByRole("listitem")).toHaveCount(1);
  await expect(keys.getByRole("link", { name: "Busiest" })).toHaveAttribute("href", /usage\?key=/);
  await expect(keys).toContainText("4 requests");
  await expect(page.getByRole("link", { name: "MODEL_NOT_FOUND" })).toHaveAttribute(
    "href",
    /logs\?code=MODEL_NOT_FOUND/,
  );
  const bars = page.getByRole("list", { name: /^Cost, last 7 days/ }).getByRole("link");
  await expect(bars).toHaveCount(7);
  await bars.last().focus();
  await expect(page.locator("figure")).toContainText("in progress");
  await expect(bars.last()).toHaveAttribute("href", /logs\?from=/);
  const heightOf = async (title: string) => {
    const box = await page.locator("section").filter({ hasText: title }).boundingBox();
    return Math.round(box?.height ?? 0);
  };
  await expect.poll(() => heightOf("Recent requests")).toBe(await heightOf("Cost, last 7 days, ¥"));
  const recent = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ hasText: /ago|now/ });
  await expect(recent).toHaveCount(4);
  await expect(recent.filter({ hasText: /Refused\s*404/ })).toHaveCount(1);
  await expect(page.getByText("Busiest · ")).toBeVisible();
  await expect(page.getByRole("meter", { name: "Requests a minute (RPM)" })).toHaveAttribute(
    "aria-valuetext",
    "3 of 600",
  );
  await recent.filter({ hasText: "demo-messages" }).getByRole("link").click();
  await page.waitForURL("**/console/logs?request=**");
});

/** The cards below the figures, each with its place and with how much of its lower end is empty. */
function cardsOf(page: Page) {
  return page.getByRole("main").evaluate((main) =>
    [...main.querySelectorAll("section")].map((card) => {
      const { left, right, bottom } = card.getBoundingClientRect();
      const parts = [...card.querySelectorAll("*")].filter((part) => part.childElementCount === 0);
      const last = Math.max(...parts.map((part) => part.getBoundingClientRect().bottom));
      return { left, right, empty: bottom - last };
    }),
  );
}

for (const keys of [0, 1, 3]) {
  test(`the cards of the overview have no empty half, with ${keys} keys, and stay in the page of a phone`, async ({
    page,
    request,
    member,
  }) => {
    const headers = { authorization: `Bearer ${member.token}` };
    for (let index = 0; index < Math.max(1, keys); index += 1) {
      const { id, secret } = await makeKey(request, member, { name: `Key ${index}` });
      for (let call = 0; call < 5; call += 1) await callModel(request, secret);
      if (keys === 0) await request.delete(`/api/user/tokens/${id}`, { headers });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto("/console");
    const limits = page.locator("section").filter({ hasText: "All limits" });
    await expect(limits).toContainText(keys === 0 ? "Create a key to see its limits." : "Tokens a minute");
    await expect(
      page.locator("section").filter({ hasText: "Keys by cost" }).getByRole("listitem"),
    ).toHaveCount(Math.max(1, keys));
    const cards = await cardsOf(page);
    expect(cards).toHaveLength(5);
    for (const { empty } of cards) expect(empty).toBeLessThan(80);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(async () => new Set((await cardsOf(page)).map(({ left }) => left)).size).toBe(1);
    for (const { right } of await cardsOf(page)) expect(right).toBeLessThanOrEqual(390);
  });
}

test("the overview is sent with its numbers, before any script has run", async ({
  page,
  browser,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { name: "Busiest" });
  for (const model of ["demo-chat", "no-such-model"]) await callModel(request, secret, { model });
  const context = await browser.newContext({ javaScriptEnabled: false });
  await context.addCookies(await page.context().cookies());
  const sent = await context.newPage();
  await sent.goto("/console");
  const card = (label: string) => sent.getByText(label, { exact: true }).first().locator("..");
  await expect(card("Requests")).toContainText("2");
  await expect(card("Error rate")).toContainText("50.0%");
  await expect(card("Balance")).toContainText("of ¥10.00 used");
  await expect(sent.getByRole("link", { name: "Busiest" })).toBeVisible();
  await expect(sent.getByRole("list", { name: /^Cost, last 7 days/ }).getByRole("link")).toHaveCount(7);
  await expect(sent.getByRole("link", { name: "demo-chat" })).toBeVisible();
  await context.close();
});

test("limits follow the key that is chosen, count down, and are not asked for while hidden", async ({
  page,
  request,
  member,
}) => {
  const slow = await makeKey(request, member, { name: "Slow", planId: 1 });
  await makeKey(request, member, { name: "Fast", planId: 3 });
  await callModel(request, slow.secret);
  await page.clock.install();
  await page.goto("/console/limits");
  await page.getByRole("main").getByRole("combobox").selectOption({ label: "Slow" });
  const minute = page.getByRole("meter", { name: "Requests a minute (RPM)" });
  await expect(minute).toHaveAttribute("aria-valuetext", "1 of 20");
  const left = page.getByText(/Frees up within \d+(\.\d)? s/).first();
  const before = await left.innerText();
  await page.clock.runFor(6_000);
  await expect(left).not.toHaveText(before);
  await expect(page.getByText("HTTP/1.1 429 Too Many Requests")).toBeVisible();
  let asked = 0;
  page.on("request", (sent) => {
    if (sent.url().includes("/limits")) asked += 1;
  });
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.clock.runFor(6_500);
  expect(asked).toBeLessThanOrEqual(1);
});

test("a pasted key is used as it is, stays in this tab's memory, and none is made", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { name: "Pasted" });
  await page.goto("/console/playground?model=demo-chat");
  await page.getByLabel(/A key that you paste/).check();
  await page.getByLabel("Message").fill("Hello");
  await expect(page.getByText("Not sent yet. API key: Paste a key first."), "beside Send").toBeVisible();
  await expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
  await page.getByLabel("API key", { exact: true }).fill("not a key");
  await expect(page.getByText("Not sent yet. API key: Paste a whole key first.")).toBeVisible();
  await expect(page.getByText(/not a whole key: it starts with tgw-/)).toBeVisible();
  await page.getByLabel("API key", { exact: true }).fill(secret);
  await page.getByLabel("Temperature: 1.0").press("Home");
  await page.getByLabel("Temperature: 0.0").press("ArrowRight");
  await page.getByLabel("System prompt").fill("Be brief.");
  await page.getByLabel("Stream the answer").uncheck();
  const [sent] = await Promise.all([
    page.waitForRequest("**/v1/chat/completions"),
    page.getByRole("button", { name: "Send" }).click(),
  ]);
  expect(sent.postDataJSON()).toMatchObject({
    model: "demo-chat",
    temperature: 0.1,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ],
  });
  await expect(page.getByRole("link", { name: "See it in the logs" })).toBeVisible();
  const { data } = await ask<{ data: Array<{ name: string }> }>(request, member, "/api/user/tokens");
  expect(data.map((key) => key.name)).toEqual(["Pasted"]);
  const kept = await page.evaluate(() =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      location.href,
      history.state,
    ]),
  );
  expect(kept).not.toContain(secret);
  await expect(page.locator("main")).not.toContainText(secret);
});

test("the playground says in words why a call was refused, and that a failed one costs nothing", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { models: ["demo-messages", "zz-file-model"] });
  await page.goto("/console/playground?model=demo-chat");
  await page.getByLabel(/A key that you paste/).check();
  await page.getByLabel("API key", { exact: true }).fill(secret);
  const alert = page.getByRole("alert").filter({ hasText: /\S/ });
  const send = async () => {
    await page.getByLabel("Message").fill("Hello");
    await page.getByRole("button", { name: "Send" }).click();
  };
  await send();
  await expect(alert).toContainText("This key may not do that");
  await expect(alert).not.toContainText("Nothing was billed.");
  await chooseModel(page, "Model", "zz-file-model");
  await send();
  await expect(alert.last()).toContainText(/Something went wrong|All nodes for this model are unavailable/);
  await expect(alert.last()).toContainText("Nothing was billed.");
});

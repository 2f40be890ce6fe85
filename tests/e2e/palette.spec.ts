import { expect } from "@playwright/test";
import { callModel, makeKey, test } from "./support/member";

test("the command palette goes anywhere with the keyboard", async ({ page, member: _member }) => {
  await page.goto("/console");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("billing");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/console/billing");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: /^Search pages/ })).toBeFocused();
  await page.keyboard.type("nothing-like-this");
  await expect(page.getByText("Nothing found")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("the palette opens at once after a dialog was closed", async ({ page, member: _member }) => {
  await page.goto("/console/keys");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: /^Search pages/ })).toBeFocused();
  await page.keyboard.type("usag");
  await expect(page.getByRole("combobox")).toHaveValue("usag");
});

test("the palette takes the place of the list of shortcuts, and its keys close it", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/keys");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a dialog that the palette opened gives the focus to what opens it on the page", async ({
  page,
  request,
  member,
}) => {
  await makeKey(request, member, { name: "First" });
  for (const from of ["/console/keys", "/console/usage"]) {
    await page.goto(from);
    if (from === "/console/keys") await expect(page.getByRole("button", { name: "Columns" })).toBeVisible();
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: /^Search pages/ })).toBeFocused();
    await page.keyboard.type("create");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: "Create an API key" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Create key" }).first(), from).toBeFocused();
  }
});

test("“Logs of…” lists keys and models to choose from", async ({ page, request, member }) => {
  await makeKey(request, member, { name: "My laptop" });
  await page.goto("/console");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: /^Search pages/ })).toBeFocused();
  await page.keyboard.type("logs of");
  await page.getByRole("option", { name: "Logs of…" }).click();
  await expect(page.getByRole("combobox")).toHaveValue("Logs of ");
  await expect(page.getByRole("option", { name: "Logs of My laptop" })).toBeVisible();
  await expect(page.getByRole("option", { name: "Logs of demo-chat" })).toBeVisible();
  await expect(page.getByRole("option", { name: "Logs of…" })).toHaveCount(0);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/console\/logs\?(key|model)=/);
});

test("the palette offers the themes and languages that are not in use", async ({ page, member: _member }) => {
  await page.goto("/console");
  const offered = async (typed: string) => {
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill(typed);
    return page.getByRole("option", { name: /^(Theme|Language|Switch)/ }).allInnerTexts();
  };
  expect(await offered("theme")).toEqual(["Theme: Light", "Theme: Dark"]);
  await page.getByRole("option", { name: "Theme: Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  expect(await offered("theme")).toEqual(["Theme: Light", "Theme: System"]);
  await page.keyboard.press("Escape");
  expect(await offered("language")).toEqual([expect.stringContaining("简体中文")]);
});

test("a Chinese word of two characters finds a guide", async ({ page, member: _member }) => {
  await page.context().addCookies([{ name: "locale", value: "zh-CN", url: "http://127.0.0.1" }]);
  await page.goto("/console");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("嵌入");
  await expect(page.getByRole("option", { name: /^嵌入/ })).toBeVisible();
});

test("the palette finds the account's keys, models and a pasted request id, and pages by other words", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { name: "My laptop" });
  const { requestId } = await callModel(request, secret);
  await page.goto("/console/billing");
  const asked: string[] = [];
  page.on("request", (sent) => asked.push(new URL(sent.url()).pathname));
  await page.keyboard.press("Control+k");
  const box = page.getByRole("dialog").getByRole("combobox");
  await expect(box).toBeFocused();
  expect(asked, "nothing is asked for before something is typed").not.toContain("/api/user/models");
  const option = (name: RegExp | string) => page.getByRole("option", { name });
  for (const [typed, found] of [
    ["laptop", /My laptop/],
    ["demo-mess", /demo-messages/],
    [requestId, /demo-chat/],
    ["chinese", /简体中文/],
    ["price", "Models"],
    ["docs", "Docs"],
    ["429", /Limits and headers/],
    ["embeddings", /Embeddings/],
    ["log out", "Sign out"],
  ] as const) {
    await box.fill(typed);
    await expect(option(found).first(), typed).toBeVisible();
  }
  await box.fill("stream");
  await expect(page.getByRole("option", { selected: true })).toHaveText(/^Streaming/);
  await box.fill("dark");
  await expect(option("Theme: Dark")).toBeVisible();
  await expect(page.getByRole("option"), "no page of the docs that just has the word").toHaveCount(1);
  await box.fill(requestId);
  await option(/demo-chat/).click();
  await page.waitForURL(`**/console/logs?request=${requestId}`);
  await expect(page.getByRole("dialog", { name: "Request" })).toContainText(requestId);
  await page.goto("/console/billing");
  await page.keyboard.press("Control+k");
  await box.fill("laptop");
  await option(/My laptop/).click();
  await page.waitForURL("**/console/keys?key=**");
  const drawer = page.getByRole("dialog", { name: "My laptop" });
  await expect(drawer).toBeVisible();
  await page.reload();
  await expect(drawer).toBeVisible();
  await page.evaluate(() => window.history.back());
  await expect(drawer).toBeHidden();
  await expect(page).toHaveURL(/\/console\/keys$/);
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/^Page, action/).fill("demo-mess");
  await option(/demo-messages/).click();
  await page.waitForURL("**/console/models?model=demo-messages");
  await expect(page.getByRole("dialog", { name: "demo-messages" })).toBeVisible();
  await page.keyboard.press("Escape");
  for (const [typed, found, address] of [
    ["logs demo-mess", "Logs of demo-messages", /\/console\/logs\?model=demo-messages/],
    ["logs of laptop", "Logs of My laptop", /\/console\/logs\?key=/],
  ] as const) {
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/^Page, action/).fill(typed);
    await expect(option(new RegExp(found))).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(address);
  }
});

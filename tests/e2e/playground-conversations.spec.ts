import { expect, type Page } from "@playwright/test";
import { axeViolations, smallTargets } from "./support/axe";
import { test } from "./support/member";
import { answerWith, PLAYGROUND, say } from "./support/playground";
import { waitForTakeover } from "./support/taken-over";

const list = (page: Page) => page.getByRole("list", { name: "Conversations" }).getByRole("listitem");
const openList = (page: Page) => page.getByRole("button", { name: "Conversations", exact: true }).click();
const keptTexts = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((name) => name.startsWith("tollgate-conversation:"))
      .map((name) => localStorage.getItem(name) ?? ""),
  );

/** Sends a message and waits for its whole answer. */
async function ask(page: Page, message: string): Promise<void> {
  await say(page, message);
  await expect(page.getByRole("article").last()).toContainText("Answered");
  await expect(page.getByRole("button", { name: "Ask again" })).toBeVisible();
}

test("conversations are kept in a list, are opened with their models and texts, and are renamed and deleted", async ({
  page,
  member: _member,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await answerWith(page, "Answered");
  await page.goto(PLAYGROUND);
  await openList(page);
  await expect(page.getByText("None yet.")).toBeVisible();
  await page.getByLabel("System prompt").fill("Be brief");
  await ask(page, "First question");
  await expect(list(page)).toHaveCount(1);
  await page.getByRole("button", { name: "New conversation" }).click();
  await page.getByLabel("System prompt").fill("");
  await ask(page, "Second question");
  await ask(page, "And a third");
  await expect(list(page)).toHaveCount(2);
  await expect(list(page).first()).toContainText("Second question");
  await expect(list(page).first()).toContainText("demo-chat");
  await expect(list(page).first().getByRole("button").first()).toHaveAttribute("aria-current", "true");
  await page.reload();
  await openList(page);
  await list(page).nth(1).getByRole("button").first().click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(page.getByLabel("System prompt")).toHaveValue("Be brief");
  expect([...(await axeViolations(page)), ...(await smallTargets(page))]).toEqual([]);
  await page.getByRole("button", { name: "Actions for First question" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByLabel("New title").fill("My title");
  await page.getByLabel("New title").press("Enter");
  await expect(list(page).filter({ hasText: "My title" })).toHaveCount(1);
  await ask(page, "It goes on");
  await expect(list(page).first()).toContainText("My title");
  await page.getByRole("button", { name: "Actions for My title" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(list(page)).toHaveCount(1);
  await expect(page.getByText("What would you like to ask?")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect(list(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Delete all" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete all" }).click();
  await expect(list(page)).toHaveCount(0);
  expect(await keptTexts(page)).toEqual([]);
});

test("the list tells what a conversation has cost beside what is cut", async ({ page, member: _member }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(PLAYGROUND);
  await openList(page);
  await say(page, "What does this cost?");
  const cost = list(page)
    .first()
    .getByText(/^¥0\.\d+$/);
  await expect(cost).toBeVisible();
  const row = await list(page).first().getByRole("button").first().boundingBox();
  const shown = await cost.boundingBox();
  expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual((row?.x ?? 0) + (row?.width ?? 0));
});

test("two tabs with one conversation lose nothing of it", async ({ page, context, member: _member }) => {
  await answerWith(page, "Answered");
  await page.goto(PLAYGROUND);
  await ask(page, "Shared question");
  const other = await context.newPage();
  waitForTakeover(other);
  await other.setViewportSize({ width: 1440, height: 900 });
  await answerWith(other, "Answered");
  await other.goto(PLAYGROUND);
  await openList(other);
  await list(other).getByRole("button").first().click();
  await ask(other, "Asked in the other tab");
  await ask(page, "Asked in the first tab");
  await expect(list(other)).toHaveCount(2);
  const texts = await keptTexts(page);
  expect(texts.filter((text) => text.includes("Asked in the other tab"))).toHaveLength(1);
  expect(texts.filter((text) => text.includes("Asked in the first tab"))).toHaveLength(1);
});

test("the oldest conversation makes room, which is said, and signing out deletes all", async ({
  page,
  member: _member,
}) => {
  await answerWith(page, "Answered");
  await page.goto(PLAYGROUND);
  await ask(page, "The first one");
  await page.evaluate(() => {
    for (let number = 1; number < 50; number += 1) {
      const at = new Date(Date.UTC(2020, 0, number)).toISOString();
      const summary = { id: `${number}`, revision: "1", title: `Old ${number}`, named: false, at };
      const text = `${JSON.stringify({ ...summary, models: [], cost: null })}\n{"exchanges":[]}`;
      localStorage.setItem(`tollgate-conversation:${number}`, text);
    }
  });
  await page.getByRole("button", { name: "New", exact: true }).click();
  await ask(page, "One more");
  await expect(page.getByText("“Old 1” was the oldest conversation and is deleted")).toBeVisible();
  expect(await keptTexts(page)).toHaveLength(50);
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("/");
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes("conversation"))),
  ).toEqual([]);
});

test("any message is edited, and what came of it stays as a version", async ({ page, member: _member }) => {
  await answerWith(page, "Answered");
  await page.goto(PLAYGROUND);
  await ask(page, "One");
  await ask(page, "Two");
  const message = page.getByLabel("Message", { exact: true });
  await page.getByRole("button", { name: "Edit the message" }).first().click();
  await expect(message).toHaveValue("One");
  await expect(page.getByRole("article")).toHaveCount(0);
  await page.reload(); // nothing is lost before it is sent
  await expect(page.getByRole("article")).toHaveCount(2);
  await message.fill("");
  await page.getByRole("button", { name: "Edit the message" }).first().click();
  await ask(page, "One, otherwise");
  await expect(page.getByRole("article")).toHaveCount(1);
  const versions = page.getByRole("group", { name: "Versions from here on" });
  await expect(versions).toContainText("2 / 2");
  await versions.getByRole("button", { name: "Previous version" }).click();
  await expect(page.getByText("Two", { exact: true })).toBeVisible();
  await page.reload();
  await expect(versions).toContainText("1 / 2");
  await versions.getByRole("button", { name: "Next version" }).click();
  await expect(page.getByText("One, otherwise", { exact: true })).toBeVisible();
  await message.press("ArrowUp");
  await expect(message).toHaveValue("One, otherwise");
  await expect(page.getByRole("article")).toHaveCount(0);
  await message.press("Escape");
  await expect(page.getByRole("article"), "it was not to be edited after all").toHaveCount(1);
  await expect(message).toHaveValue("");
  await expect(message).toBeFocused();
});

test("on a phone the conversations are a sheet, and Escape stops an answer", async ({
  page,
  member: _member,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(PLAYGROUND);
  await page.route("**/v1/chat/completions", () => {}); // no answer ever comes
  await say(page, "Write a very long story about a lighthouse");
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Stopped by you.").first()).toBeVisible();
  await openList(page);
  const sheet = page.getByRole("dialog", { name: "Conversations" });
  await expect(sheet.getByRole("listitem")).toContainText("Write a very long story");
  expect([...(await axeViolations(page)), ...(await smallTargets(page))]).toEqual([]);
  await sheet.getByRole("button", { name: "New conversation" }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByText("What would you like to ask?")).toBeVisible();
});

test("stopping with the button gives the focus back to the message", async ({ page, member: _member }) => {
  await page.goto(PLAYGROUND);
  await page.route("**/v1/chat/completions", () => {}); // no answer ever comes
  await say(page, "Write a very long story about a lighthouse");
  await page.getByRole("button", { name: "Stop" }).press("Enter");
  await expect(page.getByText("Stopped by you.").first()).toBeVisible();
  await expect(page.getByLabel("Message", { exact: true })).toBeFocused();
});

test("an Escape that was to stop an answer, and came after its end, leaves nothing", async ({
  page,
  member: _member,
}) => {
  await page.goto(PLAYGROUND);
  await say(page, "Hi");
  const message = page.getByLabel("Message", { exact: true });
  await expect(page.getByRole("article").getByText(/ in, \d+ out/)).toBeVisible();
  await message.press("Escape");
  await page.keyboard.type("could glue");
  await expect(message).toHaveValue("could glue");
});

test("the conversation is copied as Markdown and as JSON", async ({ page, context, member: _member }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await answerWith(page, "Answered **well**");
  await page.goto(PLAYGROUND);
  await page.getByLabel("System prompt").fill("Be brief");
  await ask(page, "How?");
  const copied = async (name: string) => {
    await page.getByRole("button", { name: "Copy as" }).click();
    await page.getByRole("menuitem", { name }).click();
    await expect(page.getByRole("menuitem")).toHaveCount(0);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await copied("Conversation as Markdown")).toBe(
    "## System prompt\n\nBe brief\n\n## You\n\nHow?\n\n## demo-chat\n\nAnswered **well**\n",
  );
  expect(JSON.parse(await copied("Conversation as JSON"))).toMatchObject({
    system: "Be brief",
    messages: [
      { role: "user", content: "How?" },
      { role: "assistant", model: "demo-chat", content: "Answered **well**" },
    ],
  });
});

import { expect, type Page } from "@playwright/test";
import { axeViolations, smallTargets } from "./support/axe";
import { ask, test } from "./support/member";

const PATH = "/console/playground?model=demo-chat";

async function say(page: Page, message: string): Promise<void> {
  await page.getByLabel("Message").fill(message);
  await page.getByRole("button", { name: "Send" }).click();
}

/** An answer of the model API with this text. */
async function answerWith(page: Page, content: string): Promise<void> {
  const chunk = { choices: [{ index: 0, delta: { content }, finish_reason: "stop" }] };
  await page.route("**/v1/chat/completions", (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`,
    }),
  );
}

/** An answer of the model API that grows as the test writes it. */
async function answerAsWritten(page: Page): Promise<(event: object) => Promise<void>> {
  await page.addInitScript(() => {
    const real = window.fetch;
    window.fetch = async (input, init) => {
      if (!String(input).endsWith("/v1/chat/completions")) return real(input, init);
      const body = new ReadableStream({
        start: (stream) => {
          document.documentElement.dataset.asked = "";
          window.addEventListener("written", (event) => {
            if (event instanceof CustomEvent) stream.enqueue(new TextEncoder().encode(event.detail));
          });
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
  });
  return (event) =>
    page.evaluate(
      (detail) => void window.dispatchEvent(new CustomEvent("written", { detail })),
      `data: ${JSON.stringify(event)}\n\n`,
    );
}

test("the end of a growing answer stays in view until somebody scrolls up, and an error comes into view", async ({
  page,
  member: _member,
}) => {
  const write = await answerAsWritten(page);
  const lines = (word: string) => Array.from({ length: 60 }, (_, at) => `${word} ${at + 1}\n\n`).join("");
  const writeLines = (word: string) => write({ choices: [{ index: 0, delta: { content: lines(word) } }] });
  await page.goto(PATH);
  await say(page, "Write a lot");
  await expect(page.locator("html[data-asked]")).toBeAttached();
  const toLatest = page.getByRole("button", { name: "Jump to latest" });
  const line = (text: string) => page.getByRole("article").getByText(text, { exact: true });
  for (const word of ["one", "two"]) {
    await writeLines(word);
    await expect(line(`${word} 60`)).toBeInViewport();
  }
  await expect(toLatest).toHaveCount(0);
  await page.getByRole("group", { name: "Conversation" }).hover();
  await page.mouse.wheel(0, -300);
  await expect(toLatest).toBeVisible();
  await writeLines("three");
  await expect(line("three 60")).toBeAttached();
  await expect(line("three 60")).not.toBeInViewport();
  await toLatest.click();
  await expect(line("three 60")).toBeInViewport();
  await expect(toLatest).toHaveCount(0);
  await page.mouse.wheel(0, -300);
  await expect(toLatest).toBeVisible();
  await write({ error: { message: "The provider broke off." } });
  await expect(page.getByText("The provider broke off.")).toBeInViewport();
});

test("a tool that a model calls gets its result, and the answer goes on, in every protocol", async ({
  page,
  member: _member,
}) => {
  for (const protocol of ["chat", "messages", "responses"]) {
    await page.goto(`${PATH}&protocol=${protocol}`, { waitUntil: "networkidle" });
    await page.getByLabel("Tools (JSON)").fill('[{"name": "weather"}]');
    await say(page, "What is the weather in Rome?");
    const answer = page.getByRole("article");
    await answer.getByLabel("Result of weather").fill("21 degrees");
    await answer.getByRole("button", { name: "Continue" }).click();
    await expect(answer, protocol).toContainText("The tool weather answered: “21 degrees”.");
    await expect(answer.getByRole("region", { name: "Result of weather" })).toContainText("21 degrees");
    await expect(answer.getByText(/ in, \d+ out/)).toHaveCount(2);
    await page.getByRole("button", { name: "New", exact: true }).click();
  }
});

test("a reload keeps the conversation and what is being written, and New forgets it", async ({
  page,
  member: _member,
}) => {
  await page.goto(PATH);
  await page.getByLabel("Message").fill("Remember this sentence");
  await page.getByLabel("System prompt").fill("Be brief");
  await page.reload();
  await expect(page.getByLabel("Message")).toHaveValue("Remember this sentence");
  await expect(page.getByLabel("System prompt")).toHaveValue("Be brief");
  await page.getByLabel("System prompt").fill("");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("link", { name: "See it in the logs" })).toBeVisible({ timeout: 30_000 });
  await page.reload();
  await expect(page.getByText("Remember this sentence", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Message")).toHaveValue("");
  await expect(page.getByText(/ in, \d+ out/)).toBeVisible();
  await page.getByRole("button", { name: "New", exact: true }).click();
  await expect(page.getByText("What would you like to ask?")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Remember this sentence", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "New", exact: true }).click();
  await expect(page.getByText("What would you like to ask?")).toBeVisible();
  await page.reload();
  await expect(page.getByText("What would you like to ask?")).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem("tollgate-playground"))).toBeNull();
});

test("three models answer side by side, and the address has the settings but never a text", async ({
  page,
  request,
  member,
}) => {
  await page.goto(PATH);
  await page.getByLabel("Compare with").selectOption("demo-mixed");
  await page.getByLabel("And with").selectOption("demo-messages");
  await page.getByLabel("System prompt").fill("Secret words");
  await page.getByLabel("Max. tokens").fill("50");
  await say(page, "Compare yourselves");
  await expect(page.getByText("Waiting: the limits of your key")).toBeVisible();
  for (const model of ["demo-chat", "demo-mixed", "demo-messages"]) {
    const answer = page.getByRole("article", { name: `Answer of ${model}` });
    await expect(answer.getByText(/ in, \d+ out/)).toBeVisible({ timeout: 30_000 });
  }
  const url = new URL(page.url());
  expect([url.searchParams.get("model"), url.searchParams.get("max")]).toEqual([
    "demo-chat,demo-mixed,demo-messages",
    "50",
  ]);
  expect(decodeURIComponent(url.href)).not.toMatch(/Secret|yourselves/);
  const { data } = await ask<{ data: Array<{ httpStatus: number }> }>(request, member, "/api/user/logs");
  expect(data.map(({ httpStatus }) => httpStatus)).toEqual([200, 200, 200]);
  await page.reload();
  await expect(page.getByLabel("Compare with")).toHaveValue("demo-mixed");
  await expect(page.getByLabel("And with")).toHaveValue("demo-messages");
});

test("a link has the settings with system prompt and tools, which the address does not keep", async ({
  page,
  context,
  member: _member,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${PATH},demo-mixed&max=77`);
  await page.getByLabel("System prompt").fill("Be brief");
  await page.getByLabel("Tools (JSON)").fill('[{"name": "weather"}]');
  await page.getByText("More", { exact: true }).click();
  await page.getByLabel("Top P").fill("0.5");
  await page.getByLabel("Stop sequences").fill("END");
  await page.getByRole("slider", { name: "Temperature: 1.0" }).fill("1.5");
  await page.getByRole("button", { name: "Copy as" }).click();
  await page.getByRole("menuitem", { name: "Link to these settings" }).click();
  await expect(page.getByText("Link copied, with system prompt, tools and stop sequences.")).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).search).not.toMatch(/brief|END/);

  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByLabel("System prompt")).toHaveValue("Be brief");
  await expect(other.getByLabel("Tools (JSON)")).toHaveValue('[{"name": "weather"}]');
  await expect(other.getByLabel("Compare with")).toHaveValue("demo-mixed");
  await expect(other.getByLabel("Max. tokens")).toHaveValue("77");
  await expect(other.getByLabel("Top P")).toHaveValue("0.5");
  await expect(other.getByLabel("Stop sequences")).toHaveValue("END");
  expect(new URL(other.url()).hash).toBe("");
  await other.getByLabel("Protocol").selectOption("responses");
  await expect(other.getByLabel("Stop sequences")).toHaveCount(0);
  await expect(other.getByText("Temperature: 1.5")).toBeVisible();
  await other.getByLabel("Protocol").selectOption("messages");
  await expect(other.getByText("Temperature: 1.0")).toBeVisible();

  await page.getByRole("textbox", { name: /^System prompt/ }).fill("long ".repeat(2_000));
  await page.getByRole("button", { name: "Copy as" }).click();
  await page.getByRole("menuitem", { name: "Link to these settings" }).click();
  await expect(page.getByText("Link copied without system prompt, tools and stop sequences")).toBeVisible();
});

test("Markdown becomes elements, HTML in it stays text, and nothing is loaded", async ({
  page,
  member: _member,
}) => {
  const text = [
    "**Bold** and `code` <img src=x onerror=alert(1)> ![pixel](https://evil.example/p.png)",
    "[bad](javascript:alert(1)) [good](https://good.example/)",
    "```js\nconst one = 1;\n```",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "- first\n- second",
  ].join("\n\n");
  await answerWith(page, text);
  await page.goto(PATH);
  await say(page, "Format it");
  const answer = page.getByRole("article", { name: "Answer of demo-chat" });
  await expect(answer.locator("strong")).toHaveText("Bold");
  await expect(answer.getByRole("listitem")).toHaveText(["first", "second"]);
  await expect(answer.getByRole("cell", { name: "2" })).toBeVisible();
  await expect(answer.getByText("<img src=x onerror=alert(1)>")).toBeVisible();
  await expect(answer.locator("img")).toHaveCount(0);
  await expect(answer.getByRole("link", { name: "good" })).toHaveAttribute("href", "https://good.example/");
  await expect(answer.getByRole("link", { name: "bad" })).toHaveCount(0);
  await expect(answer.getByRole("button", { name: "Copy code" })).toBeVisible();
  expect([...(await axeViolations(page)), ...(await smallTargets(page))]).toEqual([]);
});

test("tools that are no JSON are explained, and nothing is sent", async ({ page, member: _member }) => {
  await page.goto(PATH);
  await page.getByLabel("Message").fill("Hello");
  await page.getByLabel("Tools (JSON)").fill('[\n  {"name": weather}\n]');
  await expect(page.getByText("“weather” cannot stand in line 2, column 12.")).toBeVisible();
  await page.getByLabel("Tools (JSON)").fill('[{"name": "a b"}]');
  await expect(page.getByText("Tool 1 needs a name")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
  await page.getByLabel("Tools (JSON)").fill('[{"name": "weather"}]');
  const [sent] = await Promise.all([
    page.waitForRequest("**/v1/chat/completions"),
    page.getByLabel("Message").press("Enter"),
  ]);
  expect(sent.postDataJSON().tools).toMatchObject([{ function: { name: "weather" } }]);
});

test("on a phone the settings are a sheet, and the composer stays in view", async ({
  page,
  member: _member,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await answerWith(page, "word ".repeat(2_000));
  await page.goto(PATH);
  await say(page, "Fill the page");
  await expect(page.getByLabel("Message")).toBeInViewport();
  await expect(page.getByRole("paragraph").filter({ hasText: /^Model: demo-chat$/ })).toBeInViewport();
  await page.getByRole("button", { name: "Parameters" }).click();
  const sheet = page.getByRole("dialog", { name: "Parameters" });
  await expect(sheet.getByLabel("Protocol")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("the settings fold away", async ({ page, member: _member }) => {
  await page.goto(PATH);
  const toggle = page.getByRole("button", { name: "Parameters" });
  await toggle.press("Enter");
  await expect(toggle).toHaveAttribute("aria-expanded", "false");
  await expect(page.getByLabel("Protocol")).toBeHidden();
});

test("a call is copied as code without the key", async ({ page, context, member: _member }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(PATH);
  await page.getByRole("button", { name: "Copy as" }).click();
  await page.getByRole("menuitem", { name: "Python SDK" }).click();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  expect(code).toContain("client.chat.completions.create(");
  expect(code).not.toContain("tgw-");
});

test("an example fills the message, and the first model is that of the demo", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/playground");
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("demo-chat");
  const examples = page.getByRole("list", { name: "Examples" }).getByRole("button");
  const words = await examples.first().innerText();
  await examples.first().click();
  await expect(page.getByLabel("Message")).toHaveValue(words);
  await expect(page.getByLabel("Message")).toBeFocused();
  await expect(examples).toHaveCount(0);
  await expect(page.getByText("A key that you paste")).toBeInViewport();
});

test("a refused call is not called an answer, and is asked again or written anew in its place", async ({
  page,
  member: _member,
}) => {
  await page.goto(PATH);
  await expect(page.getByLabel("Message")).toBeFocused();
  await page.getByLabel(/A key that you paste/).check();
  await page.getByLabel("API key", { exact: true }).fill(`tgw-${"0".repeat(46)}`);
  await say(page, "Who are you?");
  await expect(page.getByRole("alert").filter({ hasText: "The key is refused" })).toBeVisible();
  await expect(page.getByText("The call failed.")).toBeAttached();
  await expect(page.getByText("The answer is complete.")).toHaveCount(0);
  await page.getByLabel(/Your console key/).check();
  await page.getByRole("button", { name: "Ask again" }).click();
  await expect(page.getByText("The answer is complete.")).toBeAttached();
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.getByRole("button", { name: "Edit the message" }).click();
  await expect(page.getByLabel("Message")).toHaveValue("Who are you?");
  await expect(page.getByLabel("Message")).toBeFocused();
  await expect(page.getByRole("article")).toHaveCount(0);
});

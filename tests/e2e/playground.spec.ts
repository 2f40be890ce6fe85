import { expect, type Page } from "@playwright/test";
import { axeViolations, smallTargets } from "./support/axe";
import { test } from "./support/member";
import { answerWith, PLAYGROUND, say } from "./support/playground";

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

test("the Playground comes with its models: nothing is said to be missing while the browser asks", async ({
  page,
  member: _member,
}) => {
  await page.route("**/api/user/models", () => new Promise(() => {}));
  await page.goto(PLAYGROUND);
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("demo-chat");
  await expect(page.getByText("No model is live on this gateway yet.")).toHaveCount(0);
});

test("the end of a growing answer stays in view until somebody scrolls up, and an error comes into view", async ({
  page,
  member: _member,
}) => {
  const write = await answerAsWritten(page);
  const lines = (word: string) => Array.from({ length: 60 }, (_, at) => `${word} ${at + 1}\n\n`).join("");
  const writeLines = (word: string) => write({ choices: [{ index: 0, delta: { content: lines(word) } }] });
  await page.goto(PLAYGROUND);
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
    await page.goto(`${PLAYGROUND}&protocol=${protocol}`, { waitUntil: "networkidle" });
    await page.getByText("All as JSON").click();
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
  await page.goto(PLAYGROUND);
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
  await page.getByRole("button", { name: "Raw" }).click();
  const request = page.getByRole("dialog", { name: "Raw" }).getByRole("region", { name: "Request" });
  await expect(request).toContainText("Remember this sentence");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "New", exact: true }).click();
  await expect(page.getByText("What would you like to ask?")).toBeVisible();
  await page.getByRole("group", { name: "Conversation" }).getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Remember this sentence", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "New", exact: true }).click();
  await expect(page.getByText("What would you like to ask?")).toBeVisible();
  await page.reload();
  await expect(page.getByText("What would you like to ask?")).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem("tollgate-playground"))).toBeNull();
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
  await page.goto(PLAYGROUND);
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

test("on a phone the settings are a sheet, and the composer stays in view", async ({
  page,
  member: _member,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await answerWith(page, "word ".repeat(2_000));
  await page.goto(PLAYGROUND);
  await say(page, "Fill the page");
  await expect(page.getByLabel("Message")).toBeInViewport();
  expect((await page.getByLabel("Message").boundingBox())?.width).toBeGreaterThan(300);
  const models = page.getByRole("list", { name: "Asked" }).getByRole("listitem");
  await expect(models).toHaveText(["demo-chat"]);
  await expect(models).toBeInViewport();
  await page.getByRole("button", { name: "Parameters" }).click();
  const sheet = page.getByRole("dialog", { name: "Parameters" });
  await expect(sheet.getByLabel("Protocol")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("a refused call is not called an answer, and is asked again or written anew in its place", async ({
  page,
  member: _member,
}) => {
  await page.goto(PLAYGROUND);
  await expect(page.getByLabel("Message")).toBeFocused();
  await page.getByLabel(/A key that you paste/).check();
  await page.getByLabel("API key", { exact: true }).fill(`tgw-${"0".repeat(46)}`);
  await say(page, "Who are you?");
  const refusal = page.getByRole("alert").filter({ hasText: "The key is refused" });
  await expect(refusal).toBeVisible();
  await expect(page.getByText("The call failed.")).toBeAttached();
  const said = await refusal.innerText();
  await page.reload();
  await expect(refusal, "after a reload").toHaveText(said, { useInnerText: true });
  await expect(page.getByText(/ in, . out/)).toHaveCount(0);
  await expect(page.getByText("The answer is complete.")).toHaveCount(0);
  await page.getByLabel(/Your console key/).check();
  await page.getByRole("button", { name: "Ask again" }).click();
  await expect(page.getByText("The answer is complete.")).toBeAttached();
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.getByRole("button", { name: "Edit the message" }).click();
  await expect(page.getByLabel("Message")).toHaveValue("Who are you?");
  await expect(page.getByLabel("Message")).toBeFocused();
  await expect(page.getByRole("article")).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(page.getByLabel("Message")).toHaveValue("");
  await page.getByLabel("Max. tokens").fill("2");
  await say(page, "Count to a hundred");
  await expect(page.getByText("The answer was cut off at the most tokens").first()).toBeVisible();
  await expect(page.getByText("end: length")).toBeVisible();
});

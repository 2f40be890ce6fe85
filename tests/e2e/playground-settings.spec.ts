import { expect } from "@playwright/test";
import { ask, test } from "./support/member";
import { ADMIN, freshName } from "./support/people";
import { chooseModel, PLAYGROUND, say } from "./support/playground";

test("three models answer side by side, and the address has the settings but never a text", async ({
  page,
  request,
  member,
}) => {
  await page.goto(PLAYGROUND);
  await chooseModel(page, "Compare with", "demo-mixed");
  await chooseModel(page, "And with", "demo-messages");
  await page.getByLabel("System prompt").fill("Secret words");
  await page.getByLabel("Max. tokens").fill("50");
  // The answer repeats it: a short one may arrive at once, and has no speed then.
  await say(page, `Compare yourselves${", and say more".repeat(40)}`);
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
  await page.getByLabel("Compare with").press("Escape");
  await expect(page.getByLabel("Compare with")).toHaveValue("demo-mixed");
  await expect(page.getByLabel("And with")).toHaveValue("demo-messages");
});

test("a link has the settings with system prompt and tools, which the address does not keep", async ({
  page,
  context,
  member: _member,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${PLAYGROUND},demo-mixed&max=77`);
  await page.getByLabel("System prompt").fill("Be brief");
  await page.getByText("All as JSON").click();
  await page.getByLabel("Tools (JSON)").fill('[{"name": "weather"}]');
  await page.getByText("More", { exact: true }).click();
  await page.getByLabel("Top P").fill("0.5");
  await page.getByLabel("Stop sequences").fill("END");
  await page.getByRole("slider", { name: "Temperature: 1.0" }).fill("0.5");
  await page.getByRole("button", { name: "Copy as" }).click();
  await page.getByRole("menuitem", { name: "Link to these settings" }).click();
  await expect(
    page.getByText("Link copied, with system prompt, tools, stop sequences and JSON schema."),
  ).toBeVisible();
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
  await other.getByRole("slider", { name: "Temperature: 0.5" }).fill("1.5");
  await expect(other.getByText("Temperature: 1.5")).toBeVisible();
  await other.getByLabel("Protocol").selectOption("messages");
  await expect(other.getByText("Temperature: 1.0")).toBeVisible();

  await page.getByRole("textbox", { name: /^System prompt/ }).fill("long ".repeat(2_000));
  await page.getByRole("button", { name: "Copy as" }).click();
  await page.getByRole("menuitem", { name: "Link to these settings" }).click();
  await expect(
    page.getByText("Link copied without system prompt, tools, stop sequences and JSON schema"),
  ).toBeVisible();
});

test("the settings fold away", async ({ page, member: _member }) => {
  await page.goto(PLAYGROUND);
  const toggle = page.getByRole("button", { name: "Parameters" });
  await toggle.press("Enter");
  await expect(toggle).toHaveAttribute("aria-expanded", "false");
  await expect(page.getByLabel("Protocol")).toBeHidden();
});

test("a call is copied as code without the key", async ({ page, context, member: _member }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(PLAYGROUND);
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

test("a model is found by typing, with its price and context, and Escape keeps the chosen one", async ({
  page,
  member: _member,
}) => {
  await page.goto(PLAYGROUND);
  const model = page.getByLabel("Model", { exact: true });
  await expect(model).toHaveAccessibleDescription(/¥[\d.]+ in, ¥[\d.]+ out per 1M tokens/);
  await model.click();
  await expect(page.getByRole("option")).not.toHaveCount(1);
  await model.fill("mix");
  await expect(page.getByRole("option")).toHaveCount(1);
  await expect(page.getByRole("option")).toContainText(/^demo-mixed.*per 1M tokens/);
  await page.keyboard.press("Escape");
  await expect(model).toHaveValue("demo-chat");
  await model.fill("no such model");
  await expect(page.getByText("No model has such a name.")).toBeVisible();
  await page.getByLabel("Message").focus();
  await expect(model).toHaveValue("demo-chat");
  await model.fill("mixed");
  await model.press("Enter");
  await expect(model).toHaveValue("demo-mixed");
  await expect(page).toHaveURL(/model=demo-mixed/);
});

test("compared models may have parameters of their own, which the address keeps and the answers name", async ({
  page,
  member: _member,
}) => {
  await page.goto(`${PLAYGROUND}&temperature=1.7`);
  // The gateway takes no more of chat completions.
  await expect(page.getByRole("slider")).toHaveAttribute("max", "1");
  await expect(page.getByRole("slider")).toHaveValue("1");
  await page.goto(`${PLAYGROUND}&temperature=0.5`);
  await expect(page.getByLabel("Own parameters")).toHaveCount(0);
  await chooseModel(page, "Compare with", "demo-mixed");
  const own = page.getByRole("group", { name: "demo-mixed", exact: true });
  await own.getByLabel("Own parameters").check();
  await own.getByLabel("Max. tokens").fill("77");
  await expect(page).toHaveURL(/own=demo-mixed~77~0.5(&|$)/);
  await own.getByRole("slider").fill("1");
  await expect(page.getByText("Not for demo-mixed, as set above.")).toBeVisible();
  await expect(page).toHaveURL(/own=demo-mixed~77~1(&|$)/);
  await page.reload();
  await expect(own.getByLabel("Max. tokens")).toHaveValue("77");
  const bodies: { model: string; max_tokens: number; temperature: number }[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/v1/chat/completions")) bodies.push(request.postDataJSON());
  });
  await say(page, "Compare yourselves");
  const answer = (model: string) => page.getByRole("article", { name: `Answer of ${model}` });
  await expect(answer("demo-mixed")).toContainText("temperature 1.0, at most 77 tokens");
  await expect(answer("demo-chat")).toContainText("temperature 0.5, at most 1,024 tokens");
  await expect(answer("demo-mixed").getByText(/ in, \d+ out/)).toBeVisible({ timeout: 30_000 });
  await expect(answer("demo-chat").getByText(/ in, \d+ out/)).toBeVisible({ timeout: 30_000 });
  expect(bodies.map(({ model, max_tokens, temperature }) => [model, max_tokens, temperature]).sort()).toEqual(
    [
      ["demo-chat", 1024, 0.5],
      ["demo-mixed", 77, 1],
    ],
  );
  await page.getByRole("button", { name: "Remove demo-mixed" }).click();
  await expect(own).toHaveCount(0);
  await expect(page).not.toHaveURL(/own=/);
});

test("what is chosen and typed before the scripts of the page run is what is sent", async ({
  context,
  member: _member,
}) => {
  const page = await context.newPage(); // does not wait for the scripts
  let release = () => {};
  const scripts = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*.js", async (route) => {
    await scripts;
    await route.continue();
  });
  await page.goto(PLAYGROUND, { waitUntil: "commit" });
  await page.getByLabel("Protocol").selectOption("messages");
  await page.getByLabel("Max. tokens").fill("77");
  await page.getByLabel("Stream the answer").uncheck();
  await page.getByLabel("Message", { exact: true }).fill("Typed early");
  release();
  await expect(page).toHaveURL(/protocol=messages/);
  await expect(page).toHaveURL(/max=77/);
  const [sent] = await Promise.all([
    page.waitForRequest("**/v1/messages"),
    page.getByRole("button", { name: "Send" }).click(),
  ]);
  expect(sent.postDataJSON()).toMatchObject({
    max_tokens: 77,
    messages: [{ role: "user", content: "Typed early" }],
  });
  expect(sent.postDataJSON().stream).not.toBe(true);
});

test("a model is compared from the head of the page, and each answer says how fast it came", async ({
  page,
  member: _member,
}) => {
  await page.goto(PLAYGROUND);
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  const popup = await page.getByRole("dialog", { name: "Compare" }).boundingBox();
  const main = await page.getByRole("main").boundingBox();
  expect(popup?.x, "it does not cover the rail").toBeGreaterThanOrEqual(main?.x ?? Number.POSITIVE_INFINITY);
  await chooseModel(page, "Let another model answer too", "demo-mixed");
  const models = page.getByRole("list", { name: "Asked" }).getByRole("listitem");
  await expect(models).toHaveText(["demo-chat", "demo-mixed"]);
  await say(page, "Compare yourselves");
  for (const model of ["demo-chat", "demo-mixed"])
    await expect(page.getByRole("article", { name: `Answer of ${model}` })).toContainText(
      /[\d,]+ tokens\/s/,
      {
        timeout: 30_000,
      },
    );
  await page.getByRole("button", { name: "Leave out demo-mixed" }).click();
  await expect(models).toHaveText(["demo-chat"]);
});

test("rarer parameters are in the address, are kept over protocols, and what the gateway leaves out is said", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/playground?model=demo-messages");
  await page.getByText("More", { exact: true }).click();
  await page.getByLabel("Seed").fill("7");
  await page.getByLabel("Top K").fill("40");
  await page.getByLabel("Presence penalty").fill("3");
  await expect(page.getByText("Not sent yet. Presence penalty: Use a number from -2 to 2.")).toBeVisible();
  await page.getByLabel("Presence penalty").fill("1");
  await page.getByLabel("Reasoning effort").selectOption("low");
  await page.getByLabel("JSON schema of the answer").fill("[");
  await expect(page.getByText("it ends too early, in line 1")).toBeVisible();
  await page.getByLabel("JSON schema of the answer").fill('{"type": "object"}');
  await expect(page).toHaveURL(/seed=7/);
  await page.reload();
  await expect(page.getByLabel("Seed")).toHaveValue("7");
  const bodyOf = async (path: string, message: string) => {
    const [sent] = await Promise.all([page.waitForRequest(path), say(page, message)]);
    await expect(page.getByText("The answer is complete.")).toBeAttached();
    return sent.postDataJSON();
  };
  expect(await bodyOf("**/v1/chat/completions", "As chat")).toMatchObject({
    seed: 7,
    top_k: 40,
    presence_penalty: 1,
    reasoning_effort: "low",
    response_format: { type: "json_schema", json_schema: { schema: { type: "object" } } },
  });
  await expect(page.getByRole("article").getByText("Left out: seed")).toBeVisible();
  await page.getByLabel("Protocol").selectOption("messages");
  await expect(page.getByLabel("Seed")).toHaveCount(0);
  await expect(page.getByLabel("Top K")).toHaveValue("40");
  const body = await bodyOf("**/v1/messages", "As messages");
  expect(body).toMatchObject({
    top_k: 40,
    output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } },
  });
  expect(body).not.toHaveProperty("seed");
});

test("a model that has another name now makes room for the first one, and the call is answered", async ({
  page,
  request,
  member: _member,
}) => {
  const { token } = await (await request.post("/api/user/login", { data: ADMIN })).json();
  const headers = { authorization: `Bearer ${token}` };
  const { data } = await (await request.get("/api/admin/models", { headers })).json();
  const { routes, prices } = data.find((model: { alias: string }) => model.alias === "demo-chat");
  const alias = freshName("renamed-");
  const [{ node, model }] = routes;
  const made = await request.post("/api/admin/models", {
    data: { alias, routes: [{ node, model }], prices: { input: prices.input, output: prices.output } },
    headers,
  });
  expect(made.status(), await made.text()).toBe(201);
  await page.goto(PLAYGROUND);
  await chooseModel(page, "Model", alias);
  await page.getByLabel("Message", { exact: true }).fill("Hello");
  await page.goto("/console");
  const changed = await request.patch(`/api/admin/models/${(await made.json()).id}`, {
    data: { alias: `${alias}-2` },
    headers,
  });
  expect(changed.status(), await changed.text()).toBe(200);

  await page.goto("/console/playground");
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("Hello");
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("demo-chat");
  await expect(page.getByText(`Not a chat model of this gateway: ${alias}.`)).toContainText(
    "Asked instead: demo-chat.",
  );
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("article", { name: "Answer of demo-chat" })).toContainText("Hello");
});

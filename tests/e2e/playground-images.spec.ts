import { expect, type Page, type Request } from "@playwright/test";
import { axeViolations, smallTargets } from "./support/axe";
import { ask, test } from "./support/member";

const PATH = "/console/playground?model=demo-chat";
const DATA =
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGOIqriDFTEMLQkA4K9rgYbBLcsAAAAASUVORK5CYII=";
const png = { mimeType: "image/png", buffer: Buffer.from(DATA, "base64") };
const attached = (page: Page) => page.getByRole("list", { name: "Attached images" }).getByRole("img");
const inTurns = (page: Page) => page.getByRole("list", { name: "Images", exact: true }).getByRole("img");

/** A test asks more often than the free plan allows. */
test.beforeEach(async ({ gateway, request, member }) => {
  const { id } = await ask<{ id: string }>(request, member, "/api/user/self");
  const answer = await request.patch(`/api/admin/users/${id}`, {
    data: { limitOverrides: { qps: 100, rpm: 1_000 } },
    headers: { authorization: `Bearer ${await gateway.adminToken()}` },
  });
  expect(answer.status()).toBe(200);
});

/** Chooses files as the picker would give them. */
async function attach(page: Page, ...names: string[]): Promise<void> {
  const [picker] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Attach images" }).click(),
  ]);
  await picker.setFiles(names.map((name) => ({ name, ...png })));
}

/** Sends a message and waits for its whole answer; the body that was sent. */
async function send(page: Page, message: string): Promise<ReturnType<Request["postDataJSON"]>> {
  await page.getByLabel("Message").fill(message);
  const [sent] = await Promise.all([
    page.waitForRequest(/\/v1\/(chat\/completions|messages|responses)$/),
    page.getByRole("button", { name: "Send" }).click(),
  ]);
  await expect(page.getByText("The answer is complete.")).toBeAttached();
  return sent.postDataJSON();
}

/** Pastes or drops a file. */
async function give(page: Page, event: "paste" | "drop", name: string): Promise<void> {
  await page.getByLabel("Message").evaluate(
    (box, { event, name, data }) => {
      const files = new DataTransfer();
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      files.items.add(new File([bytes], name, { type: "image/png" }));
      const common = { bubbles: true, cancelable: true };
      box.dispatchEvent(
        event === "paste"
          ? new ClipboardEvent("paste", { ...common, clipboardData: files })
          : new DragEvent("drop", { ...common, dataTransfer: files }),
      );
    },
    { event, name, data: DATA },
  );
}

test("images are sent in the form of each protocol, and stay in the conversation, not in what is stored", async ({
  page,
  member: _member,
}) => {
  const url = `data:image/png;base64,${DATA}`;
  const forms = {
    chat: [{ type: "image_url", image_url: { url } }],
    messages: [{ type: "image", source: { type: "base64", media_type: "image/png", data: DATA } }],
    responses: [{ type: "input_image", image_url: url }],
  };
  for (const [protocol, images] of Object.entries(forms)) {
    await page.goto(`${PATH}&protocol=${protocol}`);
    await attach(page, "cat.png");
    await expect(attached(page)).toHaveAttribute("alt", "cat.png");
    const first = await send(page, "What is it?");
    const said = (body: typeof first) => (body.messages ?? body.input)[0];
    expect(said(first)).toEqual({
      role: "user",
      content: [...images, expect.objectContaining({ text: "What is it?" })],
    });
    await expect(attached(page)).toHaveCount(0);
    await expect(inTurns(page)).toHaveAttribute("alt", "cat.png");
    expect(said(await send(page, "Are you sure?"))).toEqual(said(first));
    await page.getByRole("button", { name: "New", exact: true }).click();
  }
  await attach(page, "cat.png");
  await send(page, "Keep it");
  expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain(DATA);
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await page.getByRole("link", { name: "Playground", exact: true }).click();
  await expect(inTurns(page)).toHaveAttribute("alt", "cat.png");
  await page.reload();
  await expect(page.getByText("cat.png: not kept when the page was reloaded")).toBeVisible();
});

test("every model that is compared gets the images, and the message comes back with them to be edited", async ({
  page,
  member: _member,
}) => {
  await page.goto(`${PATH},demo-mixed`);
  const bodies: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/v1/chat/completions")) bodies.push(request.postData() ?? "");
  });
  await give(page, "paste", "image.png");
  await expect(attached(page)).toHaveCount(1);
  await give(page, "drop", "image.png");
  await expect(attached(page)).toHaveCount(2);
  await send(page, "Compare them");
  expect(bodies.map((body) => body.split(DATA).length - 1)).toEqual([2, 2]);
  await page.getByRole("button", { name: "Edit the message" }).click();
  await expect(page.getByLabel("Message")).toHaveValue("Compare them");
  await expect(attached(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Remove image.png" }).press("Enter");
  await expect(page.getByRole("button", { name: "Remove image-2.png" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(attached(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Attach images" })).toBeFocused();
});

test("a file that cannot be attached is named with what would be right", async ({
  page,
  member: _member,
}) => {
  await page.goto(PATH);
  await page.locator("input[type=file]").setInputFiles([
    { name: "ok.png", ...png },
    { name: "huge.png", mimeType: "image/png", buffer: Buffer.alloc(6_200_000) },
    { name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF") },
  ]);
  const alert = page.getByRole("alert").filter({ hasText: "is not attached" });
  await expect(alert.getByText("“huge.png” is not attached: it has 6.2 MB")).toBeVisible();
  await expect(alert.getByText("“notes.pdf” is not attached: it must be a PNG")).toBeVisible();
  await expect(attached(page)).toHaveCount(1);
  expect([...(await axeViolations(page)), ...(await smallTargets(page))]).toEqual([]);
  await attach(page, "2.png", "3.png", "4.png", "5.png");
  await expect(alert).toHaveText("“5.png” is not attached: a message may have at most 4 images.");
  await expect(attached(page)).toHaveCount(4);
  await page.getByLabel("Message").fill("");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(inTurns(page)).toHaveCount(4);
  await expect(page.getByText("The answer is complete.")).toBeAttached();
  await expect(alert).toHaveCount(0);
  expect([...(await axeViolations(page)), ...(await smallTargets(page))]).toEqual([]);
});

test("code reads the images by their names, and a link says that it leaves them out", async ({
  page,
  context,
  member: _member,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(PATH);
  await attach(page, "cat.png");
  await send(page, "What is it?");
  const copied = async (name: string) => {
    await page.getByRole("button", { name: "Copy as" }).click();
    await page.getByRole("menuitem", { name }).click();
    await expect(page.getByRole("menuitem")).toHaveCount(0);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const code = await copied("Python SDK");
  expect(code).toContain('base64_of("cat.png")');
  expect(code).not.toContain(DATA);
  const link = await copied("Link to these settings");
  await expect(page.getByText("The conversation and its images are not in it.")).toBeVisible();
  expect(link).not.toMatch(/cat|iVBOR/);
});

test("an answer as JSON is a setting of the address, which Messages has not, and comes back with the others", async ({
  page,
  member: _member,
}) => {
  await page.goto(PATH);
  const json = page.getByLabel("Answer as JSON");
  await json.check();
  await expect(page).toHaveURL(/json=true/);
  await page.getByLabel("Max. tokens").fill("77");
  await page.getByRole("link", { name: "Models", exact: true }).click();
  await page.waitForURL("**/console/models");
  await page.getByRole("link", { name: "Playground", exact: true }).click();
  await expect(page.getByLabel("Max. tokens")).toHaveValue("77");
  expect((await send(page, "As JSON")).response_format).toEqual({ type: "json_object" });
  await expect(page.getByRole("article").getByText("Not valid JSON")).toHaveCount(0);
  await page.reload();
  await expect(json).toBeChecked();
  await page.getByLabel("Protocol").selectOption("messages");
  await expect(json).toBeDisabled();
  await expect(json).toHaveAccessibleDescription("The Messages protocol cannot ask for this.");
  expect(JSON.stringify(await send(page, "As JSON"))).not.toContain("json_object");
  await page.getByLabel("Protocol").selectOption("responses");
  await expect(json).toBeChecked();
  expect((await send(page, "As JSON")).text).toEqual({ format: { type: "json_object" } });
});

test("an answer that is no valid JSON is shown whole, and says so", async ({ page, member: _member }) => {
  const chunk = { choices: [{ index: 0, delta: { content: `{"${"long ".repeat(200)}` } }] };
  await page.route("**/v1/chat/completions", (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`,
    }),
  );
  await page.goto(`${PATH}&json=true`);
  await send(page, "As JSON");
  const answer = page.getByRole("article");
  await expect(answer.getByText("Not valid JSON")).toBeVisible();
  await expect(answer.getByRole("button", { name: "Copy answer" })).toBeVisible();
  const cut = await answer
    .getByText(/^\{"long/)
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  expect(cut).toBe(false);
  await expect(answer.getByText(/ in, . out/), "no tokens were reported").toHaveCount(0);
});

test("an answer that fails inside its stream tells no tokens that nobody reported", async ({
  page,
  member: _member,
}) => {
  const events = [
    { choices: [{ index: 0, delta: { content: "It began" } }] },
    { error: { message: "It broke off." } },
  ];
  await page.route("**/v1/chat/completions", (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
    }),
  );
  await page.goto(PATH);
  await page.getByLabel("Message").fill("Tell me");
  await page.getByRole("button", { name: "Send" }).click();
  const answer = page.getByRole("article");
  await expect(answer.getByText("It broke off.")).toBeVisible();
  await expect(answer.getByRole("button", { name: "Copy answer" })).toBeVisible();
  await expect(answer.getByText(/ in, . out/)).toHaveCount(0);
});

test("images that are together larger than a call may be are told before they are sent", async ({
  page,
  member: _member,
}) => {
  await page.goto(PATH);
  await page.getByLabel("Message").fill("What are they?");
  const large = { mimeType: "image/png", buffer: Buffer.alloc(5_000_000) };
  const [picker] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Attach images" }).click(),
  ]);
  await picker.setFiles(["one.png", "two.png"].map((name) => ({ name, ...large })));
  const alert = page.getByRole("alert").filter({ hasText: "together" });
  await expect(alert).toContainText(
    "The images have 10 MB together; a call to this gateway has room for 7.8 MB of them. Remove some",
  );
  const button = page.getByRole("button", { name: "Send" });
  await expect(button).toBeDisabled();
  await page.getByRole("button", { name: "Remove two.png" }).click();
  await expect(alert).toHaveCount(0);
  await expect(button).toBeEnabled();
});

import { execFileSync } from "node:child_process";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "./support/member";
import { freshName } from "./support/people";

const FIRST_CALL_WITHIN_MS = 60_000;

/** From the landing page to the dialog that shows the first key. Returns the dialog. */
async function makeFirstKey(page: Page): Promise<Locator> {
  await page.goto("/");
  await page.getByRole("link", { name: "Create an account" }).first().click();
  await page.getByLabel("Username").fill(freshName("new"));
  await page.getByLabel("Password", { exact: true }).fill("quiet-river-42");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/console");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Welcome");
  await expect(page.getByText(/^Your account has a balance of ¥[\d.]+ to begin with/)).toBeVisible();

  await page.getByRole("link", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("First");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByLabel("Your new API key")).toHaveValue(/^tgw-[0-9A-Za-z]{46}$/);
  return dialog;
}

/** The first call as a command line, copied by the dialog's button. */
async function copyFirstCall(page: Page, dialog: Locator): Promise<string> {
  const secret = await dialog.getByLabel("Your new API key").inputValue();
  await expect(dialog.getByText(secret).first()).toBeVisible();
  const call = dialog.getByRole("region", { name: "Make your first call" });
  await call.getByRole("button", { name: "Copy", exact: true }).click();
  return page.evaluate(() => navigator.clipboard.readText());
}

async function saveAndClose(dialog: Locator): Promise<void> {
  await dialog.getByLabel("I have saved this key").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
}

test("a newcomer makes a billed first call within a minute, and the dialog with the key notices it", async ({
  page,
  context,
  consoleErrors,
}) => {
  const started = Date.now();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const dialog = await makeFirstKey(page);
  await expect(dialog.getByText("Waiting for the first call with this key…")).toBeVisible();
  const pasted = await copyFirstCall(page, dialog);
  expect(pasted).toContain('"demo-chat"');
  const answer = JSON.parse(execFileSync("sh", ["-c", pasted], { encoding: "utf8" }));
  expect(answer.choices[0].message.content).not.toBe("");
  await expect(dialog.getByText("Received: your first call has arrived.")).toBeVisible();
  expect(Date.now() - started).toBeLessThan(FIRST_CALL_WITHIN_MS);
  await expect(dialog.getByText(/^demo-chat answered in .+ and cost ¥0\.\d+\./)).toBeVisible();
  await expect(dialog.getByText("Waiting for the first call")).toBeHidden();
  const [log] = await Promise.all([
    context.waitForEvent("page"),
    dialog.getByRole("link", { name: "See it in the logs" }).click(),
  ]);
  await expect(log.getByRole("dialog", { name: "Request" })).toContainText("Answered in");
  await expect(dialog.getByLabel("Your new API key"), "the key stays on the page").toBeVisible();
  await saveAndClose(dialog);
  await expect(page.getByRole("row", { name: /First/ })).toContainText(/ago|now/);
  expect(consoleErrors).toEqual([]);
});

test("the code of the docs runs in a terminal that has loaded the .env block of a new key", async ({
  page,
  context,
  member: _member,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Loaded");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("button", { name: "Copy as .env" }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  const block = await page.evaluate(() => navigator.clipboard.readText());
  await saveAndClose(dialog);
  await page.goto("/docs#call");
  await page
    .getByRole("region", { name: "3. Make a call" })
    .getByRole("button", { name: "Copy", exact: true })
    .click();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  expect(code).toContain("$TOLLGATE_API_KEY");
  const answer = JSON.parse(
    execFileSync("sh", ["-c", `set -a\n${block}set +a\n${code}`], { encoding: "utf8" }),
  );
  expect(answer.choices[0].message.content).not.toBe("");
});

test("a new key is tried in its own dialog, and a refused call is told once, with the way to its log", async ({
  page,
  request,
  member,
  consoleErrors,
}) => {
  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Tried");
  const [made] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === "POST"),
    dialog.getByRole("button", { name: "Create key" }).click(),
  ]);
  const { apiKey } = await made.json();
  const emptied = await request.patch(`/api/user/tokens/${apiKey.id}`, {
    data: { quota: 0 },
    headers: { authorization: `Bearer ${member.token}` },
  });
  expect(emptied.status()).toBe(200);
  await dialog.getByRole("button", { name: "Try it in the browser" }).click();
  const alert = dialog.getByRole("alert");
  await expect(alert).toContainText("Quota used up");
  await expect(alert).toContainText("Nothing is left.");
  await expect(alert.getByRole("link", { name: /See why/ })).toBeVisible();
  await expect(dialog.getByText("Waiting for the next call with this key…")).toBeVisible();
  await page.waitForResponse((response) => response.url().includes("/api/user/logs?tokenId="));
  await expect(dialog.getByText("Received, but not answered")).toHaveCount(0);
  await saveAndClose(dialog);
  expect(consoleErrors.filter((text) => !text.includes("402"))).toEqual([]);

  await page.getByRole("button", { name: "Create key" }).first().click();
  await dialog.getByLabel("Name").fill("Tried with success");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("button", { name: "Try it in the browser" }).click();
  await expect(dialog.getByRole("group", { name: "Answer of demo-chat" })).not.toBeEmpty();
  await expect(dialog.getByText("Received: your first call has arrived.")).toBeVisible();
});

test("a quota of 0 is warned of as it is typed, and its key is not offered for a first call", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Nothing");
  const quota = dialog.getByLabel("Quota in yuan (¥)");
  await expect(quota).toHaveAccessibleDescription(
    /default of ¥[\d.]+\. Your account's balance, now ¥10\.00,/,
  );
  await quota.fill("0");
  await expect(quota).toHaveAccessibleDescription("With a quota of 0, each call with this key is refused.");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("The quota of this key is 0, so each call is refused.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Try it in the browser" })).toHaveCount(0);
  await expect(dialog.getByText("Waiting for the first call")).toHaveCount(0);
  await saveAndClose(dialog);
});

test("the dialog of a new key does not ask while the page is hidden, and stops after ten minutes", async ({
  page,
  member: _member,
}) => {
  await page.clock.install();
  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Patient");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("Waiting for the first call with this key…")).toBeVisible();
  let asked = 0;
  page.on("request", (sent) => {
    if (sent.url().includes("/api/user/logs?tokenId=")) asked += 1;
  });
  await page.clock.runFor(7_000);
  await expect.poll(() => asked).toBeGreaterThanOrEqual(2);
  const show = (state: "hidden" | "visible") =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, "visibilityState", { value: visibility, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await show("hidden");
  asked = 0;
  await page.clock.runFor(20_000);
  expect(asked).toBeLessThanOrEqual(1);
  await show("visible");
  await page.clock.fastForward("10:00");
  await expect(dialog.getByText("No answered call so far.")).toBeVisible();
  await dialog.getByRole("button", { name: "Look again" }).click();
  await expect(dialog.getByText("Waiting for the first call with this key…")).toBeVisible();
});

test("a newcomer who closed the dialog sees the first call arrive on the overview", async ({
  page,
  context,
  consoleErrors,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const dialog = await makeFirstKey(page);
  const pasted = await copyFirstCall(page, dialog);
  await saveAndClose(dialog);
  await page.getByRole("link", { name: "Overview" }).click();
  await expect(page.getByText("Waiting for your first request…")).toBeVisible();
  await expect(page.getByRole("link", { name: "Try it in the browser" })).toHaveAttribute(
    "href",
    "/console/playground?model=demo-chat",
  );
  execFileSync("sh", ["-c", pasted]);
  await expect(page.getByText("Your first request has arrived.")).toBeVisible();
  await page.getByRole("link", { name: "See it in the logs" }).click();
  await expect(page.getByRole("dialog", { name: "Request" })).toContainText("Answered in");
  expect(consoleErrors).toEqual([]);
});

test("the secret is on the page once, and never in an address, a store, a cache, or a second answer", async ({
  page,
  member: _member,
}) => {
  const answers: string[] = [];
  const addresses: string[] = [];
  page.on("request", (sent) => addresses.push(sent.url()));
  page.on("response", async (response) => {
    const type = response.headers()["content-type"] ?? "";
    if (/json|html|text\/x-component/.test(type)) answers.push(await response.text().catch(() => ""));
  });
  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Secret");
  const [made] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === "POST"),
    dialog.getByRole("button", { name: "Create key" }).click(),
  ]);
  expect(made.headers()["cache-control"]).toBe("no-store");
  const { key: secret } = await made.json();
  expect(secret).toMatch(/^tgw-[0-9A-Za-z]{46}$/);
  await expect(dialog.getByLabel("Your new API key")).toHaveValue(secret);
  expect(await memoryOf(page)).toContain(secret);
  await dialog.getByLabel("I have saved this key").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("row", { name: /Secret/ })).toBeVisible();
  await page.getByRole("link", { name: "Logs", exact: true }).click();
  await page.waitForURL("**/console/logs");
  expect(await memoryOf(page)).not.toContain(secret);
  await page.goBack();
  await page.waitForURL("**/console/keys");
  await page.reload();
  await expect(page.getByRole("row", { name: /Secret/ })).toBeVisible();

  expect(answers.filter((text) => text.includes(secret))).toHaveLength(1);
  expect(addresses.filter((url) => url.includes(secret))).toEqual([]);
  const kept = await page.evaluate(async () => ({
    local: JSON.stringify({ ...localStorage }),
    session: JSON.stringify({ ...sessionStorage }),
    cookies: document.cookie,
    databases: (await indexedDB.databases()).length,
    html: document.documentElement.outerHTML,
    history: JSON.stringify(history.state),
  }));
  expect(JSON.stringify(kept)).not.toContain(secret);
  expect(kept.databases).toBe(0);
});

/** Everything that the page's scripts hold, caches of answers included. */
async function memoryOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => chunks.push(chunk));
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.takeHeapSnapshot", {});
  const memory = chunks.join("");
  expect(memory).toContain("/console/logs");
  return memory;
}
